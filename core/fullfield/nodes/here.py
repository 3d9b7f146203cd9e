"""This computer as one of those that enhance for it: in turn, as many images at once as it has devices for them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fullfield.enhance import item as items
from fullfield.enhance.elsewhere import Waits
from fullfield.errors import FullfieldError
from fullfield.image.image import Enhanced
from fullfield.protocol.events import Event, Notice
from fullfield.protocol.places import LOCAL, PLACE

TITLE = "this computer"


class Here:
    """`busy`: how many images it has been given, kept by who gives them. `instead`: which others do what this one does
    not, in words; "": none. `waits`: see `elsewhere.Waits`."""

    def __init__(self, *, emit: Callable[[Event], None], waits: Waits, instead: Callable[[Here], str]) -> None:
        self.busy, self.name, self.is_there = 0, TITLE, True
        self._emit, self._waits, self._instead = emit, waits, instead
        self._computing = 0
        self._changed = threading.Condition()
        self._said: set[str] = set()
        self._did = self._refused = False

    @property
    def is_useless(self) -> bool:
        """See `Reached`."""
        return self._refused and not self._did

    def ask(self, work: Callable[[], Enhanced], *, lanes: int) -> Enhanced | None:
        """What `compute` makes; None where another machine has to. Raises what `work` does where there is none."""
        try:
            made = self.compute(work, lanes=lanes)
        except (FullfieldError, MemoryError) as error:
            self._refused = True
            others, why = self._instead(self), items.explain(error)
            if not others:
                raise
            self._tell(f"{why.title} {why.detail} What this computer cannot do is enhanced on {others}.")
            return None
        self._did = True
        return made

    def compute(self, work: Callable[[], Enhanced], *, lanes: int) -> Enhanced:
        """An image enhanced here, as soon as fewer than `lanes` are."""
        with self._turn(lanes):
            return work()

    @contextmanager
    def _turn(self, lanes: int) -> Iterator[None]:
        with self._changed:
            if self._computing >= lanes:
                self._waits(True)
                self._changed.wait_for(lambda: self._computing < lanes)
                self._waits(False)
            self._computing += 1
        try:
            yield
        finally:
            with self._changed:
                self._computing -= 1
                self._changed.notify_all()

    def _tell(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self._emit(Notice(text=text, level="warning", topic=f"{PLACE}:{LOCAL}"))

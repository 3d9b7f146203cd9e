"""Images of a part of the body among files: each is opened by a worker, until there are enough. No widget."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from fullfield.errors import FullfieldError
from fullfield.image import cache, presets
from fullfield.inputs.files import InputFile, discover
from fullfield.protocol.events import Event, ItemDecoded, ItemFailed
from fullfield.protocol.session_commands import Open
from fullfield_app.gui.bridge.job_bridge import Session
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.workers import Start
from fullfield_app.gui.grading.candidates import Candidate, candidate
from fullfield_app.gui.queue.row import Trouble
from fullfield_app.gui.widgets.label import clean

MOST = 20
"""Images that are compared before a switch."""
LOOKED_AT = 200
"""Files that are opened for them."""
AHEAD = 4


@dataclass(frozen=True, kw_only=True)
class Own:
    """An image of the user's own. `preset`: the one that fits it, by name."""

    candidate: Candidate
    preset: str


class Finder(QObject):
    """`listed`: there are `total` files to look at; `found`: an Own; `moved`: more were `looked` at, or it has `ended`;
    `failed`: an exception. `trouble`: why it ended too early."""

    listed = Signal()
    found = Signal(object)
    moved = Signal()
    failed = Signal(object)

    def __init__(self, start: Start, part: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._start, self._part = start, part
        self._items: tuple[InputFile, ...] = ()
        self._asked = self.looked = 0
        self._images: set[str] = set()
        self._session: Session | None = None
        self.ended = False
        self.trouble: Trouble | None = None
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self.failed)

    @property
    def total(self) -> int:
        """How many files are looked at, at most."""
        return len(self._items)

    def list(self, paths: Callable[[], Sequence[Path]]) -> None:
        """Find the files there, which may take a while on a slow drive."""
        self._tasks.start(lambda: _files(paths()), self._keep, failed=self._keep_none)

    def look(self) -> None:
        """Open them, one after another."""
        self._session = Session(self._start, self)
        self._session.reported.connect(self._take_in)
        self._session.refused.connect(self._lose)
        self._session.ended.connect(lambda _, died: self._lose(died))
        self._session.start()
        self._go_on()
        self.moved.emit()

    def end(self) -> None:
        """Look at no more; the worker is ended in the background."""
        self.ended = True
        if self._session is not None:
            self._tasks.start(self._session.close, lambda _: None)

    def close(self) -> None:
        """As `end`; returns when all is gone. From any thread."""
        self.ended = True
        self._tasks.close()
        if self._session is not None:
            self._session.close()

    # Within -----------------------------------------------------------------------------------------------------

    def _keep(self, items: tuple[InputFile, ...]) -> None:
        self._items = items
        self.listed.emit()

    def _keep_none(self, error: BaseException) -> None:
        self._keep(())
        self.failed.emit(error)

    def _go_on(self) -> None:
        assert self._session is not None
        while self._asked < min(self.total, self.looked + AHEAD):
            item = self._items[self._asked]
            self._session.post(Open(index=self._asked, source=item.source, archive=item.archive))
            self._asked += 1
        if self.looked == self.total or len(self._images) == MOST:
            self.end()

    def _take_in(self, news: tuple[Event, ...]) -> None:
        for event in news:
            match event:
                case ItemDecoded():
                    own = partial(_own, self._items[event.index], event.index, Path(event.decoded))
                    self._tasks.start(own, self._see)
                case ItemFailed():
                    self._see(None)
                case _:
                    pass

    def _see(self, own: Own | None) -> None:
        if self.ended:
            return
        self.looked += 1
        if own is not None and own.candidate.part == self._part and own.candidate.image not in self._images:
            self._images.add(own.candidate.image)
            self.found.emit(own)
        self._go_on()
        self.moved.emit()

    def _lose(self, error: FullfieldError) -> None:
        if not self.ended:
            self.end()
            self.trouble = Trouble(title=error.title, detail=error.detail, hint=error.hint)
            self.moved.emit()


def _files(paths: Iterable[Path]) -> tuple[InputFile, ...]:
    """Those below `paths`, each once; of very many a share, from everywhere."""
    found: dict[tuple[str, str], InputFile] = {}
    for path in paths:
        with contextlib.suppress(FullfieldError, OSError):  # moved since, on a drive that is not there, or not ours
            found.update({(item.archive, item.source): item for item in discover([path]).items})
    every = tuple(found.values())
    return every[:: max(1, math.ceil(len(every) / LOOKED_AT))]


def _own(item: InputFile, place: int, decoded: Path) -> Own | None:
    """None of what this program has made, of what nothing is meant for, and of what is no longer in the cache."""
    with contextlib.suppress(OSError, ValueError, KeyError, FullfieldError):
        image = cache.load(decoded)
        if not image.image.enhanced:
            return Own(
                candidate=candidate(item, name=clean(item.relative), position=place + 1, decoded=decoded),
                preset=presets.choose(**image.header.subject, kind=image.image.kind).name,
            )
    return None


__all__ = ["LOOKED_AT", "MOST", "Finder", "Own"]

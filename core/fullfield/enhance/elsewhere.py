"""Another machine that computes enhancements: its protocol, and how one is found by the name of a place.

Files are read and results are written on this computer. There an image goes as pixels and numbers, and comes back as
pixels, with what its method says that it did; what is not done there, whyever, is done here. No machine is imported:
those above this room bring themselves.
"""

from __future__ import annotations

import importlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, cast

from fullfield.enhance.enhancer import Enhancer
from fullfield.errors import UsageError
from fullfield.image.image import Enhanced, Image
from fullfield.image.preset import Preset
from fullfield.model.card import Card
from fullfield.protocol.events import Event
from fullfield.protocol.places import LOCAL, NODE, kind, which

Waits = Callable[[bool], None]
"""Called in the thread that has an image in hand: with True where that waits for its turn on this computer, behind
others, and with False when it has come."""
MACHINES = {NODE: "fullfield.nodes.enhancing"}
"""By the kind of place, the module whose `open_machine` opens one."""
IDLE_SECONDS = 120.0


class Network(Enhancer, Protocol):
    """A model that enhances, here or elsewhere: `NetworkEnhancer` is one."""

    @property
    def card(self) -> Card:
        """What the model says of itself."""

    @property
    def at_once(self) -> int:
        """How many images are best given to it at once."""


class Elsewhere(Protocol):
    """A machine, or several. Several threads may use it."""

    @property
    def at_once(self) -> int:
        """How many images are best given to it at once."""

    def by_preset(self, image: Image, preset: Preset, /) -> Enhanced:
        """See `multiscale.enhance`: there, or here."""

    def by_model(
        self, path: Path, here: Callable[[], Network], /, *, off_scale: bool, member: int | None = None
    ) -> Network:
        """The model in a file, or one `member` of the ensemble there; `here` opens it on this computer, where that is
        needed. Raises ModelError."""

    def close(self) -> None:
        """End the connection, and leave nothing there."""


class OpenMachine(Protocol):
    """Opens the machine of a name. `images_to`: the address to which the user has said that images may go; "": nobody
    has been asked. Raises UsageError where there is none, where nobody has allowed that images go there, or where it
    has another version; what it tells where it does not let us in."""

    def __call__(
        self, name: str, /, *, images_to: str, device: str, emit: Callable[[Event], None], waits: Waits
    ) -> Elsewhere: ...


class Machines:
    """Those that were asked for, each open until nothing was asked of it for IDLE_SECONDS. `device`: there. Several
    threads may use it."""

    def __init__(self, *, device: str, emit: Callable[[Event], None], waits: Waits = lambda waiting: None) -> None:
        self._device, self._emit, self._waits = device, emit, waits
        self._open: dict[tuple[str, str], tuple[float, Elsewhere]] = {}
        self._used: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()

    def find(self, place: str, images_to: str = "") -> Elsewhere | None:
        """The machine of a place; None for this computer. Raises as `OpenMachine`."""
        if place == LOCAL:
            return None
        if kind(place) not in MACHINES:
            raise UsageError(f"Cannot enhance images at {place[:60]!r}.", hint="Name a node, or local.")
        with self._lock:
            before = self._open.get((place, images_to))
            if before is None:
                opened = cast(OpenMachine, importlib.import_module(MACHINES[kind(place)]).open_machine)
                found = opened(
                    which(place), images_to=images_to, device=self._device, emit=self._emit, waits=self._waits
                )
            else:
                found = before[1]
            self._open[place, images_to] = (time.monotonic(), found)
            return found

    @contextmanager
    def use(self, place: str, images_to: str = "") -> Iterator[Elsewhere | None]:
        """As `find`; it does not rest meanwhile."""
        key = (place, images_to)
        with self._lock:
            self._used[key] += 1
        try:
            yield self.find(place, images_to)
        finally:
            with self._lock:
                self._used[key] -= 1
                if key in self._open:
                    self._open[key] = (time.monotonic(), self._open[key][1])

    def rest(self) -> None:
        """Close those that nobody uses and of which nothing was asked for a while."""
        with self._lock:
            long_ago = time.monotonic() - IDLE_SECONDS
            idle = [key for key, (asked, _) in self._open.items() if not self._used[key] and asked < long_ago]
            machines = [self._open.pop(key)[1] for key in idle]
        for machine in machines:
            machine.close()

    def close(self) -> None:
        """Close all."""
        while self._open:
            self._open.popitem()[1][1].close()

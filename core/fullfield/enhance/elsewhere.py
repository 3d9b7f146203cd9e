"""Another machine that computes enhancements: its protocol, and how one is found by the name of a place.

Files are read and results are written on this computer. There an image goes as pixels and numbers, and comes back as
pixels; what is not done there, whyever, is done here. No machine is imported: those above this room bring themselves.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
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
    """Those that were asked for, each open until nothing was asked of it for IDLE_SECONDS. `device`: there."""

    def __init__(self, *, device: str, emit: Callable[[Event], None], waits: Waits = lambda waiting: None) -> None:
        self._device, self._emit, self._waits = device, emit, waits
        self._open: dict[tuple[str, str], tuple[float, Elsewhere]] = {}

    def find(self, place: str, images_to: str = "") -> Elsewhere | None:
        """The machine of a place; None for this computer. Raises as `OpenMachine`."""
        if place == LOCAL:
            return None
        if kind(place) not in MACHINES:
            raise UsageError(f"Cannot enhance images at {place[:60]!r}.", hint="Name a node, or local.")
        before = self._open.get((place, images_to))
        if before is None:
            opened = cast(OpenMachine, importlib.import_module(MACHINES[kind(place)]).open_machine)
            found = opened(which(place), images_to=images_to, device=self._device, emit=self._emit, waits=self._waits)
        else:
            found = before[1]
        self._open[place, images_to] = (time.monotonic(), found)
        return found

    def rest(self) -> None:
        """Close those of which nothing was asked for a while."""
        for key, (asked, machine) in list(self._open.items()):
            if time.monotonic() - asked > IDLE_SECONDS:
                del self._open[key]
                machine.close()

    def close(self) -> None:
        """Close all."""
        while self._open:
            self._open.popitem()[1][1].close()

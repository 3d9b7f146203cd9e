"""Where results go: the protocol of a destination, and what is handed to one. Each kind has a file beside this."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol

from fullfield import system
from fullfield.checked import Fields
from fullfield.dicom.write import write
from fullfield.enhance.item import SHORT, Stopwatch, settings_hash
from fullfield.image.cache import Decoded
from fullfield.image.delivery import FULL, Delivery
from fullfield.image.export import OutputFormat
from fullfield.image.image import Enhanced
from fullfield.image.presets import AUTO
from fullfield.protocol.batch import Item
from fullfield.protocol.events import ItemDone, ItemEvent


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is asked for one image. `item.target`: the name that its result should have at the destination.

    `kind`: auto, raw or processed. `format` and `delivery`: as what it is written. `recipe`: the SHA-256 of what it is
    enhanced with, "" where that is not known before; `forced`, `strict`: see `guarded.Policy`. `overwrite`: also over
    what is not ours, or was changed since; `anew`: never in the place of what is there, be it this image's earlier
    result, but where it was asked for `again`: in the place of the very same. `watch`: since it was asked.
    """

    item: Item
    kind: str = AUTO
    format: OutputFormat = OutputFormat.DICOM
    delivery: Delivery = FULL
    recipe: str = ""
    forced: bool = False
    strict: bool = False
    overwrite: bool = False
    anew: bool = False
    again: bool = False
    watch: Stopwatch = field(default_factory=Stopwatch)

    @property
    def settings(self) -> str:
        """The SHA-256 of all that decides the result but its input: results that have both alike are alike."""
        found: Fields = {"kind": self.kind, "recipe": self.recipe, "format": self.format.value}
        if self.delivery.displayed or self.delivery.window or self.delivery.mark:
            found["delivery"] = asdict(self.delivery)
        if self.forced:  # what was kept by force is judged the next time
            found["forced"] = True
        if self.strict:  # and what was replaced, or warned about, too
            found["strict"] = True
        return settings_hash(**found)


@dataclass(frozen=True, kw_only=True, eq=False)
class Made:
    """A result on its way. `input`: the SHA-256 of the file that it was made from."""

    request: Request
    input: str
    decoded: Decoded
    enhanced: Enhanced

    def write(self, path: Path) -> str:
        """As a file of the format that is asked for, whole or not at all; returns its SHA-256. Raises CannotWrite."""
        request = self.request
        return write(self.decoded, self.enhanced, path, format=request.format, delivery=request.delivery)

    def done(self, *, number: int = 0) -> ItemDone:
        """The verdict once it is safe at its destination; `number`: see `ItemDone`."""
        return ItemDone(
            index=self.request.item.index,
            input=self.input[:SHORT],
            output="",
            seconds=self.request.watch.seconds,
            peak_bytes=system.peak_memory(),
            number=number,
            method_wanted=self.enhanced.method_wanted,
            disagreement=None if (found := self.enhanced.disagreement) is None else found.p99,
        )


class Destination(Protocol):
    """Takes results, of several threads at once."""

    def has(self, request: Request, input: str) -> bool:
        """Whether this result of the file with this SHA-256 is there as it would be made: then it is not made again.

        Raises CannotWrite where it must not go there: before it is made for nothing.
        """

    def put(self, made: Made) -> ItemEvent:
        """Take it, whole or not at all; returns its verdict. Raises CannotWrite."""


class Store(Destination, Protocol):
    """A destination with an address, which is open until it is closed; see `registry`."""

    def put(self, made: Made) -> ItemDone:
        """See `Destination`: it is safe there when this returns."""

    def add(self, name: str, content: bytes) -> str:
        """Leave a file about the results beside them; returns its name there. Raises CannotWrite."""

    def close(self) -> None:
        """Finish what was begun, and release it."""

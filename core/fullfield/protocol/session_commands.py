"""What the window asks of its session worker, as frozen values: they cross a thread and a process."""

from __future__ import annotations

from dataclasses import dataclass, field

from fullfield.image.delivery import FULL, Delivery
from fullfield.image.values import Changes
from fullfield.protocol.commands import Command
from fullfield.protocol.places import LOCAL


@dataclass(frozen=True, kw_only=True)
class Open(Command):
    """Decode item `index`: the file `source`, or the member `source` of the ZIP `archive`."""

    index: int
    source: str
    archive: str = ""


@dataclass(frozen=True, kw_only=True)
class Enhance(Command):
    """Enhance the opened item `index`; `choice`, `kind` and `changes` are those of a `Method`.

    `place`: where it is computed, of `fullfield.protocol.places`; `images_to`: the address of the machine there, to
    which this user has said that images may go.
    """

    index: int
    choice: str
    kind: str = "auto"
    changes: Changes = ()
    place: str = LOCAL
    images_to: str = ""


@dataclass(frozen=True, kw_only=True)
class Preview(Command):
    """Show what a method does to a part of the opened item `index`; of several only the last is answered.

    `region`: top, bottom, left and right of the image reduced by 2**`level`. `serial` comes back with the answer.
    """

    index: int
    serial: int
    level: int
    region: tuple[int, int, int, int]
    choice: str
    kind: str = "auto"
    changes: Changes = ()


@dataclass(frozen=True, kw_only=True)
class Export(Command):
    """Write the enhanced item `index` to `target` in `format`; an existing file stays unless `overwrite`.

    `folder`: the address of where exports go: a folder in or below which `target` lies; "": the target's own.
    `delivery`: all of its data, or the picture as it is displayed, and what is written below it. `order`: a number of
    all that were asked for together: once one of them was begun, no other makes a folder that is gone anew.
    `again`: a worker that is gone was asked for it before, and may have written it without a word.
    """

    index: int
    target: str
    format: str
    folder: str = ""
    overwrite: bool = False
    delivery: Delivery = FULL
    order: int = field(default=0, compare=False)
    again: bool = field(default=False, compare=False)


@dataclass(frozen=True, kw_only=True)
class Cancel(Command):
    """Leave out what has been asked for `indexes` and has not begun."""

    indexes: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Close(Command):
    """Forget these, and free what was kept of them; answered for each by an ItemClosed."""

    indexes: tuple[int, ...]

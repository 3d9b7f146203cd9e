"""An image on its way to a node and back: a line of JSON with numbers, and behind it the bytes of its arrays.

Pixels and numbers alone: nothing of a header but the spacing of pixels and the values of windows, no word of a preset
but its numbers. Arrays are little endian, row after row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import IO, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from fullfield.checked import Between, Count, Fields
from fullfield.enhance import tiles
from fullfield.image import normalise
from fullfield.image.declared import Declared
from fullfield.image.image import HighValues, Image, InputKind, Pixels, Relationship, Voi, VoiTable
from fullfield.image.preset import PARAMETERS, Preset
from fullfield.image.values import Value, Window
from fullfield.model import map_form
from fullfield.nodes import ssh

BYTES = 1 << 20
"""That are read or written at once."""
_PIXELS, _TABLE = np.dtype("<u2"), np.dtype("<f4")
LARGEST = 1e6
"""What no gain and no logit of a table comes near; squares of it can be reckoned with."""
_Side = Annotated[int, Between(1, 1 << 20)]
_Entries = Annotated[int, Between(0, 1 << 17)]
Moved = Callable[[], None]


@dataclass(frozen=True, kw_only=True)
class VoiNumbers:
    """A window, or where it has `entries` a table, whose bytes come behind the pixels."""

    low: float = 0.0
    high: float = 0.0
    sigmoid: bool = False
    first: int = 0
    entries: _Entries = 0


@dataclass(frozen=True, kw_only=True)
class ImageNumbers:
    """The fields of an `Image` that decide what is made of it."""

    rows: _Side
    columns: _Side
    bits: Annotated[int, Between(1, 16)]
    high: str
    kind: str
    relationship: str
    beam: str
    enhanced: bool
    zero: float | None = None
    spacing_mm: tuple[float, float] | None = None
    padding: tuple[int, int] | None = None
    voi: tuple[VoiNumbers, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What shall be done with the image that follows: `preset`, its numbers; or `model`, the SHA-256 of a model's file
    that the node has, on a `device` there; `off_scale`: see `network.open_model`."""

    number: Count
    image: ImageNumbers
    preset: dict[str, float | tuple[float, ...]] = field(default_factory=dict)
    model: str = ""
    device: str = ""
    off_scale: bool = False


def numbers_of(image: Image) -> ImageNumbers:
    """What goes in the line."""
    rows, columns = image.pixels.shape
    return ImageNumbers(
        rows=rows,
        columns=columns,
        bits=image.bits,
        high=image.high.value,
        kind=image.kind.value,
        relationship=image.relationship.value,
        beam=image.beam.value,
        enhanced=image.enhanced,
        zero=image.zero,
        spacing_mm=image.spacing_mm,
        padding=image.padding,
        voi=tuple(map(_voi_numbers, image.voi)),
    )


def write(stream: IO[bytes], asked: Asked, image: Image, moved: Moved) -> None:
    """Bring a request to its stream. Raises OSError."""
    stream.write(ssh.line(asdict(asked)))
    _write_array(stream, image.pixels, _PIXELS, moved)
    for one in image.voi:
        if isinstance(one, VoiTable):
            _write_array(stream, one.table, _TABLE, moved)
    stream.flush()


def read(stream: IO[bytes], numbers: ImageNumbers) -> Image:
    """The image that follows its line. Raises EOFError where it does not come whole, ValueError."""
    pixels = read_pixels(stream, numbers.rows, numbers.columns, lambda: None)
    return Image(
        pixels=pixels,
        bits=numbers.bits,
        high=HighValues(numbers.high),
        kind=InputKind(numbers.kind),
        relationship=Relationship(numbers.relationship),
        beam=HighValues(numbers.beam),
        enhanced=numbers.enhanced,
        zero=numbers.zero,
        spacing_mm=numbers.spacing_mm,
        padding=numbers.padding,
        voi=tuple(_voi(stream, one) for one in numbers.voi),
    )


def write_pixels(stream: IO[bytes], pixels: Pixels) -> None:
    """The bytes of an image's pixels. Raises OSError."""
    _write_array(stream, pixels, _PIXELS, lambda: None)


def write_seen(stream: IO[bytes], seen: NDArray[np.float32]) -> None:
    """How a method saw each value of an image: see `Enhanced`. Raises OSError."""
    _write_array(stream, seen, _TABLE, lambda: None)


def read_seen(stream: IO[bytes], moved: Moved) -> NDArray[np.float32]:
    """That which follows. Raises EOFError where it does not come whole."""
    return _read_array(stream, (normalise.VALUES,), _TABLE, moved).astype(np.float32, copy=False)


def write_declared(stream: IO[bytes], declared: Declared) -> None:
    """What a method says that it did: see `Enhanced`. Raises OSError."""
    for one in (*declared.gains, declared.curve, declared.light):
        _write_array(stream, one, _TABLE, lambda: None)


def read_declared(stream: IO[bytes], rows: int, columns: int, moved: Moved) -> Declared:
    """That which follows, of an image of so many: its shapes are those of `map_form`. Raises EOFError where it does not
    come whole, ValueError where a number is none, or beyond all that any can be."""
    shape = tiles.padded(rows), tiles.padded(columns)
    gains, light = map_form.tables(*shape)

    def table(*sides: int) -> NDArray[np.float32]:
        found = _read_array(stream, sides, _TABLE, moved).astype(np.float32, copy=False)
        if not np.abs(found).max() <= LARGEST:
            raise ValueError("a table with numbers that cannot be")
        return found

    return Declared(
        shape=shape,
        gains=tuple(table(*sides) for sides in gains),
        cells=map_form.cells(map_form.fine(max(shape))),
        curve=table(map_form.KNOTS + 1),
        light=table(*light),
    )


def read_pixels(stream: IO[bytes], rows: int, columns: int, moved: Moved) -> Pixels:
    """The pixels that follow. Raises EOFError where they do not come whole."""
    return _read_array(stream, (rows, columns), _PIXELS, moved).astype(np.uint16, copy=False)


def preset_numbers(preset: Preset) -> dict[str, Value]:
    """The values of a preset's parameters, by their keys: its name, title and words stay here."""
    return {one.key: preset.value(one) for one in PARAMETERS}


def preset_of(numbers: dict[str, Value], kind: InputKind) -> Preset:
    """A preset without a name, of these values. Raises UsageError, TypeError, KeyError."""
    fields: Fields = {one.attribute: numbers[one.key] for one in PARAMETERS}
    return Preset(name="", title="", version="", source="", kinds=(kind,), **fields)


def _write_array(stream: IO[bytes], array: NDArray[Any], kind: np.dtype[Any], moved: Moved) -> None:
    """The bytes of an array, some at once."""
    content = np.ascontiguousarray(array, kind).data.cast("B")
    for begin in range(0, len(content), BYTES):
        stream.write(content[begin : begin + BYTES])
        moved()


def _read_array(stream: IO[bytes], shape: tuple[int, ...], kind: np.dtype[Any], moved: Moved) -> NDArray[Any]:
    array = np.empty(shape, kind)
    content, have = array.data.cast("B"), 0
    while have < len(content):
        more = stream.read(min(BYTES, len(content) - have))
        if not more:
            raise EOFError
        content[have : have + len(more)] = more
        have += len(more)
        moved()
    return array


def _voi_numbers(voi: Voi) -> VoiNumbers:
    if isinstance(voi, VoiTable):
        return VoiNumbers(first=voi.first, entries=len(voi.table))
    return VoiNumbers(low=voi.low, high=voi.high, sigmoid=voi.sigmoid)


def _voi(stream: IO[bytes], numbers: VoiNumbers) -> Voi:
    if numbers.entries:
        table = _read_array(stream, (numbers.entries,), _TABLE, lambda: None)
        return VoiTable(first=numbers.first, table=table.astype(np.float32, copy=False))
    return Window(low=numbers.low, high=numbers.high, sigmoid=numbers.sigmoid)

"""From decoded samples to the canonical picture: one grey value per pixel, uint16, high = bright.

The way of a value (PS3.3 C.7.6.3.1, C.11.1): sample → stored value (bits masked, sign extended) → modality LUT where
the file has a table → inverted once where high means dark. A rescale by slope and intercept is not applied: it changes
the unit and not the picture, but for its sign, which turns the polarity; `Scale` keeps the way back to them. A VOI LUT
that falls turns it too (`voi.falls`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydicom.dataset import Dataset

from fullfield.dicom.codecs import Array, Samples
from fullfield.dicom.numbers import decimal
from fullfield.dicom.refusals import damaged, refused
from fullfield.dicom.structure import Structure
from fullfield.dicom.tables import Table, modality_table
from fullfield.image.image import HighValues, Pixels

GREY_COUNTS = 2  # three components that differ by no more are a grey picture
BLOCK_ROWS = 256  # bounds the memory of a comparison


@dataclass(frozen=True, kw_only=True)
class Scale:
    """How values of `Image.pixels` and of the file belong together.

    pixel = stored − `lowest`, or `top` minus that where `flipped`; modality value = `slope` · stored + `intercept`.
    With a modality LUT, "stored" is the table's output. `bits`: of the pixels.
    """

    bits: int
    lowest: int
    slope: float
    intercept: float
    flipped: bool

    @property
    def top(self) -> int:
        """The largest pixel value."""
        return (1 << self.bits) - 1

    def pixel(self, stored: float) -> float:
        """The pixel value of a stored one; not rounded, not clipped."""
        return self.top - (stored - self.lowest) if self.flipped else stored - self.lowest

    def pixel_of_modality(self, value: float) -> float:
        """The pixel value at which the modality value is `value`."""
        return self.pixel((value - self.intercept) / self.slope)

    def modality(self, pixels: NDArray[Any]) -> NDArray[np.float64]:
        """The modality values of pixel values."""
        stored = (self.top - pixels if self.flipped else pixels) + float(self.lowest)
        return np.asarray(self.slope * stored + self.intercept, np.float64)


@dataclass(frozen=True, kw_only=True, eq=False)
class Picture:
    """The canonical picture of a file, and how it came about. `table`: the modality LUT that was applied, if any."""

    pixels: Pixels
    scale: Scale
    high: HighValues
    table: Table | None = None

    def turned(self) -> Picture:
        """The same picture where a VOI LUT shows its high values dark: as it is rendered, high = bright."""
        return Picture(
            pixels=np.uint16(self.scale.top) - self.pixels,
            scale=replace(self.scale, flipped=not self.scale.flipped),
            high=HighValues.BRIGHT if self.scale.flipped else HighValues.DARK,
            table=self.table,
        )


def picture(structure: Structure, samples: Samples, dataset: Dataset) -> Picture:
    """The canonical picture. Raises InputUnreadable, InputRefused (true colour)."""
    grey = _grey(samples)
    stored = _stored(structure, grey, samples)  # offset binary: 0 is the lowest value that the bits allow
    lowest = -(1 << (structure.stored - 1)) if structure.signed else 0
    bits, slope, intercept = structure.stored, 1.0, 0.0
    table = modality_table(dataset, signed=structure.signed, warn=structure.parsed.warn)
    if table is not None:
        stored, bits, lowest = table.over(stored, lowest=lowest, bits=bits), table.bits, 0
    else:
        slope, intercept = _rescale(structure, dataset)
    dark = structure.photometric == "MONOCHROME1"
    flipped = dark != (slope < 0)
    if flipped:
        stored = np.subtract(np.uint16((1 << bits) - 1), stored, out=_in_place(stored))
    return Picture(
        pixels=np.ascontiguousarray(stored, np.uint16),
        scale=Scale(bits=bits, lowest=lowest, slope=slope, intercept=intercept, flipped=flipped),
        high=HighValues.DARK if flipped else HighValues.BRIGHT,
        table=table,
    )


def _grey(samples: Samples) -> Array:
    """One component. Three are a grey picture when they are equal (RGB) or when two of them say "no colour" (YBR)."""
    array = samples.array
    if array.ndim == 2:
        return array
    neutral = 1 << (samples.precision - 1)  # chroma off by one: R, G and B differ by less than two counts
    if not alike(array, None, GREY_COUNTS) and not alike(array, neutral, 1):
        raise refused("a colour image", detail="Its red, green and blue differ.")
    return array[..., 0]


def alike(array: Array, value: int | None, counts: int) -> bool:
    """True where the second and third component are everywhere within `counts` of `value`, or of the first one."""
    for start in range(0, array.shape[0], BLOCK_ROWS):
        block = array[start : start + BLOCK_ROWS].astype(np.int32)
        target = block[..., :1] if value is None else value
        if int(np.abs(block[..., 1:] - target).max()) > counts:
            return False
    return True


def _stored(structure: Structure, samples: Array, source: Samples) -> Pixels:
    """Stored values as offset binary: unsigned as they are, signed plus 2**(Bits Stored − 1)."""
    bits, top = structure.stored, (1 << structure.stored) - 1
    half = 1 << (bits - 1)
    if source.lossy:
        return _clipped(samples, structure, precision=source.precision)
    values = samples.astype(np.uint16, copy=False)  # two's complement where it was signed
    shift = _shift(structure, values, precision=source.precision)
    if shift:
        values = np.right_shift(values, np.uint16(shift), out=_in_place(values))
    highest = int(values.max())
    if highest > top:
        if not structure.signed and not _declares_overlay(structure):
            structure.parsed.warn("Bits above those that the file says it stores were set; they were ignored.")
        values = np.bitwise_and(values, np.uint16(top), out=_in_place(values))
    return np.bitwise_xor(values, np.uint16(half), out=_in_place(values)) if structure.signed else values


def _in_place(values: Pixels) -> Pixels | None:
    """Where to write what `values` become: over them, if that may be; nobody needs what was decoded any more."""
    return values if values.flags.writeable else None


def _clipped(samples: Array, structure: Structure, *, precision: int) -> Pixels:
    """A lossy codec overshoots: 1024 in an image of 10 bits is a little more than white, and must not become black."""
    bits = structure.stored
    values = samples.astype(np.int32)
    if not structure.signed:
        return np.clip(values, 0, (1 << bits) - 1).astype(np.uint16)
    if samples.dtype.kind == "u":  # two's complement in as many bits as the stream has
        values -= (values & (1 << (precision - 1))) << 1
    half = 1 << (bits - 1)
    return (np.clip(values, -half, half - 1) + half).astype(np.uint16)


def _shift(structure: Structure, values: Pixels, *, precision: int) -> int:
    """How many bits lie below the stored ones. A High Bit that nothing in the pixels bears out is a slip of the pen."""
    shift = structure.high_bit + 1 - structure.stored
    if shift <= 0 or precision <= structure.stored:
        return 0
    if int(values.max()) >> structure.stored == 0 and bool((values & np.uint16((1 << shift) - 1)).any()):
        structure.parsed.warn("The file's High Bit contradicts its pixels; the lowest bits were read.")
        return 0
    return shift


def _declares_overlay(structure: Structure) -> bool:
    return any(tag >> 16 & 0xFF00 == 0x6000 and tag & 0xFFFF == 0x0102 for tag in structure.parsed.elements)


def _rescale(structure: Structure, dataset: Dataset) -> tuple[float, float]:
    """Slope and intercept (PS3.3 C.11.1.1.2). Raises InputUnreadable where they are no numbers."""
    found = {}
    for tag, keyword in ((0x00281053, "RescaleSlope"), (0x00281052, "RescaleIntercept")):
        value = decimal(dataset.get(keyword))
        if value is None and structure.parsed.text(tag):
            raise damaged("Its Rescale Slope or Intercept (0028,1053) is no number.")
        found[keyword] = value
    slope, intercept = found["RescaleSlope"], found["RescaleIntercept"] or 0.0
    if slope == 0:
        structure.parsed.warn("The file's Rescale Slope is 0; its stored values were read as they are.")
        return 1.0, 0.0
    return (1.0 if slope is None else slope), intercept

"""From stored values to the processor's working range: 0 is the field's darkest, 1 its brightest part, bone is bright.

Processed input passes a straight line (or the source's own non-linear VOI, which is part of what the picture means),
raw input the logarithm of the beam's intensity. Values outside 0…1 are kept, never clipped here.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image import order
from fullfield.image.collimation import Field
from fullfield.image.image import HighValues, Image, InputKind, Relationship, Voi, VoiTable
from fullfield.image.pyramid import Plane
from fullfield.image.values import Window

SAMPLES = 1 << 18
"""Pixels that percentiles are taken from, spread evenly over the whole image; more only cost time."""

VALUES = np.arange(1 << 16, dtype=np.uint16)
"""All that a pixel can be."""

_VOI_SHARE = 0.9  # of a non-linear VOI; the rest is a straight line, so that no two values become one
_LEAST_BEAM = 0.5  # counts: the quantisation of a linear detector, below which a logarithm means nothing


class Range(Protocol):
    """Percentiles of the field that become 0 and 1, such as a preset's."""

    @property
    def range_low(self) -> float: ...

    @property
    def range_high(self) -> float: ...


@dataclass(frozen=True, kw_only=True, eq=False)
class Curve:
    """What a stored value means before it is scaled: `sign` · value, or `table[value]`; rises towards bone."""

    sign: float
    table: NDArray[np.float32] | None
    warnings: tuple[str, ...] = ()

    def __call__(self, values: NDArray[np.uint16] | NDArray[np.float32]) -> NDArray[np.float32]:
        """The curve at some values; between two entries of the table the nearer one is taken."""
        if self.table is None:
            return values.astype(np.float32) * np.float32(self.sign)
        places = np.clip(np.rint(values), 0, self.table.size - 1).astype(np.intp)
        return self.table[places]


@dataclass(frozen=True, kw_only=True, eq=False)
class Tone:
    """`table`: x of each of the 65,536 values. `step`: one count of the source in x, as a mean over the range.

    `flat`: every pixel has the same value, so there is nothing to enhance.
    """

    table: NDArray[np.float32]
    step: float
    flat: bool = False

    def apply(self, values: NDArray[np.uint16], out: Plane | None = None) -> Plane:
        """x of some rows, written into `out` where that is given."""
        return np.asarray(cv2.LUT(values, self.table, dst=out), np.float32)


def curve(image: Image) -> Curve:
    """The curve of `image`: the beam's logarithm, the source's own non-linear VOI, or nothing but the polarity."""
    sign = -1.0 if image.beam is HighValues.BRIGHT else 1.0
    if image.kind is InputKind.RAW:
        return _raw_curve(image, sign)
    table = _voi_table(image.voi[0], image.top) if image.voi else None
    if table is None:
        return Curve(sign=sign, table=None)
    steps = np.diff(table)
    if not np.isfinite(table).all() or (steps.min(initial=0) < -1e-6 and steps.max(initial=0) > 1e-6):
        return Curve(sign=sign, table=None, warnings=("The source's VOI LUT is not monotonic; it was not used.",))
    falling = bool(table[-1] < table[0])
    line = np.linspace(float(falling), float(not falling), table.size)
    mixed = _VOI_SHARE * table + (1 - _VOI_SHARE) * line
    return Curve(sign=sign, table=(sign * mixed).astype(np.float32))


def measure(image: Image, wanted: Range, values: Curve, field: Field) -> Tone:
    """How `image` is scaled: percentiles of its field, its direct exposure and its default window taken together."""
    pixels, inside = sampled(image.pixels, field)
    sample = values(pixels)
    low, high = _ends(sample, inside, wanted)
    if values.table is None and values.sign > 0:
        low, high = _with_window(low, high, image.voi, sample)
    if field.floor is not None and field.floor < high:
        low = max(low, field.floor)
    if not high > low:
        return Tone(table=np.zeros(VALUES.shape, np.float32), step=0.0, flat=True)
    scale, offset = 1.0 / (high - low), -low / (high - low)
    if values.table is None:
        line = VALUES * np.float32(values.sign * scale) + np.float32(offset)
        return Tone(table=line.astype(np.float32), step=scale)
    table = (values.table * np.float32(scale) + np.float32(offset)).astype(np.float32)
    table = np.pad(table, (0, VALUES.size - table.size), mode="edge")
    used = pixels[inside] if inside.any() else pixels
    counts = max(float(np.ptp(used)), 1.0)
    return Tone(table=table, step=float(np.ptp(table[used])) / counts)


def sampled(pixels: NDArray[np.uint16], field: Field) -> tuple[NDArray[np.uint16], NDArray[np.bool_]]:
    """Pixels spread evenly over the whole image, and which of them lie in the field."""
    stride = max(1, math.isqrt(pixels.size // SAMPLES))
    rows, columns = (np.arange(stride // 2 if side > stride else 0, side, stride) for side in pixels.shape)
    sample = pixels[np.ix_(rows, columns)]
    (high, wide), (down, across) = pixels.shape, field.image.shape
    inside = field.image[np.ix_(rows * down // high, columns * across // wide)]
    return sample.ravel(), inside.ravel()


def _ends(values: NDArray[np.float32], inside: NDArray[np.bool_], wanted: Range) -> tuple[float, float]:
    """The values that become 0 and 1: percentiles of the field, of everything, or the extremes, whichever differ."""
    percents = [wanted.range_low, wanted.range_high]
    for part in (values[inside], values):
        if part.size:
            low, high = order.percentiles(part, percents)
            if high > low:
                return low, high
    return float(values.min()), float(values.max())


def _with_window(low: float, high: float, voi: tuple[Voi, ...], values: NDArray[np.float32]) -> tuple[float, float]:
    """The percentiles united with the source's default window, which is only a hint: it never leaves the data."""
    if voi and isinstance(voi[0], Window):
        lowest, highest = float(values.min()), float(values.max())
        if lowest < voi[0].high and voi[0].low < highest:
            return min(low, max(voi[0].low, lowest)), max(high, min(voi[0].high, highest))
    return low, high


def _voi_table(voi: Voi, top: int) -> NDArray[np.float64] | None:
    """A non-linear VOI as a table over 0 … top; None for a linear window."""
    if isinstance(voi, VoiTable):
        return voi.table[np.clip(np.arange(top + 1) - voi.first, 0, voi.table.size - 1)].astype(np.float64)
    if voi.sigmoid and voi.high > voi.low:
        centre, width = (voi.low + voi.high) / 2, voi.high - voi.low  # PS3.3 C.11.2.1.3.1
        table: NDArray[np.float64] = 1 / (1 + np.exp(np.clip(-4 * (np.arange(top + 1) - centre) / width, -60, 60)))
        return table
    return None


def _raw_curve(image: Image, sign: float) -> Curve:
    """Attenuation from a detector's values: −log of the beam's intensity, which falls as bone brightens."""
    if image.relationship is Relationship.LOGARITHMIC:
        return Curve(sign=sign, table=None)
    beam = image.exposure(np.arange(image.top + 1, dtype=np.float64))
    warnings: tuple[str, ...] = ()
    if image.relationship is Relationship.UNKNOWN:
        warnings = ("The raw image does not say how its values relate to the beam; linear was assumed.",)
    return Curve(sign=1.0, table=-np.log(np.maximum(beam, _LEAST_BEAM)).astype(np.float32), warnings=warnings)


__all__ = ["SAMPLES", "VALUES", "Curve", "Tone", "curve", "measure", "sampled"]

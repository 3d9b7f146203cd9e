"""How an image becomes the network's input in 0…1, and how the network's output becomes pixels: the same in training
and in enhancing.

The way in is one table over all 65,536 stored values, made from robust percentiles of the *whole* image (never of a
tile, or tiles would differ), with padding kept out of the statistics. A table costs no second copy of the image, and
tiles that use it agree exactly. High stays bright, and bone is bright: an image that is rendered as a negative
(`Image.beam` is BRIGHT) is turned on its way in and turned back on its way out. Raw pixels that are linear in exposure
are brought to attenuation, −log(exposure), first (Beer-Lambert); no other pixels are, least of all those already
processed for display.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.checked import Fields
from fullfield.image import collimation, preset_tone, tone
from fullfield.image.image import HighValues, Image, InputKind, Pixels, Relationship

VALUES = 1 << 16
CONSTANT = 0.5  # the input of an image that has one value only
MINIMAL_BITS = 12  # of an output: an 8-bit source's enhanced grey levels need more than 8

_LEAST_MEDIAN = 0.02  # a darker one is brought up as this one is: the open beam must stay dark
_BAND_PIXELS = 1 << 20  # counted at a time, for bincount widens its input to 64 bits

Unit = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Normalisation:
    """The parameters of the way in, as recorded in a model's card.

    `low_percent`, `high_percent`: the percentiles that become 0 and 1; what lies beyond is clipped.
    `logarithm`: raw pixels that are linear in exposure become attenuation first. `by_anatomy`: the percentiles are
    those of the anatomy's field, on the conventional processor's own scale. `median`: where the anatomy's median then
    comes to lie, as the processor's gradation brings it there: of raw images whole, of others by `PULL`; 0: it stays.
    `preset_tone`: instead of all this, the values are the logits that the general preset gives large areas of each grey
    level (`image.preset_tone`).
    """

    low_percent: float = 0.1
    high_percent: float = 99.9
    logarithm: bool = True
    by_anatomy: bool = False
    median: float = 0.0
    preset_tone: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.low_percent < self.high_percent <= 100:
            raise ValueError(f"percentiles {self.low_percent} and {self.high_percent}, wanted 0 ≤ low < high ≤ 100")
        if not 0 <= self.median < 1:
            raise ValueError(f"median {self.median}, wanted 0 ≤ median < 1")

    @property
    def range_low(self) -> float:
        """See `tone.Range`."""
        return self.low_percent

    @property
    def range_high(self) -> float:
        """See `tone.Range`."""
        return self.high_percent

    @property
    def sentence(self) -> str:
        """For a recipe."""
        if self.preset_tone:
            return "the tone of the general preset"
        of = " of the anatomy's field" if self.by_anatomy else ""
        at = f", its median at {self.median:g}" if self.median else ""
        return f"percentiles {self.low_percent:g} and {self.high_percent:g}{of}{at}"

    def to_json(self) -> Fields:
        """Plain values for a card; what an earlier version did not know is left out where it is not used."""
        values = asdict(self)
        for name in ("by_anatomy", "median", "preset_tone"):
            if not values[name]:
                del values[name]
        return values

    @classmethod
    def from_json(cls, values: Fields) -> Normalisation:
        """What `to_json` gave. Raises TypeError or ValueError where a field is unknown or out of range."""
        unknown = set(values) - {item.name for item in fields(cls)}
        if unknown:
            raise ValueError(f"normalisation: unknown {', '.join(sorted(unknown))}")
        return cls(
            low_percent=float(values.get("low_percent", cls.low_percent)),
            high_percent=float(values.get("high_percent", cls.high_percent)),
            logarithm=bool(values.get("logarithm", cls.logarithm)),
            by_anatomy=bool(values.get("by_anatomy", cls.by_anatomy)),
            median=float(values.get("median", cls.median)),
            preset_tone=bool(values.get("preset_tone", cls.preset_tone)),
        )


PULL = {InputKind.RAW: 1.0, InputKind.PROCESSED: 0.6}
"""Of the anatomy's median to where it is wanted, by the general presets."""
DEFAULT = Normalisation()
BY_PRESET = Normalisation(preset_tone=True)
"""Of map networks; cards of the first ones say that they see the range `by_anatomy`."""


def input_table(image: Image, normalisation: Normalisation = DEFAULT) -> Unit:
    """The table (65,536 float32 in 0…1) whose entry at a stored value is the network's input.

    Values of padding become 0. An image of one value becomes `CONSTANT`; where the percentiles coincide (a few
    pixels on a flat ground) the extremes take their place.
    """
    if normalisation.preset_tone:
        return _preset_table(image)
    if normalisation.by_anatomy:
        return _anatomy_table(image, normalisation)
    counts = _histogram(image.pixels)
    if image.padding is not None:
        inside = counts.copy()
        inside[image.padding[0] : image.padding[1] + 1] = 0
        counts = inside if inside.any() else counts
    present = np.flatnonzero(counts)
    linear_in_exposure = image.kind is InputKind.RAW and image.relationship is Relationship.LINEAR
    logarithm = normalisation.logarithm and linear_in_exposure
    scale = _attenuation(image) if logarithm else np.arange(VALUES, dtype=float)

    low, high = (
        scale[_percentile(counts, percent)] for percent in (normalisation.low_percent, normalisation.high_percent)
    )
    if high <= low:
        low, high = scale[present[0]], scale[present[-1]]
    if high <= low:
        table = np.full(VALUES, CONSTANT, np.float32)
    else:
        table = np.clip((scale - low) / (high - low), 0.0, 1.0).astype(np.float32)
    if image.beam is HighValues.BRIGHT:
        table = 1 - table
    if image.padding is not None:
        table[image.padding[0] : image.padding[1] + 1] = 0.0
    return table


def _anatomy_table(image: Image, normalisation: Normalisation) -> Unit:
    curve = tone.curve(image)
    field = collimation.find(image, curve)
    scale = tone.measure(image, normalisation, curve, field)
    if scale.flat:
        table = np.full(VALUES, CONSTANT, np.float32)
    else:
        table = np.clip(scale.table, 0.0, 1.0)
        if normalisation.median:
            seen = collimation.reduce(image.pixels, field.step)[field.anatomy]
            table = _brought(table, table[np.rint(seen).astype(np.intp)], normalisation.median, PULL[image.kind])
    if image.padding is not None:
        table[image.padding[0] : image.padding[1] + 1] = 0.0
    return table


def _preset_table(image: Image) -> Unit:
    table = preset_tone.table(image)
    if table is None:
        table = np.full(VALUES, CONSTANT, np.float32)
    if image.padding is not None:
        table[image.padding[0] : image.padding[1] + 1] = 0.0
    return table


def _brought(table: Unit, anatomy: Unit, wanted: float, pull: float) -> Unit:
    """The values 0…1 with the anatomy's median nearer to `wanted`: all logits are shifted by one number, so black and
    white stay."""
    median = min(max(float(np.median(anatomy)), _LEAST_MEDIAN), 1 - _LEAST_MEDIAN)
    wanted = median + pull * (wanted - median)
    factor = np.float32(wanted / (1 - wanted) * (1 - median) / median)
    return np.asarray(factor * table / (1 + (factor - 1) * table), np.float32)


def to_input(image: Image, normalisation: Normalisation = DEFAULT) -> Unit:
    """The whole image as the network's input: float32 (rows, columns) in 0…1. Normalise first, resample after."""
    return input_table(image, normalisation)[image.pixels]


def to_target(image: Image) -> Unit:
    """A reference image as the network's wanted output: float32 in 0…1, the inverse of `to_pixels`."""
    values = image.pixels.astype(np.float32) / np.float32(image.top)
    return 1 - values if image.beam is HighValues.BRIGHT else values


def output_bits(image: Image) -> int:
    """The bits of an enhanced image: those of its source, at least twelve."""
    return max(MINIMAL_BITS, image.bits)


def to_pixels(output: Unit, bits: int, into: Pixels | None = None, *, beam: HighValues = HighValues.DARK) -> Pixels:
    """The network's output in 0…1 as pixels in 0 … 2**bits − 1, rounded; written into `into` where that is given.

    `beam`: the source image's, whose rendering is kept. What is not finite becomes 0; `output` is left as it is.
    """
    if not np.isfinite(output).all():
        output = np.nan_to_num(output, nan=0.0, posinf=1.0, neginf=0.0)
    top = (1 << bits) - 1
    slope, offset = (-top, top) if beam is HighValues.BRIGHT else (top, 0)
    held = np.clip(output, np.float32(0), np.float32(1))
    into = np.empty(output.shape, np.uint16) if into is None else into
    cv2.addWeighted(held, slope, held, 0, offset, dst=into, dtype=cv2.CV_16U)
    return into


def is_padding(image: Image, pixels: Pixels) -> NDArray[np.bool_] | None:
    """Where `pixels` (a part of the image's) are no image; None where the image has no padding."""
    if image.padding is None:
        return None
    return (pixels >= image.padding[0]) & (pixels <= image.padding[1])


def extremes(image: Image) -> tuple[int, int]:
    """The smallest and the largest value of what is image; of all where everything is padding."""
    padding = is_padding(image, image.pixels)
    inside = image.pixels if padding is None or padding.all() else image.pixels[~padding]
    return int(inside.min()), int(inside.max())


def _histogram(pixels: Pixels) -> NDArray[np.int64]:
    """How often each of the 65,536 values occurs."""
    counts = np.zeros(VALUES, np.int64)
    rows = max(1, _BAND_PIXELS // pixels.shape[1])
    for first in range(0, pixels.shape[0], rows):
        counts += np.bincount(pixels[first : first + rows].ravel(), minlength=VALUES)
    return counts


def _percentile(counts: NDArray[np.int64], percent: float) -> int:
    """The smallest value that at least `percent` of the counted pixels do not exceed."""
    cumulated = np.cumsum(counts)
    wanted = max(1.0, percent / 100.0 * float(cumulated[-1]))
    return int(np.searchsorted(cumulated, wanted - 1e-6, side="left"))


def _attenuation(image: Image) -> NDArray[np.float64]:
    """A table that rises with the stored value: −log of exposure where more beam is dark, log where it is bright.

    One count is added, for a dead pixel has none.
    """
    values = np.clip(np.arange(VALUES, dtype=float), 0.0, image.top)
    if image.beam is HighValues.BRIGHT:
        return np.asarray(np.log((values + 1.0) / (image.top + 1.0)))
    return np.asarray(-np.log((image.top - values + 1.0) / (image.top + 1.0)))

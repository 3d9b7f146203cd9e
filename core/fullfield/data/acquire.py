"""Raw-like images from processed ones: what a detector might have given before the display processing.

Per image, from a seed: inverse gradation → attenuation over a span of e-folds → exposure → detector blur → scatter
veil → quantum and electronic noise → logarithm → 12 to 16 bits of a wider latitude. High stays bright: stored values
grow with attenuation as brightness does (and with exposure where the image is a negative), so input and reference have
one polarity.

The ranges are those that looked right on skulls, chests, panoramics and mammograms in a first trial (QUALITY of the
project's guide); below about 4,000 quanta images get grainy. A simulation stands in for raw files; it is no detector.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fullfield.image import normalise, resample
from fullfield.image.image import HighValues, Image, InputKind, Relationship

_STREAM = 0xACC01  # keeps this chance apart from others of the same seed
Float = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Acquisition:
    """One simulated exposure.

    `slope`: of the display's sigmoid, undone. `span`: e-folds of exposure between white and black.
    `scatter`: veil relative to the primary; `radius`: its standard deviation as a share of the longer side.
    `blur`: of the detector, standard deviation in pixels. `quanta`: at unattenuated exposure, per pixel.
    `electronic`: noise, in quanta. `bits`, `latitude` (e-folds that all bits span) and `offset` (share of the bits
    below direct exposure): how the logarithm is stored.
    """

    slope: float
    span: float
    scatter: float
    radius: float
    blur: float
    quanta: float
    electronic: float
    bits: int
    latitude: float
    offset: float


def draw(seed: int, key: str) -> Acquisition:
    """The exposure of the image `key` (hexadecimal): the same for the same seed, whatever else is drawn."""
    chance = _chance(seed, key, 0)
    return Acquisition(
        slope=chance.uniform(2.5, 5.0),
        span=chance.uniform(6.5, 9.5),
        scatter=chance.uniform(0.09, 0.6),
        radius=chance.uniform(0.05, 0.12),
        blur=chance.uniform(0.4, 0.9),
        quanta=math.exp(chance.uniform(math.log(2_000), math.log(20_000))),
        electronic=chance.uniform(1.0, 4.0),
        bits=int(chance.integers(12, 17)),
        latitude=chance.uniform(9.0, 13.0),
        offset=chance.uniform(0.02, 0.2),
    )


def reduced(acquisition: Acquisition, factor: float) -> Acquisition:
    """The same exposure on pixels that each stand for `factor`² of the detector's: an average has more quanta, and a
    blur of fewer pixels. Simulating a small image so equals simulating the large one and reducing it."""
    return replace(
        acquisition,
        quanta=acquisition.quanta * factor**2,
        electronic=acquisition.electronic * factor,
        blur=acquisition.blur / factor,
    )


def simulate(image: Image, acquisition: Acquisition, *, seed: int, key: str) -> Image:
    """The raw-like image of a processed one: same matrix and spacing, `kind` raw, logarithmic, high = bright."""
    chance = _chance(seed, key, 1)
    displayed = _displayed(image, chance)
    negative = image.beam is HighValues.BRIGHT
    attenuation = _inverse_gradation(1 - displayed if negative else displayed, acquisition.slope)
    attenuation *= np.float32(acquisition.span)
    exposure = resample.smooth(np.exp(-attenuation), acquisition.blur)
    # Scatter comes from tissue, not from the open beam beside it: the mean is that of attenuation. (The mean of
    # exposure would let direct exposure burn the mediastinum and the skull, as no detector shows them.)
    veil = np.exp(-resample.smooth(attenuation, acquisition.radius * max(attenuation.shape)))
    reached = (exposure + np.float32(acquisition.scatter) * veil) / np.float32(1.0 + acquisition.scatter)
    quanta = chance.poisson(reached * acquisition.quanta).astype(np.float32)
    quanta += chance.normal(0.0, acquisition.electronic, quanta.shape).astype(np.float32)
    logarithm = -np.log(np.maximum(quanta, 1.0) / np.float32(acquisition.quanta))
    top = (1 << acquisition.bits) - 1
    stored = top * (acquisition.offset + logarithm / acquisition.latitude)
    stored = top - stored if negative else stored
    return replace(
        image,
        pixels=np.clip(np.rint(stored), 0, top).astype(np.uint16),
        bits=acquisition.bits,
        kind=InputKind.RAW,
        kind_reason="It was simulated from a processed image.",
        relationship=Relationship.LOGARITHMIC,
        voi=(),
        padding=None,
    )


def _displayed(image: Image, chance: np.random.Generator) -> Float:
    """The image's values in 0…1, each spread over its own grey level: an 8-bit source would leave steps. Padding is as
    what got most of the beam."""
    spread = chance.random(image.pixels.shape, np.float32)
    low, high = map(float, normalise.extremes(image))
    span = max(high - low, image.top / 8.0)  # an image of few values is not stretched to black and white
    values = image.pixels.astype(np.float32)
    padding = normalise.is_padding(image, image.pixels)
    if padding is not None:
        values[padding] = high if image.beam is HighValues.BRIGHT else low
    return np.asarray((values - low + spread) / np.float32(span + 1.0), np.float32)


def _inverse_gradation(displayed: Float, slope: float) -> Float:
    """x of displayed = (σ(s·(x − ½)) − σ(−s/2)) / (σ(s/2) − σ(−s/2)), the display's sigmoid from 0…1 to 0…1."""
    edge = 1.0 / (1.0 + math.exp(slope / 2.0))
    level = np.clip(edge + displayed * (1.0 - 2.0 * edge), edge, 1.0 - edge)
    return np.asarray(0.5 + np.log(level / (1.0 - level)) / slope, np.float32)


def _chance(seed: int, key: str, part: int) -> np.random.Generator:
    return np.random.default_rng([_STREAM, seed, int(key[:16], 16), part])

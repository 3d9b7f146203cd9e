"""The arrays of one pair, at the training size, and what is wrong with them.

An image enters as the kinds of input that the model is to be used on (`fullfield.data.kinds`): as it is, or, where it
is processed, as a raw image that is simulated from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from fullfield.data import acquire, quality
from fullfield.data.prepared import Unit
from fullfield.image import normalise, resample
from fullfield.image.cache import Decoded
from fullfield.image.image import HighValues, Image, InputKind
from fullfield.image.normalise import DEFAULT, Normalisation

SHORTEST = 89  # pixels: a narrower image cannot be mirrored to the 176 that MS-SSIM needs

Inputs = Mapping[InputKind, Unit]


@dataclass(frozen=True, kw_only=True, eq=False)
class Planes:
    """The arrays of a pair before they are stored: `inputs` by their kind, one or both; `problems` as (kind, text,
    fatal). `simulated`: its raw input is."""

    inputs: Inputs
    reference: Unit
    mm_per_pixel: float | None
    simulated: bool
    made_by: str
    problems: tuple[tuple[str, str, bool], ...]

    @property
    def arrays(self) -> tuple[Unit, ...]:
        """As they are stored (`prepared.PARTS`): the first input, the reference, and the other input where there is."""
        first, *more = self.inputs.values()
        return (first, self.reference, *more)


@dataclass(frozen=True, kw_only=True)
class Way:
    """How arrays are made. `kinds`: of the inputs; `size`: the longer side, None for native; `seed`, `key`: of what is
    simulated, see `acquire`; `normalisation`: of all inputs."""

    kinds: tuple[InputKind, ...]
    size: int | None
    seed: int
    key: str
    normalisation: Normalisation = DEFAULT

    def inputs(self, image: Image, plain: Unit) -> Inputs:
        """The inputs of `image`; `plain`: what it is as it is, at the training size."""
        return {
            kind: plain if kind is image.kind else normalise.to_input(self.raw_like(image), self.normalisation)
            for kind in self.kinds
        }

    def raw_like(self, image: Image) -> Image:
        """A raw image at the training size, as if the detector had all of the image's pixels and was then reduced."""
        small = resample.at_size(image, self.size)
        factor = max(1.0, image.pixels.shape[0] / small.pixels.shape[0])
        exposure = acquire.reduced(acquire.draw(self.seed, self.key), factor)
        return acquire.simulate(small, exposure, seed=self.seed, key=self.key)


def from_pair(source: Image, reference: Image, way: Way) -> Planes:
    """Both at the training size: the input normalised first, so that its percentiles are those of the whole image."""
    shape = resample.fitted((source.pixels.shape[0], source.pixels.shape[1]), way.size)
    plain = resample.resample(normalise.to_input(source, way.normalisation), shape)
    wanted = resample.resample(stretched(reference), shape)
    return _checked(way.inputs(source, plain), wanted, source, made_by="the data's own pairs")


def from_single(decoded: Decoded, make: Callable[[Image], tuple[Unit, str]], way: Way, *, processes: bool) -> Planes:
    """`make` gives the reference of an image, and who made it. It is processed at the training size, so that detail is
    enhanced on pixels that the network sees. `processes`: the conventional processor makes the reference."""
    image = resample.at_size(decoded.image, way.size)
    wanted, made_by = make(image)
    blocky = image.kind is InputKind.PROCESSED and processes and quality.blockiness(image.pixels)
    inputs = way.inputs(decoded.image, normalise.to_input(image, way.normalisation))
    planes = _checked(inputs, wanted, image, made_by=made_by)
    if blocky and blocky > quality.BLOCKY:
        text = "shows JPEG blocks, which the processor would amplify; train at a smaller size, or on the image itself."
        return replace(planes, problems=(*planes.problems, ("blocky", text, True)))
    return planes


def _checked(inputs: Inputs, wanted: Unit, source: Image, *, made_by: str) -> Planes:
    problems = []
    if min(wanted.shape) < SHORTEST:
        text = f"is {min(wanted.shape)} pixels wide at this size; MS-SSIM needs {SHORTEST}: choose a larger size."
        problems.append(("narrow", text, True))
    alike = min(quality.likeness(plane, wanted) for plane in inputs.values())
    if alike < quality.INVERTED:
        text = "is of opposite polarity to its reference, where MS-SSIM has no gradient; invert one of the two."
        problems.append(("inverted", text, True))
    elif alike < quality.UNLIKE:
        problems.append(("unlike", "hardly resembles its reference: do the two belong together?", False))
    return Planes(
        inputs=inputs,
        reference=wanted,
        mm_per_pixel=_scale(source, (wanted.shape[0], wanted.shape[1])),
        simulated=any(kind is not source.kind for kind in inputs),
        made_by=made_by,
        problems=tuple(problems),
    )


def stretched(reference: Image) -> Unit:
    """A reference file in 0…1, bone bright, from its smallest to its largest value: its bits may be far from used.
    Padding is black, and is none of these values."""
    low, high = normalise.extremes(reference)
    values = (reference.pixels.astype(np.float32) - low) / np.float32(max(high - low, 1))
    return padding_black(1 - values if reference.beam is HighValues.BRIGHT else values, reference)


def padding_black(plane: Unit, image: Image) -> Unit:
    """`plane`, of `image`, as an input shows padding."""
    padding = normalise.is_padding(image, image.pixels)
    return np.asarray(plane if padding is None else np.where(padding, np.float32(0), plane))


def _scale(image: Image, shape: tuple[int, int]) -> float | None:
    if image.spacing_mm is None:
        return None
    rows: int = image.pixels.shape[0]
    return sum(image.spacing_mm) / 2 * rows / shape[0]

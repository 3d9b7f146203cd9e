"""The two arrays of one pair, at the training size, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from fullfield.data import acquire, quality
from fullfield.data.prepared import Unit
from fullfield.dicom.cache import Decoded
from fullfield.image import normalise, resample
from fullfield.image.image import HighValues, Image, InputKind

SHORTEST = 89  # pixels: a narrower image cannot be mirrored to the 176 that MS-SSIM needs


@dataclass(frozen=True, kw_only=True, eq=False)
class Planes:
    """Both arrays of a pair before they are stored; `problems` as (kind, text, fatal)."""

    input: Unit
    reference: Unit
    kind: InputKind
    mm_per_pixel: float | None
    simulated: bool
    made_by: str
    problems: tuple[tuple[str, str, bool], ...]


def from_pair(source: Image, reference: Image, *, size: int | None) -> Planes:
    """Both at the training size: the input normalised first, so that its percentiles are those of the whole image."""
    shape = resample.fitted((source.pixels.shape[0], source.pixels.shape[1]), size)
    plane = resample.resample(normalise.to_input(source), shape)
    wanted = resample.resample(stretched(reference), shape)
    return _checked(plane, wanted, source.kind, _scale(source, shape), simulated=False, made_by="the data's own pairs")


def from_single(
    decoded: Decoded,
    make: Callable[[Image], tuple[Unit, str]],
    key: str,
    *,
    size: int | None,
    seed: int,
    processes: bool,
) -> Planes:
    """`make` gives the reference of an image, and who made it. It is processed at the training size, so that detail is
    enhanced on pixels that the network sees; an image that is for display is simulated to raw, as if the detector had
    all of its pixels and was then reduced. `processes`: the conventional processor makes the reference."""
    image = resample.at_size(decoded.image, size)
    wanted, made_by = make(image)
    blocky = image.kind is InputKind.PROCESSED and processes and quality.blockiness(image.pixels)
    simulated = image.kind is InputKind.PROCESSED
    source = _raw_like(decoded.image, image, seed=seed, key=key) if simulated else image
    planes = _checked(
        normalise.to_input(source),
        wanted,
        source.kind,
        _scale(image, (image.pixels.shape[0], image.pixels.shape[1])),
        simulated=simulated,
        made_by=made_by,
    )
    if blocky and blocky > quality.BLOCKY:
        text = "shows JPEG blocks, which the processor would amplify; train at a smaller size, or on the image itself."
        return replace(planes, problems=(*planes.problems, ("blocky", text, True)))
    return planes


def _raw_like(large: Image, small: Image, *, seed: int, key: str) -> Image:
    factor = max(1.0, large.pixels.shape[0] / small.pixels.shape[0])
    return acquire.simulate(small, acquire.reduced(acquire.draw(seed, key), factor), seed=seed, key=key)


def _checked(
    plane: Unit, wanted: Unit, kind: InputKind, mm_per_pixel: float | None, *, simulated: bool, made_by: str
) -> Planes:
    problems = []
    if min(plane.shape) < SHORTEST:
        text = f"is {min(plane.shape)} pixels wide at this size; MS-SSIM needs {SHORTEST}: choose a larger size."
        problems.append(("narrow", text, True))
    alike = quality.likeness(plane, wanted)
    if alike < quality.INVERTED:
        text = "is of opposite polarity to its reference, where MS-SSIM has no gradient; invert one of the two."
        problems.append(("inverted", text, True))
    elif alike < quality.UNLIKE:
        problems.append(("unlike", "hardly resembles its reference: do the two belong together?", False))
    return Planes(
        input=plane,
        reference=wanted,
        kind=kind,
        mm_per_pixel=mm_per_pixel,
        simulated=simulated,
        made_by=made_by,
        problems=tuple(problems),
    )


def stretched(reference: Image) -> Unit:
    """A reference file in 0…1, bone bright, from its smallest to its largest value: its bits may be far from used."""
    low, high = int(reference.pixels.min()), int(reference.pixels.max())
    values = (reference.pixels.astype(np.float32) - low) / np.float32(max(high - low, 1))
    return np.asarray(1 - values if reference.beam is HighValues.BRIGHT else values)


def _scale(image: Image, shape: tuple[int, int]) -> float | None:
    if image.spacing_mm is None:
        return None
    rows: int = image.pixels.shape[0]
    return sum(image.spacing_mm) / 2 * rows / shape[0]

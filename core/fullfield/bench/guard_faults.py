"""Faults that a result may have, made on purpose: what the guards of `image.guards` are held against.

A fault takes the sound result and gives the faulty one; both are fractions of white at native size. Those that take a
finding away need the result of the image without it as well: the finding is in the source, and fades in the result. A
method that says what it did can hide by that itself: its gains are lowered, and the picture is made of those.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from fullfield.data.scenes import signals
from fullfield.data.scenes.signals import Signal
from fullfield.image.declared import Declared
from fullfield.image.image import Image, Pixels
from fullfield.image.pyramid import Plane

SPACING_MM = 0.15  # where an image does not say
LATITUDE = 3.0  # e-folds that a picture's range shows
TILE = 512  # pixels between the seams of tiles
LOWERED_MM = 6.0  # sigma of a spot of low gains: of the nodule, its radius
REMOVED = {
    "nodule": Signal(kind=signals.NODULE, size=12.0, contrast=0.12),
    "fracture line": Signal(kind=signals.FRACTURE, size=0.5, contrast=-0.2),
    "lung edge": Signal(kind=signals.EDGE, size=0.6, contrast=-0.08),
}

Place = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Fault:
    """`kind` and `strength` name it. `finding`: the one of `REMOVED` that fades, "" for what is drawn. `lower`: gains,
    to `strength` of what they were; it is given the place and the spot's sigma in pixels."""

    kind: str
    strength: float
    make: Callable[[Plane, np.random.Generator, Place], Plane] | None = None
    finding: str = ""
    lower: Callable[[Declared, Place, float], Declared] | None = None

    @property
    def name(self) -> str:
        """For a table."""
        return f"{self.kind} {self.strength:g}"


def faults() -> tuple[Fault, ...]:
    """All kinds in all strengths."""
    found = [Fault(kind="blur", strength=one, make=_blurred(one)) for one in (0.7, 1.0, 1.5)]
    found += [Fault(kind="texture", strength=one, make=_textured(one)) for one in (0.01, 0.02, 0.03)]
    found += [Fault(kind="halo", strength=one, make=_haloed(one)) for one in (1.2, 1.5, 2.0)]
    found += [
        Fault(kind=f"line of {width} px", strength=one, make=_lined(width, one))
        for width in (1, 2, 4)
        for one in (0.02, 0.04, 0.08)
    ]
    found += [Fault(kind="lines every 32 px", strength=one, make=_ruled(one)) for one in (0.01, 0.03)]
    found += [Fault(kind="checkerboard", strength=one, make=_checked(one)) for one in (0.01, 0.02)]
    found += [Fault(kind="tile seam", strength=one, make=_seamed(one)) for one in (0.02, 0.04)]
    found += [Fault(kind="inversion", strength=one, make=_inverted(one)) for one in (0.5, 1.0)]
    found += [Fault(kind="burn-out", strength=1.0, make=_burnt)]
    found += [
        Fault(kind=f"{finding} removed", strength=one, finding=finding)
        for finding in REMOVED
        for one in (0.5, 0.75, 1.0)
    ]
    found += [
        Fault(kind=f"{finding} under low gains", strength=one, finding=finding, lower=_lowered(one))
        for finding in REMOVED
        for one in (0.25, 0.1)
    ]
    found += [Fault(kind="finest gains low", strength=0.25, finding="nodule", lower=_softened(0.25))]
    return tuple(found)


def rebuilt(image: Image, seen: Plane, declared: Declared) -> Plane:
    """The picture in fractions of white, bone is bright, of what a method says that it did."""
    x = cv2.LUT(image.pixels, seen)
    down, right = (side - have for side, have in zip(declared.shape, x.shape, strict=True))
    planes = [cv2.copyMakeBorder(x, 0, down, 0, right, cv2.BORDER_REPLICATE)]
    for _ in declared.gains:
        planes.append(cv2.pyrDown(planes[-1]))
    z = declared.coarsest(planes[-1])
    for number, (gain, cell) in reversed(list(enumerate(zip(declared.gains, declared.cells, strict=True)))):
        size = planes[number].shape[::-1]
        band = planes[number] - cv2.pyrUp(planes[number + 1], dstsize=size)
        wide = cv2.resize(gain, None, fx=cell, fy=cell, interpolation=cv2.INTER_LINEAR)[: size[1], : size[0]]
        z = cv2.pyrUp(z, dstsize=size) + wide * band
    return np.asarray(1 / (1 + np.exp(-z[: image.pixels.shape[0], : image.pixels.shape[1]])), np.float32)


def spacing(image: Image) -> float:
    """Of its pixels, in mm."""
    return SPACING_MM if image.spacing_mm is None else sum(image.spacing_mm) / 2


def with_finding(image: Image, finding: str, place: Place) -> Image:
    """The image with the finding in its pixels, its middle at `place`."""
    stamp = signals.stamp(REMOVED[finding], spacing(image))
    top, left = place[0] - stamp.shape[0] // 2, place[1] - stamp.shape[1] // 2
    rows = slice(max(top, 0), min(top + stamp.shape[0], image.pixels.shape[0]))
    columns = slice(max(left, 0), min(left + stamp.shape[1], image.pixels.shape[1]))
    inside = stamp[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left]
    low, high = np.percentile(image.pixels[::8, ::8], [1, 99])
    pixels: Pixels = image.pixels.copy()
    changed = pixels[rows, columns] + inside * np.float32((high - low) / LATITUDE)
    pixels[rows, columns] = np.clip(np.rint(changed), 0, image.top).astype(np.uint16)
    return replace(image, pixels=pixels)


def place(result: Plane, random: np.random.Generator) -> Place:
    """Somewhere in the anatomy, not at its rim: neither black nor white far around, and not flat."""
    step = 16
    small = cv2.resize(result, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
    grey = ((small > 0.15) & (small < 0.85)).astype(np.uint8)
    grey[[0, -1]], grey[:, [0, -1]] = 0, 0
    room = cv2.distanceTransform(grey, cv2.DIST_L2, 5)
    rows, columns = np.nonzero(room >= min(6.0, 0.7 * float(room.max())))
    at = int(random.integers(rows.size))
    return int(rows[at]) * step + step // 2, int(columns[at]) * step + step // 2


def _blurred(sigma: float) -> Callable[[Plane, np.random.Generator, Place], Plane]:
    return lambda result, random, place: np.asarray(cv2.GaussianBlur(result, (0, 0), sigma), np.float32)


def _textured(strength: float) -> Callable[[Plane, np.random.Generator, Place], Plane]:
    """Worms: what is left of noise between two blurs."""

    def make(result: Plane, random: np.random.Generator, place: Place) -> Plane:
        noise = random.standard_normal(result.shape).astype(np.float32)
        worms = cv2.GaussianBlur(noise, (0, 0), 1.0) - cv2.GaussianBlur(noise, (0, 0), 2.0)
        return np.asarray(result + worms * np.float32(strength / worms.std()), np.float32)

    return make


def _haloed(strength: float) -> Callable[[Plane, np.random.Generator, Place], Plane]:
    """Unsharp masking with a square of 12 px to each side."""

    def make(result: Plane, random: np.random.Generator, place: Place) -> Plane:
        return np.asarray(result + np.float32(strength - 1) * (result - cv2.blur(result, (25, 25))), np.float32)

    return make


def _lined(width: int, strength: float) -> Callable[[Plane, np.random.Generator, Place], Plane]:
    """A straight line of any direction, a fifth of the shorter side long."""

    def make(result: Plane, random: np.random.Generator, place: Place) -> Plane:
        line, reach = np.zeros(result.shape, np.uint8), min(result.shape) / 10
        angle = random.uniform(0, np.pi)
        step = np.array([np.cos(angle), np.sin(angle)]) * reach
        ends = [tuple(int(one) for one in np.rint(np.array(place[::-1]) + sign * step)) for sign in (-1, 1)]
        cv2.line(line, ends[0], ends[1], 255, width, cv2.LINE_AA if width > 1 else cv2.LINE_8)
        return result + line.astype(np.float32) * np.float32(strength / 255)

    return make


def _ruled(strength: float) -> Callable[[Plane, np.random.Generator, Place], Plane]:
    def make(result: Plane, random: np.random.Generator, place: Place) -> Plane:
        made = result.copy()
        made[int(random.integers(32)) :: 32] += np.float32(strength)
        return made

    return make


def _checked(strength: float) -> Callable[[Plane, np.random.Generator, Place], Plane]:
    """What a transposed convolution leaves: every other pixel of every other row."""

    def make(result: Plane, random: np.random.Generator, place: Place) -> Plane:
        made = result.copy()
        made[::2, ::2] += np.float32(strength)
        made[1::2, 1::2] += np.float32(strength)
        return made

    return make


def _seamed(strength: float) -> Callable[[Plane, np.random.Generator, Place], Plane]:
    """One tile of others is brighter."""

    def make(result: Plane, random: np.random.Generator, place: Place) -> Plane:
        made = result.copy()
        top, left = (max(0, at - int(random.integers(TILE // 4, TILE * 3 // 4))) for at in place)
        made[top : top + TILE, left : left + TILE] += np.float32(strength)
        return made

    return make


def _inverted(strength: float) -> Callable[[Plane, np.random.Generator, Place], Plane]:
    """The brighter share of the tones the other way round."""

    def make(result: Plane, random: np.random.Generator, place: Place) -> Plane:
        knee = np.float32(np.quantile(result[::8, ::8], 1 - strength)) if strength < 1 else np.float32(1)
        return np.where(result > knee, 2 * knee - result, result) if strength < 1 else 1 - result

    return make


def _burnt(result: Plane, random: np.random.Generator, place: Place) -> Plane:
    """A spot as wide as a tenth of the shorter side goes white."""
    sigma = min(result.shape) / 20
    rows, columns = (
        np.exp(-0.5 * ((np.arange(side) - at) / sigma) ** 2) for side, at in zip(result.shape, place, strict=True)
    )
    return result + np.float32(1.2) * np.outer(rows, columns).astype(np.float32)


def _lowered(strength: float) -> Callable[[Declared, Place, float], Declared]:
    """On every level, in a soft spot."""

    def lower(declared: Declared, place: Place, sigma: float) -> Declared:
        gains = []
        for number, (gain, cell) in enumerate(zip(declared.gains, declared.cells, strict=True)):
            rows, columns = (
                np.exp(-0.5 * (((np.arange(side) + 0.5) * (cell << number) - at) / sigma) ** 2)
                for side, at in zip(gain.shape, place, strict=True)
            )
            gains.append(np.asarray(gain * strength ** np.outer(rows, columns), np.float32))
        return replace(declared, gains=tuple(gains))

    return lower


def _softened(strength: float) -> Callable[[Declared, Place, float], Declared]:
    return lambda declared, place, sigma: replace(
        declared, gains=(declared.gains[0] * np.float32(strength), *declared.gains[1:])
    )


__all__ = ["LOWERED_MM", "REMOVED", "Fault", "Place", "faults", "place", "rebuilt", "spacing", "with_finding"]

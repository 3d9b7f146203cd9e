"""Discs of a contrast-detail phantom: where they lie in a picture, and how well each stands out from what is around it.

They are looked for by the difference between a disc and the ring around it, at sizes that grow by a quarter. A step or
a line looks like one too, from some sides: a disc differs from every eighth of its ring, and by more than noise does.
Where lines cross that holds as well, but the ring is not the same all around.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from fullfield.errors import InputRefused
from fullfield.image import measure
from fullfield.qa.edge import Plane

SIZES_MM = tuple(float(size) for size in np.geomspace(1.0, 20.0, 14))
"""Across, that are looked for."""

MOST = 100
"""Discs that are measured."""

_CLEAR = 6.0  # times the SD of the differences
_FINE = 8  # pixels of a disc's radius where it is looked for
_RING = (1.25, 1.75)  # of the radius
_INSIDE = 0.8  # of the radius
_EVEN = 0.5  # of the contrast: what every eighth of the ring differs by at least
_ALIKE = 0.3  # of the contrast: what two opposite eighths together differ by from two others at most
_SLACK = 2.0  # times the SD of an eighth's mean
_PEAK = 0.7  # of the radius: the largest difference within it is a disc's middle
_LEAST = 5.0  # pixels across


@dataclass(frozen=True, kw_only=True)
class Disc:
    """Row and column of its middle, and its size in pixels, down and across, and in mm."""

    row: float
    column: float
    pixels: tuple[float, float]
    size_mm: float


@dataclass(frozen=True, kw_only=True)
class Seen:
    """One disc in one picture: `contrast`: its mean less its ring's, in the plane's unit; `cnr`: see `image.region`."""

    contrast: float
    cnr: float


def find(plane: Plane, spacing_mm: tuple[float, float]) -> tuple[Disc, ...]:
    """The discs of a picture, from above to below. Raises InputRefused where there is none."""
    shorter = min(side * spacing for side, spacing in zip(plane.shape, spacing_mm, strict=True))
    found: list[tuple[float, Disc]] = []
    for size in SIZES_MM:
        if _LEAST * max(spacing_mm) <= size <= 0.3 * shorter:
            found += _of_size(plane, size, (size / spacing_mm[0], size / spacing_mm[1]))
    kept: list[Disc] = []
    for _, disc in sorted(found, key=lambda one: -one[0]):
        if len(kept) < MOST and all(_apart(disc, other) for other in kept) and _stands_alone(plane, disc):
            kept.append(disc)
    if not kept:
        raise InputRefused(
            "Cannot measure the discs.",
            detail="No disc was found that stands out from all that is around it.",
            hint="Choose an image of a contrast-detail phantom; more dose makes its discs clearer.",
        )
    return tuple(sorted(kept, key=lambda disc: (disc.row, disc.column)))


def see(plane: Plane, disc: Disc) -> Seen:
    """How a disc stands out in a picture."""
    part, away, _ = around(plane, disc)
    pixel = 1 / _radius(disc)
    inside, ring = away <= _INSIDE, (away >= _RING[0] + pixel) & (away <= _RING[1] + pixel)
    contrast = float(part[inside].mean() - part[ring].mean())
    return Seen(contrast=contrast, cnr=measure.cnr(part, inside, ring))


def _of_size(plane: Plane, size: float, pixels: tuple[float, float]) -> list[tuple[float, Disc]]:
    step = max(1, int(min(pixels) / 2 / _FINE))
    shape = (plane.shape[0] // step, plane.shape[1] // step)
    small = cv2.resize(
        plane[: shape[0] * step, : shape[1] * step].astype(np.float32), shape[::-1], interpolation=cv2.INTER_AREA
    )
    radii = pixels[0] / 2 / step, pixels[1] / 2 / step
    up, aside = (math.ceil(_RING[1] * radius + 1) for radius in radii)
    y, x = np.mgrid[-up : up + 1, -aside : aside + 1]
    away = np.hypot(y / radii[0], x / radii[1])
    inside = away <= 1
    ring = (away >= _RING[0]) & (away <= _RING[1])
    kernel = (inside / inside.sum() - ring / ring.sum()).astype(np.float32)
    found = np.abs(cv2.filter2D(small, cv2.CV_32F, kernel, borderType=cv2.BORDER_REFLECT))
    sd = 1.4826 * float(np.median(found)) or float(found.std())
    sides = [2 * math.ceil(_PEAK * radius) + 1 for radius in radii]
    peak = (found == cv2.dilate(found, np.ones(sides, np.uint8))) & (found > _CLEAR * sd)
    peak[:up], peak[-up:], peak[:, :aside], peak[:, -aside:] = False, False, False, False
    return [
        (
            float(found[row, column] * size),  # what a disc of this size is seen by, in white noise
            Disc(
                row=float((row + 0.5) * step - 0.5),
                column=float((column + 0.5) * step - 0.5),
                pixels=pixels,
                size_mm=size,
            ),
        )
        for row, column in zip(*np.nonzero(peak), strict=True)
    ]


def _apart(one: Disc, other: Disc) -> bool:
    far = [0.6 * (own + others) for own, others in zip(one.pixels, other.pixels, strict=True)]
    return math.hypot((one.row - other.row) / far[0], (one.column - other.column) / far[1]) > 1


def _stands_alone(plane: Plane, disc: Disc) -> bool:
    part, away, angle = around(plane, disc)
    radius = _radius(disc)
    level = float(part[away <= _INSIDE].mean())
    ring = (away >= _RING[0]) & (away <= _RING[1] + 1 / radius)
    sixteenth = np.floor((angle + math.pi) / (math.pi / 8)).astype(np.intp) % 16
    eighths = [ring & ((sixteenth == number) | (sixteenth == (number + 1) % 16)) for number in range(16)]
    means = np.array([part[eighth].mean() for eighth in eighths])
    contrast = level - float(means.mean())
    noise = float(part[ring].std()) / math.sqrt(math.pi * (_INSIDE * radius) ** 2)  # where it lies, not everywhere
    if abs(contrast) < _CLEAR * noise:
        return False
    sd = 1.4826 * float(np.median(np.abs(part[ring] - np.median(part[ring]))))  # as if no line crossed the ring
    opposite = (means[:8] + means[8:]) / 2  # a smooth slope is in none of these
    alike = float(np.ptp(opposite)) < _ALIKE * abs(contrast) + _SLACK * sd / math.sqrt(
        np.mean([eighth.sum() for eighth in eighths])
    )
    return alike and bool(np.all((level - means) * np.sign(contrast) > _EVEN * abs(contrast)))


def _radius(disc: Disc) -> float:
    """Pixels of a circle of its area."""
    return math.sqrt(disc.pixels[0] * disc.pixels[1]) / 2


def around(plane: Plane, disc: Disc) -> tuple[Plane, Plane, Plane]:
    """The pixels around a disc, how many of its radii each lies from its middle, and in which direction."""
    up, aside = (math.ceil(_RING[1] * size / 2 + 2) for size in disc.pixels)
    rows = np.arange(max(0, round(disc.row) - up), min(plane.shape[0], round(disc.row) + up + 1))
    columns = np.arange(max(0, round(disc.column) - aside), min(plane.shape[1], round(disc.column) + aside + 1))
    down = (rows[:, None] - disc.row) / (disc.pixels[0] / 2)
    across = (columns[None, :] - disc.column) / (disc.pixels[1] / 2)
    part = plane[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return part, np.hypot(down, across), np.arctan2(down, across)


__all__ = ["MOST", "SIZES_MM", "Disc", "Seen", "around", "find", "see"]

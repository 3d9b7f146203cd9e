"""Synthetic radiographs: seeded exposures of phantoms, raw from a detector or processed as a plain system shows them.

The beam is attenuated along each path (Lambert-Beer, one effective energy each for soft tissue and bone), scattered,
blurred by the focus and the screen, counted (Poisson) and read out (electronic noise). Nothing of a patient is in them,
so tests, the README and the shipped samples use them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image.image import HighValues, Image, InputKind, Relationship
from fullfield.image.phantoms.body import Body
from fullfield.image.phantoms.chest import chest
from fullfield.image.phantoms.limbs import hand, limb
from fullfield.image.phantoms.shapes import Canvas, Plane
from fullfield.image.phantoms.skull import skull
from fullfield.image.phantoms.wedge import wedge

_SOFT = 0.19  # attenuation of soft tissue, 1/cm, near 65 keV
_BONE = 0.50  # of compact bone beyond the soft tissue it displaces, 1/cm
_DRAWN = 1024  # pixels of the longer side that bodies are drawn at; larger pictures are enlarged before the noise
_DETECTOR_BITS = 14


class PhantomKind(StrEnum):
    """What is exposed."""

    CHEST = "chest"
    HAND = "hand"
    SKULL = "skull"
    LIMB = "limb"
    WEDGE = "wedge"


@dataclass(frozen=True, kw_only=True)
class Exposure:
    """How a phantom is exposed.

    `quanta` per pixel in the open beam; `scatter` as a share of the mean signal; `blur` of focus and screen in pixels;
    `blades`: (top, bottom, left, right) of the open field as fractions of the sides.
    """

    quanta: float
    scatter: float
    blur: float
    blades: tuple[float, float, float, float] = (0.0, 1.0, 0.0, 1.0)


_BODIES: dict[PhantomKind, tuple[Callable[[Body], None], tuple[float, float]]] = {
    PhantomKind.CHEST: (chest, (40.0, 40.0)),
    PhantomKind.HAND: (hand, (25.0, 19.0)),
    PhantomKind.SKULL: (skull, (26.0, 24.0)),
    PhantomKind.LIMB: (limb, (16.0, 12.0)),
    PhantomKind.WEDGE: (wedge, (20.0, 20.0)),
}  # with the height and width of the field in centimetres

EXPOSURES: dict[PhantomKind, Exposure] = {
    PhantomKind.CHEST: Exposure(quanta=60_000, scatter=0.35, blur=0.6),
    PhantomKind.HAND: Exposure(quanta=9_000, scatter=0.08, blur=0.6),
    PhantomKind.SKULL: Exposure(quanta=40_000, scatter=0.3, blur=0.6),
    PhantomKind.LIMB: Exposure(quanta=9_000, scatter=0.08, blur=0.6, blades=(0.06, 0.95, 0.12, 0.9)),
    PhantomKind.WEDGE: Exposure(quanta=30_000, scatter=0.3, blur=0.5),
}


def raw(kind: PhantomKind, *, longer: int = 1024, seed: int = 0) -> Image:
    """A For Processing picture: 14 bits, linear in the beam, inverted so that bone is bright (as MONOCHROME1 reads).

    `longer`: pixels of the longer side. The same `kind`, `longer` and `seed` give the same pixels.
    """
    exposed, pixel = _expose(kind, longer, seed)
    top = (1 << _DETECTOR_BITS) - 1
    counts = np.clip(np.rint(exposed * (0.8 * top)), 1, top).astype(np.uint16)
    return Image(
        pixels=(top - counts).astype(np.uint16),
        bits=_DETECTOR_BITS,
        high=HighValues.DARK,
        kind=InputKind.RAW,
        kind_reason="It is a phantom's raw exposure.",
        relationship=Relationship.LINEAR,
        spacing_mm=(10 * pixel, 10 * pixel),
    )


def processed(kind: PhantomKind, *, longer: int = 1024, seed: int = 0, bits: int = 12) -> Image:
    """A For Presentation picture of the same exposure, as a plain system shows it: logarithm, window, soft sigmoid."""
    exposed, pixel = _expose(kind, longer, seed)
    attenuation = -np.log(np.maximum(exposed, 1e-5))
    top, bottom, left, right = _blades(kind, attenuation.shape)
    low, high = (float(value) for value in np.percentile(attenuation[top:bottom, left:right], [0.5, 99.5]))
    x = (attenuation - low) / max(high - low, 1e-6)
    shown = 1 / (1 + np.exp(-4.0 * (x - 0.5)))
    ends = 1 / (1 + np.exp(np.array([2.2, -2.2])))
    largest = (1 << bits) - 1
    pixels = np.clip(np.rint((shown - ends[0]) / (ends[1] - ends[0]) * largest), 0, largest).astype(np.uint16)
    return Image(
        pixels=pixels,
        bits=bits,
        high=HighValues.BRIGHT,
        kind=InputKind.PROCESSED,
        kind_reason="It is a phantom's picture for display.",
        spacing_mm=(10 * pixel, 10 * pixel),
    )


def _expose(kind: PhantomKind, longer: int, seed: int) -> tuple[Plane, float]:
    """The detector's signal, 1 in the open beam, and the pixel's size in centimetres."""
    random = np.random.default_rng([seed, sorted(PhantomKind).index(kind)])
    exposure = EXPOSURES[kind]
    draw, sides = _BODIES[kind]
    drawn = min(longer, _DRAWN)
    body = Body(Canvas(_shape(sides, drawn), max(sides) / drawn), random)
    draw(body)
    primary = np.exp(-(np.float32(_SOFT) * body.soft + np.float32(_BONE) * body.bone)).astype(np.float32)
    shape = _shape(sides, longer)
    if shape != primary.shape:
        primary = np.maximum(cv2.resize(primary, shape[::-1], interpolation=cv2.INTER_CUBIC), 0)
    top, bottom, left, right = _blades(kind, shape)
    open_field = np.full(shape, 0.004, np.float32)
    open_field[top:bottom, left:right] = 1
    primary *= cv2.GaussianBlur(open_field, (0, 0), max(longer / 700, 0.3))
    wide = cv2.GaussianBlur(cv2.resize(primary, (64, 64), interpolation=cv2.INTER_AREA), (0, 0), 5)
    veil = cv2.resize(wide, shape[::-1], interpolation=cv2.INTER_CUBIC)
    signal = primary + np.float32(exposure.scatter / (1 + exposure.scatter)) * (veil * 0.5 - 0.3 * primary)
    signal = cv2.GaussianBlur(np.maximum(signal, 0), (0, 0), exposure.blur)
    counted: NDArray[np.float32] = random.poisson(signal * exposure.quanta).astype(np.float32)
    counted += 4 * random.standard_normal(shape, dtype=np.float32)
    result = np.maximum(counted, np.float32(0.5)) / np.float32(exposure.quanta)
    return result.astype(np.float32), max(sides) / longer


def _blades(kind: PhantomKind, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """(top, bottom, left, right) of the open field in pixels."""
    top, bottom, left, right = EXPOSURES[kind].blades
    rows, columns = shape
    return round(top * rows), round(bottom * rows), round(left * columns), round(right * columns)


def _shape(sides: tuple[float, float], longer: int) -> tuple[int, int]:
    return max(1, round(sides[0] / max(sides) * longer)), max(1, round(sides[1] / max(sides) * longer))


__all__ = ["EXPOSURES", "Exposure", "PhantomKind", "processed", "raw"]

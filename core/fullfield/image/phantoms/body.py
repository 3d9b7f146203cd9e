"""A phantom's body in the making: centimetres of soft tissue and of compact bone along the beam, for each pixel.

Bodies are drawn after an atlas's proportions so that a picture of one looks like a radiograph; they are nobody's
anatomy. This file holds what all of them are made of, the others one body each.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image.phantoms.shapes import Canvas, Plane, Point, trabeculae

METAL = 25.0
"""Centimetres of bone that a lead marker attenuates like."""


@dataclass(eq=False)
class Body:
    """A body in the making on `canvas`; `soft` and `bone` are added to."""

    canvas: Canvas
    random: np.random.Generator
    soft: Plane = field(init=False)
    bone: Plane = field(init=False)

    def __post_init__(self) -> None:
        self.soft = np.zeros(self.canvas.shape, np.float32)
        self.bone = np.zeros(self.canvas.shape, np.float32)

    def spongy(self, spacing: float) -> Plane:
        """A lattice over the whole picture, cells of `spacing` centimetres."""
        return trabeculae(self.canvas.shape, max(spacing / self.canvas.pixel, 1.6), self.random)

    def long_bone(
        self, start: Point, end: Point, shaft: float, ends: tuple[float, float], *, wall: float, lattice: Plane
    ) -> None:
        """A tubular bone with flared ends, thick walls in the middle and spongy bone inside the ends."""
        a, b = np.array(start), np.array(end)
        places = np.linspace(0, 1, 9)
        points = [tuple(float(value) for value in a + (b - a) * place) for place in places]
        flare = np.abs(2 * places - 1) ** 3.0
        radii = [shaft + (ends[0] if place < 0.5 else ends[1]) * f - shaft * f for place, f in zip(places, flare)]
        walls = [wall * (1 - 0.78 * f) for f in flare]
        shell = self.canvas.tube(points, radii, shell=walls)  # type: ignore[arg-type]
        inside = self.canvas.tube(points, [r * 0.97 for r in radii]) - shell  # type: ignore[arg-type]
        along = self._along(a, b) * 2 - 1
        amount = 0.06 + 0.2 * np.clip(np.abs(along), 0, 1) ** 2.5
        self.bone += shell + np.maximum(inside, 0) * amount.astype(np.float32) * lattice

    def nodule(
        self, centre: Point, radii: tuple[float, float, float], *, degrees: float, wall: float, lattice: Plane
    ) -> None:
        """A short bone: a thin shell full of spongy bone."""
        outer = self.canvas.ellipsoid(centre, radii, degrees=degrees)
        less = tuple(max(r - wall, 0.02) for r in radii)
        inner = self.canvas.ellipsoid(centre, (less[0], less[1], less[2]), degrees=degrees)
        self.bone += np.maximum(outer - inner, 0) + inner * np.float32(0.24) * lattice

    def marker(self, letter: str, at: Point, height: float) -> None:
        """A lead letter."""
        picture = np.zeros(self.canvas.shape, np.uint8)
        scale = height / self.canvas.pixel / 22
        place = tuple(
            int(value / self.canvas.pixel + (side - 1) / 2) for value, side in zip(at, self.canvas.shape[::-1])
        )
        thickness = max(1, round(scale * 3))
        cv2.putText(picture, letter, place, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, thickness, cv2.LINE_AA)
        self.bone += picture * np.float32(METAL / 255)

    def _along(self, a: NDArray[np.float64], b: NDArray[np.float64]) -> Plane:
        step = (b - a) / float(np.sum((b - a) ** 2))
        place = (self.canvas.x - a[0]) * np.float32(step[0]) + (self.canvas.y - a[1]) * np.float32(step[1])
        clipped: Plane = np.clip(place, 0, 1).astype(np.float32)
        return clipped


def point(at: NDArray[np.float64]) -> Point:
    """A vector of two as a point."""
    return float(at[0]), float(at[1])


__all__ = ["METAL", "Body", "point"]

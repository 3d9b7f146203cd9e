"""Solids for phantoms, projected along the beam: each function returns the path length through a body, in centimetres.

Coordinates are centimetres, x to the right, y downwards, the origin in the middle of the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]
Point = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Canvas:
    """The grid that bodies are projected on: `shape` in pixels, `pixel` in centimetres."""

    shape: tuple[int, int]
    pixel: float

    @property
    def x(self) -> Plane:
        """The columns' coordinates, (1, columns)."""
        columns = self.shape[1]
        return ((np.arange(columns, dtype=np.float32) - (columns - 1) / 2) * np.float32(self.pixel))[None, :]

    @property
    def y(self) -> Plane:
        """The rows' coordinates, (rows, 1)."""
        rows = self.shape[0]
        return ((np.arange(rows, dtype=np.float32) - (rows - 1) / 2) * np.float32(self.pixel))[:, None]

    def ellipsoid(self, centre: Point, radii: tuple[float, float, float], *, degrees: float = 0.0) -> Plane:
        """Path through an ellipsoid; `radii` along its own x, its own y and the beam; turned by `degrees`."""
        angle = np.deg2rad(degrees)
        dx, dy = self.x - np.float32(centre[0]), self.y - np.float32(centre[1])
        u = (dx * np.float32(np.cos(angle)) + dy * np.float32(np.sin(angle))) / np.float32(radii[0])
        v = (dy * np.float32(np.cos(angle)) - dx * np.float32(np.sin(angle))) / np.float32(radii[1])
        path: Plane = np.float32(2 * radii[2]) * np.sqrt(np.maximum(1 - u * u - v * v, 0))
        return path

    def slab(self, centre: Point, sides: Point, depth: float, *, edge: float, degrees: float = 0.0) -> Plane:
        """Path through a box of `sides` whose borders fall off over `edge` centimetres."""
        angle = np.deg2rad(degrees)
        dx, dy = self.x - np.float32(centre[0]), self.y - np.float32(centre[1])
        u = np.abs(dx * np.float32(np.cos(angle)) + dy * np.float32(np.sin(angle)))
        v = np.abs(dy * np.float32(np.cos(angle)) - dx * np.float32(np.sin(angle)))
        inside = np.minimum(np.float32(sides[0] / 2) - u, np.float32(sides[1] / 2) - v)
        path = np.float32(depth) * np.clip(inside / np.float32(edge) + np.float32(0.5), 0, 1)
        return path.astype(np.float32)

    def tube(self, points: Sequence[Point], radii: Sequence[float], *, shell: Sequence[float] | None = None) -> Plane:
        """Path through a round tube along `points`, with a radius at each; `shell`: its wall's thickness, if hollow."""
        line = dense(np.array(points, np.float64), np.array(radii, np.float64), self.pixel)
        walls = np.interp(line[:, 3], np.linspace(0, 1, len(shell)), shell) if shell is not None else None
        rows = np.rint(line[:, 1] / self.pixel + (self.shape[0] - 1) / 2).astype(int)
        columns = np.rint(line[:, 0] / self.pixel + (self.shape[1] - 1) / 2).astype(int)
        reach = int(line[:, 2].max() / self.pixel) + 4
        top, left = max(rows.min() - reach, 0), max(columns.min() - reach, 0)
        bottom, right = min(rows.max() + reach, self.shape[0]), min(columns.max() + reach, self.shape[1])
        result = np.zeros(self.shape, np.float32)
        if bottom <= top or right <= left:
            return result
        margin = 2 * reach  # points outside the picture still bend the tube inside it
        far = np.full((bottom - top + 2 * margin, right - left + 2 * margin), 255, np.uint8)
        at = np.zeros(far.shape, np.int32)
        r, c = rows - top + margin, columns - left + margin
        known = (r >= 0) & (c >= 0) & (r < far.shape[0]) & (c < far.shape[1])
        if not known.any():
            return result
        far[r[known], c[known]] = 0
        at[r[known], c[known]] = np.flatnonzero(known)
        distance, labels = cv2.distanceTransformWithLabels(far, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
        nearest = np.zeros(int(labels.max()) + 1, np.int64)
        nearest[labels[far == 0]] = at[far == 0]
        place = nearest[labels][margin:-margin, margin:-margin]
        square = (cv2.GaussianBlur(distance, (0, 0), 1.2)[margin:-margin, margin:-margin] * self.pixel) ** 2
        radius = cv2.blur(line[place, 2].astype(np.float32), (5, 5))
        path = 2 * np.sqrt(np.maximum(radius**2 - square, 0))
        if walls is not None:
            inner = np.maximum(radius - cv2.blur(walls[place].astype(np.float32), (5, 5)), 0)
            path -= 2 * np.sqrt(np.maximum(inner**2 - square, 0))
        result[top:bottom, left:right] = path
        return result


def fractal(shape: tuple[int, int], coarse: float, random: np.random.Generator, *, octaves: int = 4) -> Plane:
    """Smooth noise of mean 0 and SD 1 whose largest features measure `coarse` pixels; each octave weighs 0.6."""
    total = np.zeros(shape, np.float32)
    for octave in range(octaves):
        size = max(coarse / 2**octave, 1.0)
        grid = (max(2, round(shape[1] / size) + 2), max(2, round(shape[0] / size) + 2))
        noise = random.standard_normal(grid[::-1]).astype(np.float32)
        total += np.float32(0.6**octave) * cv2.resize(noise, shape[::-1], interpolation=cv2.INTER_CUBIC)
    total -= total.mean()
    result: Plane = total / max(float(total.std()), 1e-6)
    return result


def trabeculae(shape: tuple[int, int], spacing: float, random: np.random.Generator) -> Plane:
    """The lattice of spongy bone: thin lines around cells of `spacing` pixels, 0.5 … 2, mean about 1."""
    lines = np.exp(-((fractal(shape, spacing, random, octaves=2) / 0.45) ** 2))
    lines += 0.7 * np.exp(-((fractal(shape, 2.2 * spacing, random, octaves=2) / 0.4) ** 2))
    result: Plane = np.clip(0.5 + 0.5 * lines / lines.mean(), 0.5, 2).astype(np.float32)
    return result


def dense(points: NDArray[np.float64], radii: NDArray[np.float64], pixel: float) -> NDArray[np.float64]:
    """(x, y, radius, place 0…1) at every half pixel of a smooth line through `points`."""
    steps = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    length = max(float(steps[-1]), pixel)
    at = np.linspace(0, length, max(2, int(2 * length / pixel)))
    places = np.interp(at, steps, np.arange(len(points)))
    x, y = (_smooth(places, points[:, axis]) for axis in (0, 1))
    return np.stack([x, y, np.interp(places, np.arange(len(points)), radii), at / length], axis=1)


def _smooth(places: NDArray[np.float64], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Catmull-Rom interpolation of `values` at fractional indices."""
    index = np.clip(places.astype(int), 0, len(values) - 2)
    t = places - index
    p0, p1 = values[np.maximum(index - 1, 0)], values[index]
    p2, p3 = values[index + 1], values[np.minimum(index + 2, len(values) - 1)]
    return 0.5 * (  # type: ignore[no-any-return]
        2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2 + (3 * p1 - p0 - 3 * p2 + p3) * t**3
    )


__all__ = ["Canvas", "Plane", "Point", "dense", "fractal", "trabeculae"]

"""Synthetic, radiograph-like images in numpy: to give seeded weights realistic statistics and to calibrate halos.

No real image and no anatomy: an exposed field with a dark surround, soft bodies, bones with cortex and fine lines,
metal, a brightness trend and quantum noise. Not the phantoms that users see (`resources/phantoms`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BODIES, _BONES, _LINES = 5, 7, 24
_EDGE = 22.0
"""Widths of an edge from it, beyond which its tanh is 1 to the last bit."""
_LINE = 28.0
"""Widths of a line from it, beyond which its Gaussian is 0, and not a smallest number."""

Plane = NDArray[np.float64]


def phantom(rows: int, columns: int, *, seed: int) -> NDArray[np.float32]:
    """A phantom, float32 (rows, columns) in 0…1, high = bright; the same for the same seed on every machine."""
    chance = np.random.default_rng(seed)
    y, x = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij", copy=False, sparse=True)
    picture = 0.15 * (chance.uniform(-1, 1) * y + chance.uniform(-1, 1) * x)
    flat = picture.reshape(-1)  # of which only what changes is computed
    for _ in range(_BODIES):
        strength = chance.uniform(0.1, 0.4)
        near, distance = _ellipse(chance, y, x, 0.3, 0.9, _EDGE * 0.25)
        flat[near] += strength * _soft(distance, 0.25)
    for _ in range(_BONES):
        near, distance = _ellipse(chance, y, x, 0.04, 0.35, _EDGE * 0.05)
        strength = chance.uniform(0.15, 0.4)
        flat[near] += strength * (_soft(distance, 0.03) - 0.5 * _soft(distance + 0.25, 0.05))
    for _ in range(_LINES):
        angle, place, width = chance.uniform(0, np.pi), chance.uniform(-1, 1), chance.uniform(0.002, 0.01)
        across = np.cos(angle) * y + np.sin(angle) * x - place
        along = np.abs(-np.sin(angle) * y + np.cos(angle) * x - chance.uniform(-0.7, 0.7)) < chance.uniform(0.1, 0.4)
        near = np.flatnonzero(along & (np.abs(across) < _LINE * width))
        flat[near] += chance.uniform(0.03, 0.15) * np.exp(-((across.reshape(-1)[near] / width) ** 2))
    near, distance = _ellipse(chance, y, x, 0.01, 0.05, _EDGE * 0.01)
    flat[near] += 0.8 * _soft(distance, 0.01)
    inside = (np.abs(y) < chance.uniform(0.85, 1.2)) & (np.abs(x) < chance.uniform(0.8, 1.2))
    noise = chance.normal(0.0, chance.uniform(0.005, 0.03), (rows, columns))
    picture = np.where(inside, picture + noise, picture.min())
    low, high = np.percentile(picture, [0.1, 99.9])
    return np.asarray(np.clip((picture - low) / max(high - low, 1e-6), 0.0, 1.0), np.float32)


def _ellipse(
    chance: np.random.Generator, y: Plane, x: Plane, small: float, large: float, reach: float
) -> tuple[NDArray[np.intp], Plane]:
    """The pixels that lie no more than `reach` outside of a random ellipse, and how far outside (> 0) or inside (< 0,
    −1 in the centre) of it each of them lies."""
    angle, long, short = chance.uniform(0, np.pi), chance.uniform(small, large), chance.uniform(small, large)
    dy, dx = y - chance.uniform(-0.8, 0.8), x - chance.uniform(-0.8, 0.8)
    u, v = (np.cos(angle) * dy + np.sin(angle) * dx) / long, (-np.sin(angle) * dy + np.cos(angle) * dx) / short
    near = np.flatnonzero(u * u + v * v < (1 + reach) ** 2)
    return near, np.hypot(u.reshape(-1)[near], v.reshape(-1)[near]) - 1.0


def _soft(distance: Plane, width: float) -> Plane:
    """1 inside, 0 outside, with an edge of `width`."""
    return np.asarray(0.5 - 0.5 * np.tanh(distance / width))

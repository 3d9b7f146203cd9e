"""Synthetic, radiograph-like images in numpy: to give seeded weights realistic statistics and to calibrate halos.

No real image and no anatomy: an exposed field with a dark surround, soft bodies, bones with cortex and fine lines,
metal, a brightness trend and quantum noise. Not the phantoms that users see (`resources/phantoms`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BODIES, _BONES, _LINES = 5, 7, 24


def phantom(rows: int, columns: int, *, seed: int) -> NDArray[np.float32]:
    """A phantom, float32 (rows, columns) in 0…1, high = bright; the same for the same seed on every machine."""
    chance = np.random.default_rng(seed)
    y, x = np.meshgrid(np.linspace(-1, 1, rows), np.linspace(-1, 1, columns), indexing="ij", copy=False, sparse=True)
    picture = 0.15 * (chance.uniform(-1, 1) * y + chance.uniform(-1, 1) * x)
    for _ in range(_BODIES):
        picture = picture + chance.uniform(0.1, 0.4) * _soft(_ellipse(chance, y, x, 0.3, 0.9), 0.25)
    for _ in range(_BONES):
        distance = _ellipse(chance, y, x, 0.04, 0.35)
        picture = picture + chance.uniform(0.15, 0.4) * (_soft(distance, 0.03) - 0.5 * _soft(distance + 0.25, 0.05))
    for _ in range(_LINES):
        angle, place, width = chance.uniform(0, np.pi), chance.uniform(-1, 1), chance.uniform(0.002, 0.01)
        across = np.cos(angle) * y + np.sin(angle) * x - place
        along = np.abs(-np.sin(angle) * y + np.cos(angle) * x - chance.uniform(-0.7, 0.7)) < chance.uniform(0.1, 0.4)
        picture = picture + chance.uniform(0.03, 0.15) * np.exp(-((across / width) ** 2)) * along
    picture = picture + 0.8 * _soft(_ellipse(chance, y, x, 0.01, 0.05), 0.01)
    inside = (np.abs(y) < chance.uniform(0.85, 1.2)) & (np.abs(x) < chance.uniform(0.8, 1.2))
    noise = chance.normal(0.0, chance.uniform(0.005, 0.03), (rows, columns))
    picture = np.where(inside, picture + noise, picture.min())
    low, high = np.percentile(picture, [0.1, 99.9])
    return np.asarray(np.clip((picture - low) / max(high - low, 1e-6), 0.0, 1.0), np.float32)


def _ellipse(
    chance: np.random.Generator, y: NDArray[np.float64], x: NDArray[np.float64], small: float, large: float
) -> NDArray[np.float64]:
    """How far outside (> 0) or inside (< 0, −1 in the centre) of a random ellipse each pixel lies."""
    angle, long, short = chance.uniform(0, np.pi), chance.uniform(small, large), chance.uniform(small, large)
    dy, dx = y - chance.uniform(-0.8, 0.8), x - chance.uniform(-0.8, 0.8)
    u, v = np.cos(angle) * dy + np.sin(angle) * dx, -np.sin(angle) * dy + np.cos(angle) * dx
    return np.asarray(np.hypot(u / long, v / short) - 1.0)


def _soft(distance: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """1 inside, 0 outside, with an edge of `width`."""
    return np.asarray(0.5 - 0.5 * np.tanh(distance / width))

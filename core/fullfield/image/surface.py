"""A smooth surface fitted to a part of a plane: what direct exposure is under a heel effect and scatter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]
Weights = NDArray[np.float64]
"""Of 1, y, x, y², x² and xy, where y and x are fractions of the sides."""

_PIXELS = 300  # that a surface is fitted to


def fit(smooth: Plane, region: Mask) -> Weights:
    """A plane fitted to a small region, a surface of second order to a larger one; outliers are left out."""
    height, width = smooth.shape
    places = np.flatnonzero(region)
    places = places[:: max(1, places.size // _PIXELS)]
    rows, columns = np.divmod(places, width)
    seen = smooth[rows, columns].astype(np.float64)
    large = np.ptp(rows) * np.ptp(columns) >= 0.05 * smooth.size and rows.size >= 100
    terms = np.stack(_powers((rows + 0.5) / height, (columns + 0.5) / width)[: 6 if large else 3], axis=1)
    used = terms.shape[1]
    weights, ridge, kept = np.zeros(6), 1e-9 * np.eye(used), terms.T
    for _ in range(3):
        weights[:used] = np.linalg.solve(kept @ terms + ridge, kept @ seen)
        rest = np.abs(seen - terms @ weights[:used])
        kept = (terms * (rest <= 2.5 * 1.48 * _median(rest) + 1e-6)[:, None]).T
    return weights


def values(weights: Weights, shape: tuple[int, ...]) -> Plane:
    """The surface at a size: the same one at each."""
    y, x = ((np.arange(side, dtype=np.float32) + np.float32(0.5)) / np.float32(side) for side in shape)
    a, b, c, d, e, f = weights.astype(np.float32)
    across: Plane = a + c * x + e * x * x
    down: Plane = b * y + d * y * y
    result: Plane = across[None, :] + down[:, None]
    return result + f * y[:, None] * x[None, :] if f else result


def _median(values: NDArray[np.float64]) -> float:
    """`np.median` of a few values, in a third of its time."""
    half, odd = divmod(values.size, 2)
    middle = np.partition(values, [half - 1, half])[half - 1 + odd : half + 1]
    return float(middle.mean())


def _powers(y: NDArray[np.float64], x: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    return [np.ones_like(y), y, x, y * y, x * x, y * x]


__all__ = ["Mask", "Plane", "Weights", "fit", "values"]

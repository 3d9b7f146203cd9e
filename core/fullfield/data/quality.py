"""What would spoil a training silently: references full of JPEG blocks, and pairs of opposite polarity."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fullfield.image import resample

BLOCK = 8  # JPEG's block, pixels (ISO/IEC 10918-1)
BLOCKY = 1.3  # 66 real JPEG radiographs: 1.38 to 2.24; the same at 256 or 512 pixels, and 62 real PNGs: at most 1.25
INVERTED, UNLIKE = -0.3, 0.2  # rank correlations of an input with its reference
_SIDE, _LEVELS = 128, 64

Plane = NDArray[np.uint16] | NDArray[np.float32]


def blockiness(plane: Plane) -> float:
    """How much larger steps are at every eighth column or row than between: about 1 without blocks.

    The offset of the blocks is not known (an image may be cropped): the strongest of the eight is taken. Steps are
    limited, so that a strong edge of the anatomy does not count more than a block's. Blocks have rows and columns:
    the weaker direction counts, for a grid or a collimator's edge shows in one only.
    """
    found = []
    for axis in (0, 1):
        steps = np.abs(np.diff(plane.astype(np.float32), axis=axis))
        if steps.shape[axis] < 4 * BLOCK:
            continue
        limited = np.minimum(steps, 8.0 * np.median(steps) + 0.03 * float(np.ptp(plane)) + 1e-12)
        line = limited.mean(axis=1 - axis)
        phases = np.array([line[first::BLOCK].mean() for first in range(BLOCK)])
        order = np.sort(phases)
        found.append(float(order[-1] / max(float(np.median(order[:-1])), 1e-12)))
    return min(found, default=0.0)


def likeness(one: Plane, other: Plane) -> float:
    """The rank correlation of two images of one matrix, −1…1: whatever gradation lies between them, near 1 when they
    show the same in one polarity and near −1 in the opposite. 0 where one is constant."""
    shape = resample.fitted((one.shape[0], one.shape[1]), min(_SIDE, max(one.shape)))
    ranks = [_ranks(resample.resample(plane.astype(np.float32), shape)) for plane in (one, other)]
    if min(float(rank.std()) for rank in ranks) == 0.0:
        return 0.0
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _ranks(plane: NDArray[np.float32]) -> NDArray[np.float64]:
    """Values of one grey level in 64 share their mean rank: noise in a large flat background has no order."""
    low, high = float(plane.min()), float(plane.max())
    levels = np.floor((plane.ravel() - low) * (_LEVELS / max(high - low, 1e-12)))
    _, inverse, counts = np.unique(levels, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2.0)[inverse.ravel()])

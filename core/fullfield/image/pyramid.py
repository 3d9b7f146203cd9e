"""Gaussian and Laplacian pyramids in row strips: Burt & Adelson 1983, with OpenCV's 5-tap kernel.

An array is worked on in strips of rows that fit into a core's second-level cache, because at 4096² every pass over the
whole array costs more in memory traffic than in arithmetic. A strip of `up` or `descend` equals the same rows of the
whole array's `cv2.pyrUp` or `cv2.pyrDown` exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

cv2.setNumThreads(1)  # strips are too small to be shared: threads that wait for the next one take a fifth more CPU time

Plane = NDArray[np.float32]
Rows = Callable[[int, int], Plane]
"""The rows `top` … `bottom − 1` of a plane, in a buffer that is overwritten by the next call."""

STRIP_BYTES = 1 << 20
"""Of one float32 buffer of a strip, found by trying: smaller ones cost calls, larger ones leave the cache."""


_HALO = 4  # rows beside a strip that its band needs


def strips(shape: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """(top, bottom) of strips that cover the rows; `top` is a multiple of 8, so that 2× and 4× grids stay aligned."""
    rows, columns = shape
    height = max(8, STRIP_BYTES // (4 * columns) // 8 * 8)
    for top in range(0, rows, height):
        yield top, min(top + height, rows)


def halved(shape: tuple[int, int]) -> tuple[int, int]:
    """The shape of the next coarser level."""
    return (shape[0] + 1) // 2, (shape[1] + 1) // 2


def levels_for(shape: tuple[int, int], *, smallest: float = 16.0, most: int = 10) -> int:
    """How many halvings bring the geometric mean of the sides to about `smallest` pixels; 0 for a tiny image."""
    side = float(np.sqrt(float(shape[0]) * float(shape[1])))
    return int(np.clip(round(np.log2(max(side / smallest, 1.0))), 0, most))


def descend(rows: Rows, shape: tuple[int, int], small: Plane) -> Iterator[tuple[int, Plane]]:
    """The band of a plane that is given row by row, as strips: the first row's number, and the rows. On the way the
    next coarser level is filled: `small`.
    """
    for top, bottom in strips(shape):
        first, last = max(top - _HALO, 0), min(bottom + _HALO, shape[0])
        block = rows(first, last)
        less = cv2.pyrDown(block)
        small[top // 2 : (bottom + 1) // 2] = less[(top - first) // 2 :][: (bottom + 1) // 2 - top // 2]
        wide = cv2.pyrUp(less, dstsize=(shape[1], last - first))
        inner = slice(top - first, bottom - first)
        yield top, np.subtract(block[inner], wide[inner], out=wide[inner])


def halve(rows: Rows, shape: tuple[int, int]) -> Plane:
    """The next coarser level of a plane that is given row by row."""
    made = np.empty(halved(shape), np.float32)
    for top, bottom in strips(shape):
        first, last = max(top - 2, 0), min(bottom + 2, shape[0])
        made[top // 2 : (bottom + 1) // 2] = cv2.pyrDown(rows(first, last))[(top - first) // 2 :][
            : (bottom + 1) // 2 - top // 2
        ]
    return made


def up(small: Plane, top: int, bottom: int, shape: tuple[int, int]) -> Plane:
    """Rows `top` … `bottom − 1` of `small` brought to the next finer level, which has `shape`. `top` is even."""
    first, last = max(top // 2 - 1, 0), min((bottom + 1) // 2 + 1, small.shape[0])
    height = shape[0] - 2 * first if last == small.shape[0] else 2 * (last - first)
    block: Plane = cv2.pyrUp(small[first:last], dstsize=(shape[1], height))
    return block[top - 2 * first : bottom - 2 * first]


def enlarge(small: Plane, factor: int, top: int, bottom: int, columns: int) -> Plane:
    """Rows `top` … `bottom − 1` of `small` enlarged `factor` times by linear interpolation, cut to `columns`."""
    first, last = max(top // factor - 1, 0), min(-(-bottom // factor) + 1, small.shape[0])
    size = (small.shape[1] * factor, (last - first) * factor)
    fine: Plane = cv2.resize(small[first:last], size, interpolation=cv2.INTER_LINEAR)
    return fine[top - first * factor : bottom - first * factor, :columns]


def whole(plane: Plane) -> Rows:
    """A plane that is in memory, as rows."""
    return lambda top, bottom: plane[top:bottom]


def laplacian(plane: NDArray[np.floating], levels: int) -> list[NDArray[np.floating]]:
    """All bands of a plane, finest first, and the residual last, in the plane's own precision (for measurements)."""
    bands: list[NDArray[np.floating]] = []
    for _ in range(levels):
        small = cv2.pyrDown(plane)
        bands.append(plane - cv2.pyrUp(small, dstsize=(plane.shape[1], plane.shape[0])))
        plane = small
    return [*bands, plane]


__all__ = [
    "STRIP_BYTES",
    "Plane",
    "Rows",
    "descend",
    "enlarge",
    "halve",
    "halved",
    "laplacian",
    "levels_for",
    "strips",
    "up",
    "whole",
]

"""What a method says that it did to an image: how much of each band it shows in each place, and its tone. Small tables,
from which the whole picture can be made again:

    x_0 … x_L    the image as the method saw it, made up to `shape` by its last row and column, and its pyramid
    z_L          curve(x_L) + light
    z_k          up(z_(k+1)) + g_k · (x_k − up(x_(k+1)))        g_k: `gains`, enlarged
    picture      σ(z_0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True, eq=False)
class Declared:
    """`shape`: rows and columns of x_0. `gains`: of each level, finest first, in cells that reach as far as it does, or
    beyond; `cells`: how many of its pixels they have a side. `curve`: logits at equal parts of 0…1, a straight line
    between two. `light`: logits, at the size of x_L."""

    shape: tuple[int, int]
    gains: tuple[Plane, ...]
    cells: tuple[int, ...]
    curve: Plane
    light: Plane

    def coarsest(self, x: Plane) -> Plane:
        """z_L of x_L."""
        places = np.linspace(0, 1, len(self.curve), dtype=np.float32)
        return np.asarray(np.interp(x, places, self.curve) + self.light, np.float32)


def mean(several: Sequence[Declared]) -> Declared:
    """What has been done where the logits of results are averaged: of one shape."""
    first = several[0]
    return Declared(
        shape=first.shape,
        gains=tuple(_mean(level) for level in zip(*(one.gains for one in several), strict=True)),
        cells=first.cells,
        curve=_mean([one.curve for one in several]),
        light=_mean([one.light for one in several]),
    )


def _mean(planes: Sequence[Plane]) -> Plane:
    return np.asarray(np.mean(planes, 0), np.float32)


__all__ = ["Declared", "mean"]

"""What an enhancement did to contrast and to noise, by density: gains of band SDs, the result's over the source's.

Measured on cells of 32×32 pixels that lie in the anatomy, in quarters of its local mean, the least dense first. Noise
is what the quietest quarter of such cells holds in the two finest bands of the Laplacian pyramid, contrast is what all
of them hold in the third to the fifth: structures of some 4 to 30 pixels.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image import pyramid
from fullfield.image.collimation import Mask
from fullfield.image.pyramid import Plane

CELL = 32
QUARTERS = 4
NOISE_LEVELS, CONTRAST_LEVELS = (0, 1), (2, 3, 4)
_LEAST_CELLS = 8  # of a quarter
_LEAST_SD = 1e-6  # of a cell's band: below it there is nothing to compare with


@dataclass(frozen=True, kw_only=True)
class Gains:
    """Of one quarter of density. `noise`: the larger of the two finest bands' gains; `contrast`: the mean of three;
    `fine`: contrast to noise within the two finest bands beside the source's, the lower: contrast is the 90th
    percentile of the local SD, noise the 25th.
    """

    noise: float
    contrast: float
    fine: float

    @property
    def coarse(self) -> float:
        """The gain of coarser contrast over that of noise: 1 where both have grown alike."""
        return self.contrast / self.noise if self.noise > 0 else math.inf


def by_density(source: Plane, result: Plane, anatomy: Mask) -> tuple[Gains, ...]:
    """The four quarters' gains, the densest last; empty where too little anatomy can be measured.

    `source`, `result`: of one shape, bone bright, 0 … 1; `anatomy`: a mask of any size over the same picture.
    """
    rows, columns = (side // CELL for side in source.shape)
    if not rows * columns:
        return ()
    cut = (slice(0, rows * CELL), slice(0, columns * CELL))
    size = (source.shape[1], source.shape[0])
    inside = cv2.resize(anatomy.astype(np.float32), size, interpolation=cv2.INTER_NEAREST)[cut]
    known = _means(inside, (rows, columns)) > 0.99
    means = _means(source[cut], (rows, columns))
    if known.sum() < QUARTERS * _LEAST_CELLS:
        return ()
    levels = CONTRAST_LEVELS[-1] + 1
    before, after = (
        [_sds(np.asarray(band, np.float32), level, (rows, columns)) for level, band in enumerate(bands[:-1])]
        for bands in (pyramid.laplacian(plane, levels) for plane in (source, result))
    )
    ends = np.quantile(means[known], np.linspace(0, 1, QUARTERS + 1))
    quarters = []
    for index in range(QUARTERS):
        above = means >= ends[index]
        mask = known & above & ((means < ends[index + 1]) if index < QUARTERS - 1 else True)
        found = _of_quarter([sd[mask] for sd in before], [sd[mask] for sd in after])
        if found is None:
            return ()
        quarters.append(found)
    return tuple(quarters)


def _of_quarter(before: list[NDArray[np.float32]], after: list[NDArray[np.float32]]) -> Gains | None:
    noise, fine = [], []
    for level in NOISE_LEVELS:
        there = before[level] > _LEAST_SD
        old, new = before[level][there], after[level][there]
        if old.size < _LEAST_CELLS:
            continue
        quiet = old <= np.quantile(old, 0.25)
        noise.append(float(np.median(new[quiet] / old[quiet])))
        fine.append(_contrast_to_noise(new) / _contrast_to_noise(old))
    energies = [(float((before[level] ** 2).sum()), float((after[level] ** 2).sum())) for level in CONTRAST_LEVELS]
    contrast = [math.sqrt(new / old) for old, new in energies if old > 0]
    if not noise or not contrast:
        return None
    return Gains(noise=max(noise), contrast=float(np.mean(contrast)), fine=min(fine))


def _contrast_to_noise(sds: NDArray[np.float32]) -> float:
    """Within one band: what stands out over what is quiet."""
    return float(np.quantile(sds, 0.9)) / max(float(np.quantile(sds, 0.25)), _LEAST_SD)


def _sds(band: Plane, level: int, cells: tuple[int, int]) -> Plane:
    """The SD of a band over each cell."""
    side = CELL >> level
    squares = np.zeros((cells[0] * side, cells[1] * side), np.float32)
    part = band[: squares.shape[0], : squares.shape[1]]
    np.multiply(part, part, out=squares[: part.shape[0], : part.shape[1]])
    return np.sqrt(_means(squares, cells))


def _means(plane: Plane, cells: tuple[int, int]) -> Plane:
    found: Plane = cv2.resize(plane, cells[::-1], interpolation=cv2.INTER_AREA)
    return found


__all__ = ["CELL", "CONTRAST_LEVELS", "NOISE_LEVELS", "QUARTERS", "Gains", "by_density"]

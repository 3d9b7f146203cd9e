"""Whether a band holds lines over the whole picture: narrow peaks of its spectrum, or rows that differ as wholes.

Only some rows and columns are looked at, so that a picture without lines pays next to nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fullfield.image.collimation import Mask
from fullfield.image.pyramid import Plane

GROUP = 8
"""Neighbouring rows (columns) whose mean is taken; strips begin on multiples of it."""

_GROUPS = 64  # of rows, and of columns, that are looked at for a beginning
_LENGTHS = 256, 128  # of a stretch; the first that the picture holds twice
_STRETCHES = 24, 128  # fewest that tell, most that are taken
_KNOWN = 0.6  # of a stretch: how much must be anatomy
_LOWEST = 0.1  # cycles per sample: what is slower is the next level's
_PEAK = 6.0  # times the power beside it: a wave of a tenth of the noise's SD
_FOOT = 3.0  # times: what still belongs to the peak
_BESIDE = 4, 15  # bins on each side whose power is compared with
_PARTS = 6  # of a row
_LEAST_KNOWN = 0.25  # of such a part
_AGREEMENT = 0.3  # median correlation of parts that are not neighbours
_LEAST_PAIRS = 3  # of such parts
_LEAST_OFFSET = 0.2  # of the SD of a group's means: some 0.07 of the noise's own
_LEAST_ROWS, _MOST_ROWS = 128, 512  # fewest that two parts must have in common, most that are compared
OUTLIER = 3.0  # SDs: beyond them it is an edge
_SD = 1.4826  # times the median of |x|: the SD of normal values
_MEAN = np.full(GROUP, 1 / GROUP, np.float32)
LEAST = 1e-9


@dataclass(frozen=True, kw_only=True)
class Found:
    """Along one axis: `peaks` as (centre, width) in cycles per sample; `offsets`: whole lines differ."""

    peaks: tuple[tuple[float, float], ...]
    offsets: bool

    def __bool__(self) -> bool:
        return bool(self.peaks) or self.offsets


class Probe:
    """Looks at some rows and columns of a band that is shown to it strip by strip."""

    def __init__(self, shape: tuple[int, int], anatomy: Mask) -> None:
        self._shape, self._anatomy = shape, anatomy
        self._every = [max(2, -(-side // (_GROUPS * GROUP))) * GROUP for side in shape]
        self._across: list[Plane] = []
        self._down: list[Plane] = []
        self._rows: list[int] = []

    def see(self, band: Plane, top: int) -> None:
        """The rows of the band from `top` on; `top` is a multiple of `GROUP`."""
        every, spacing = self._every
        if band.shape[1] < GROUP:
            return
        for row in range(-top % every, band.shape[0] - GROUP + 1, every):
            self._across.append(_MEAN @ band[row : row + GROUP])
            self._rows.append(top + row + GROUP // 2)
        groups = np.lib.stride_tricks.sliding_window_view(band, GROUP, axis=1)[:, ::spacing]
        self._down.append(groups @ _MEAN)

    def across(self) -> Found:
        """Upright lines: what varies along the rows."""
        if not self._across:
            return _NONE
        rows, columns = np.array(self._rows), np.arange(self._shape[1])
        return _found(np.array(self._across), self._known(rows, columns))

    def down(self) -> Found:
        """Level lines: what varies along the columns."""
        rows, spacing = np.arange(self._shape[0]), self._every[1]
        columns = np.arange(0, self._shape[1] - GROUP + 1, spacing) + GROUP // 2
        return _found(np.concatenate(self._down).T, self._known(rows, columns).T) if columns.size else _NONE

    def _known(self, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Mask:
        return at(self._anatomy, rows, columns, self._shape)


_NONE = Found(peaks=(), offsets=False)


def _found(profiles: Plane, known: Mask) -> Found:
    """Of the means of groups of lines, one in each row; `known`: where they are anatomy's."""
    return Found(peaks=_peaks(profiles, known), offsets=_agree(profiles, known))


def _peaks(profiles: Plane, known: Mask) -> tuple[tuple[float, float], ...]:
    length = next((length for length in _LENGTHS if profiles.shape[1] >= 2 * length), 0)
    if not length:
        return ()
    half = length // 2  # stretches overlap by so much
    halves = known.shape[1] // half
    seen = known[:, : halves * half].reshape(-1, halves, half).sum(axis=2, dtype=np.uint8)
    wanted = np.argwhere(seen[:, 1:].astype(int) + seen[:, :-1] >= _KNOWN * length)
    if len(wanted) < _STRETCHES[0]:
        return ()
    lines, places = wanted[:: -(-len(wanted) // _STRETCHES[1])].T
    stretches = np.lib.stride_tricks.sliding_window_view(profiles, length, axis=1)[lines, places * half]
    spread = deviations(stretches[:, ::3])[:, None]
    clipped = np.clip(stretches, -OUTLIER * spread, OUTLIER * spread)
    scaled = clipped / np.maximum(spread, LEAST)  # no stretch counts more than another
    power = np.median(np.abs(np.fft.rfft(scaled * np.hanning(length), axis=1)) ** 2, axis=0)
    ratio = power / np.maximum(_beside(power), LEAST)
    ratio[: round(_LOWEST * length)] = 0
    peaks = []
    for run in _runs(ratio > _FOOT):
        if ratio[run].max() > _PEAK:
            bins, weights = np.arange(power.size)[run], power[run]
            peaks.append((float(np.average(bins, weights=weights)) / length, max(bins.size, 3) / 2 / length))
    return tuple(peaks)


def _agree(profiles: Plane, known: Mask) -> bool:
    """Whether parts of lines that are far apart are brighter and darker alike."""
    every = max(1, profiles.shape[1] // _MOST_ROWS)
    profiles, known = profiles[:, ::every], known[:, ::every]
    spread = float(deviations(profiles[known][None, ::7])[0]) if known.sum() > _LEAST_ROWS else 0.0
    means = means_of_parts(profiles, known, spread)
    means = means[np.isfinite(means).sum(axis=1) >= _LEAST_ROWS]
    usual = np.nanmedian(np.abs(means - np.nanmedian(means, axis=1, keepdims=True)), axis=1, keepdims=True) * _SD
    means[np.abs(means) > OUTLIER * usual] = np.nan  # an edge that is as long as the row is no line
    agreement, common = [], []
    for first, second in combinations(range(len(means)), 2):
        both = np.isfinite(means[first]) & np.isfinite(means[second])
        if second > first + 1 and both.sum() >= _LEAST_ROWS:
            one, other = (part[both] - part[both].mean() for part in (means[first], means[second]))
            common.append(float((one * other).mean()))
            agreement.append(common[-1] / max(float(one.std() * other.std()), LEAST))
    if len(agreement) < _LEAST_PAIRS:
        return False
    strong = float(np.median(common)) >= (_LEAST_OFFSET * spread) ** 2
    return (
        strong and float(np.median(agreement)) >= _AGREEMENT and float(np.quantile(agreement, 0.25)) >= _AGREEMENT / 2
    )


def means_of_parts(profiles: Plane, known: Mask, spread: float) -> NDArray[np.float64]:
    """The means of `_PARTS` parts of each line; NaN where too little of it is anatomy."""
    clipped = np.clip(profiles, -OUTLIER * spread, OUTLIER * spread)
    means = []
    for rows in np.array_split(np.arange(profiles.shape[0]), _PARTS):
        counts = known[rows].sum(axis=0)
        sums = np.where(known[rows], clipped[rows], 0).sum(axis=0)
        enough = counts >= max(_LEAST_KNOWN * rows.size, 1)
        means.append(np.where(enough, sums / np.maximum(counts, 1), np.nan))
    return np.array(means)


def at(mask: Mask, rows: NDArray[np.intp], columns: NDArray[np.intp], shape: tuple[int, int]) -> Mask:
    """A mask of the whole picture at some rows and columns of a plane of `shape`."""
    down, across = (
        np.minimum(at * side // of, side - 1) for at, side, of in zip((rows, columns), mask.shape, shape, strict=True)
    )
    found: Mask = np.take(mask[down], across, axis=1)
    return found


def deviations(values: Plane) -> Plane:
    """The SD of each row's middle values."""
    found: Plane = np.median(np.abs(values), axis=1) * np.float32(_SD)
    return found


def _beside(power: NDArray[np.float64]) -> NDArray[np.float64]:
    """The median power of the bins beside each."""
    near, far = _BESIDE
    padded = np.pad(power, far, mode="reflect")
    away = [step for step in range(-far, far + 1) if abs(step) >= near]
    found: NDArray[np.float64] = np.median([padded[far + step : far + step + power.size] for step in away], axis=0)
    return found


def _runs(mask: NDArray[np.bool_]) -> list[slice]:
    """The runs of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [slice(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]


__all__ = ["GROUP", "LEAST", "OUTLIER", "Found", "Probe", "at", "deviations", "means_of_parts"]

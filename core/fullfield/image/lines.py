"""Lines over the whole picture, of a grid, a scanner or a detector's rows: found in a band, and parted from it.

Two kinds, along rows and along columns. *Peaks*: a narrow peak of the spectrum in the median of many stretches, each
the mean of a few neighbouring rows: a grid, whatever its slant, aliased or not, or the blocks of a JPEG. No anatomy
repeats itself so over the whole field. *Offsets*: each row (or column) as a whole brighter or darker than those beside
it, told by this: the means of parts of a row that are far apart agree, and it is no few rows that they agree in.

What is found is parted from the band and left as it is: an error costs a faint structure its gain, never itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image.collimation import Mask
from fullfield.image.pyramid import Plane, Rows, strips, up

GROUP = 8
"""Neighbouring rows (columns) whose mean is taken; strips begin on multiples of it."""
LEVELS = 2
"""The finest ones, in which lines are looked for: on coarser ones they cannot be told from ribs and teeth."""

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
_OUTLIER = 3.0  # SDs: beyond them it is an edge
_AROUND = 9, 129  # groups along a line, and lines, over which its strength is found
_SD = 1.4826  # times the median of |x|: the SD of normal values
_MEAN = np.full(GROUP, 1 / GROUP, np.float32)
_LEAST = 1e-9


@dataclass(frozen=True, kw_only=True)
class Found:
    """Along one axis: `peaks` as (centre, width) in cycles per sample; `offsets`: whole lines differ."""

    peaks: tuple[tuple[float, float], ...]
    offsets: bool

    def __bool__(self) -> bool:
        return bool(self.peaks) or self.offsets


@dataclass(frozen=True, kw_only=True, eq=False)
class Lines:
    """What lines add to a level: `upright` per group of rows and column, `level` per row and group of columns."""

    upright: Plane | None
    level: Plane | None

    def part(self, rows: slice, columns: slice) -> Plane:
        """What they add to a part of the level."""
        found = [_enlarged(self.upright, rows, columns)] if self.upright is not None else []
        if self.level is not None:
            found.append(_enlarged(self.level.T, columns, rows).T)
        return np.ascontiguousarray(found[0] if len(found) == 1 else np.add(*found))


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
            self._across.append(band[row : row + GROUP].mean(axis=0))
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
        return _at(self._anatomy, rows, columns, self._shape)


def bands(rows: Rows, small: Plane, shape: tuple[int, int]) -> Iterator[tuple[int, Plane]]:
    """A level's band as strips: the first row's number, and the rows, which the next step overwrites."""
    for top, bottom in strips(shape):
        band = up(small, top, bottom, shape)
        yield top, np.subtract(rows(top, bottom), band, out=band)


def find(rows: Rows, small: Plane, shape: tuple[int, int], anatomy: Mask) -> Lines | None:
    """The lines of a level; None without any."""
    probe = Probe(shape, anatomy)
    for top, band in bands(rows, small, shape):
        probe.see(band, top)
    return part(probe, rows, small, shape, anatomy)


def part(probe: Probe, rows: Rows, small: Plane, shape: tuple[int, int], anatomy: Mask) -> Lines | None:
    """What the lines that a probe found add to a level; None without any."""
    across, down = probe.across(), probe.down()
    if not across and not down:
        return None
    upright, level = [], []
    for _, band in bands(rows, small, shape):
        if across:
            upright.append(_means(band))
        if down:
            level.append(_means(np.ascontiguousarray(band.T)).T)
    return Lines(
        upright=_parted(np.concatenate(upright), across, anatomy) if across else None,
        level=np.ascontiguousarray(_parted(np.concatenate(level).T, down, anatomy.T).T) if down else None,
    )


_NONE = Found(peaks=(), offsets=False)


def _found(profiles: Plane, known: Mask) -> Found:
    """Of the means of groups of lines, one in each row; `known`: where they are anatomy's."""
    return Found(peaks=_peaks(profiles, known), offsets=_agree(profiles, known))


def _peaks(profiles: Plane, known: Mask) -> tuple[tuple[float, float], ...]:
    length = next((length for length in _LENGTHS if profiles.shape[1] >= 2 * length), 0)
    if not length:
        return ()
    windows, seen = (
        np.lib.stride_tricks.sliding_window_view(plane, length, axis=1)[:, :: length // 2].reshape(-1, length)
        for plane in (profiles, known)
    )
    wanted = np.flatnonzero(seen.mean(axis=1) >= _KNOWN)
    if wanted.size < _STRETCHES[0]:
        return ()
    stretches = windows[wanted[:: -(-wanted.size // _STRETCHES[1])]].astype(np.float32)
    spread = _spread(stretches[:, ::3])[:, None]
    clipped = np.clip(stretches, -_OUTLIER * spread, _OUTLIER * spread)
    scaled = clipped / np.maximum(spread, _LEAST)  # no stretch counts more than another
    power = np.median(np.abs(np.fft.rfft(scaled * np.hanning(length), axis=1)) ** 2, axis=0)
    ratio = power / np.maximum(_beside(power), _LEAST)
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
    spread = float(_spread(profiles[known][None, ::7])[0]) if known.sum() > _LEAST_ROWS else 0.0
    means = _parts(profiles, known, spread)
    means = means[np.isfinite(means).sum(axis=1) >= _LEAST_ROWS]
    usual = np.nanmedian(np.abs(means - np.nanmedian(means, axis=1, keepdims=True)), axis=1, keepdims=True) * _SD
    means[np.abs(means) > _OUTLIER * usual] = np.nan  # an edge that is as long as the row is no line
    agreement, common = [], []
    for first, second in combinations(range(len(means)), 2):
        both = np.isfinite(means[first]) & np.isfinite(means[second])
        if second > first + 1 and both.sum() >= _LEAST_ROWS:
            one, other = (part[both] - part[both].mean() for part in (means[first], means[second]))
            common.append(float((one * other).mean()))
            agreement.append(common[-1] / max(float(one.std() * other.std()), _LEAST))
    if len(agreement) < _LEAST_PAIRS:
        return False
    strong = float(np.median(common)) >= (_LEAST_OFFSET * spread) ** 2
    return (
        strong and float(np.median(agreement)) >= _AGREEMENT and float(np.quantile(agreement, 0.25)) >= _AGREEMENT / 2
    )


def _parts(profiles: Plane, known: Mask, spread: float) -> NDArray[np.float64]:
    """The means of `_PARTS` parts of each line; NaN where too little of it is anatomy."""
    clipped = np.clip(profiles, -_OUTLIER * spread, _OUTLIER * spread)
    means = []
    for rows in np.array_split(np.arange(profiles.shape[0]), _PARTS):
        counts = known[rows].sum(axis=0)
        sums = np.where(known[rows], clipped[rows], 0).sum(axis=0)
        enough = counts >= max(_LEAST_KNOWN * rows.size, 1)
        means.append(np.where(enough, sums / np.maximum(counts, 1), np.nan))
    return np.array(means)


def _parted(profiles: Plane, found: Found, anatomy: Mask) -> Plane:
    """What lines add to the means of groups of rows; what varies along the rows."""
    spread = max(float(_spread(profiles[::7, ::7].reshape(1, -1))[0]), _LEAST)
    rest = np.clip(profiles, -_OUTLIER * spread, _OUTLIER * spread)
    lines = np.zeros_like(rest)
    for centre, width in found.peaks:
        lines += _passed(rest, centre, width)
    if found.peaks:
        lines = cv2.sepFilter2D(lines, -1, np.ones(1), np.array([0.25, 0.5, 0.25]), borderType=cv2.BORDER_REPLICATE)
        rest = rest - lines
    if found.offsets:
        rows, columns = np.arange(profiles.shape[0]), np.arange(profiles.shape[1])
        means = _parts(rest, _at(anatomy, rows, columns, (profiles.shape[0], profiles.shape[1])), spread)
        means[:, ~np.isfinite(means).any(axis=0)] = 0
        whole = np.nanmedian(means, axis=0).astype(np.float32)[None, :]
        strength = cv2.blur(rest * whole, _AROUND[::-1], borderType=cv2.BORDER_REPLICATE)
        strength /= np.maximum(cv2.blur(whole * whole, (_AROUND[1], 1), borderType=cv2.BORDER_REPLICATE), _LEAST)
        lines += np.clip(strength, 0, 2) * whole
    return lines


def _passed(profiles: Plane, centre: float, width: float) -> Plane:
    """What a Gaussian band-pass leaves, as strong at the ends of a line as within."""
    size, reach = profiles.shape[1], 1 / (2 * np.pi * width)
    padded = cv2.getOptimalDFTSize(size + round(6 * reach))
    weights = np.exp(-0.5 * ((np.fft.rfftfreq(padded) - centre) / width) ** 2).astype(np.float32)
    passed = np.fft.irfft(np.fft.rfft(profiles, padded, axis=1) * weights, padded, axis=1)[:, :size]
    kernel = cv2.getGaussianKernel(2 * round(3 * reach) + 1, reach).ravel()
    held = np.convolve(np.ones(size), kernel, mode="same").astype(np.float32)
    return np.asarray(passed / held, np.float32)


def _means(band: Plane) -> Plane:
    """The means of groups of rows."""
    below = -band.shape[0] % GROUP
    padded = cv2.copyMakeBorder(band, 0, below, 0, 0, cv2.BORDER_REPLICATE) if below else band
    means: Plane = cv2.resize(padded, (band.shape[1], padded.shape[0] // GROUP), interpolation=cv2.INTER_AREA)
    return means


def _enlarged(groups: Plane, rows: slice, columns: slice) -> Plane:
    """A part of what is known per group of rows, row by row."""
    first, last = max(rows.start // GROUP - 1, 0), min(-(-rows.stop // GROUP) + 1, groups.shape[0])
    block = np.ascontiguousarray(groups[first:last, columns])
    size = (block.shape[1], (last - first) * GROUP)
    fine: Plane = cv2.resize(block, size, interpolation=cv2.INTER_LINEAR)
    return fine[rows.start - first * GROUP : rows.stop - first * GROUP]


def _at(mask: Mask, rows: NDArray[np.intp], columns: NDArray[np.intp], shape: tuple[int, int]) -> Mask:
    """A mask of the whole picture at some rows and columns of a plane of `shape`."""
    down, across = (
        np.minimum(at * side // of, side - 1) for at, side, of in zip((rows, columns), mask.shape, shape, strict=True)
    )
    found: Mask = np.take(mask[down], across, axis=1)
    return found


def _spread(values: Plane) -> Plane:
    """The SD of each row's middle values."""
    spread: Plane = np.median(np.abs(values), axis=1) * np.float32(_SD)
    return spread


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


__all__ = ["GROUP", "LEVELS", "Lines", "Probe", "bands", "find", "part"]

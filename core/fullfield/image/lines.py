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

import cv2
import numpy as np

from fullfield.image.collimation import Mask
from fullfield.image.line_search import GROUP, LEAST, OUTLIER, Found, Probe, at, deviations, means_of_parts
from fullfield.image.pyramid import Plane, Rows, strips, up

LEVELS = 2
"""The finest ones, in which lines are looked for: on coarser ones they cannot be told from ribs and teeth."""

_AROUND = 9, 129  # groups along a line, and lines, over which its strength is found


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


def bands(rows: Rows, small: Plane, shape: tuple[int, int], every: int = 1) -> Iterator[tuple[int, Plane]]:
    """A level's band as strips: the first row's number, and the rows, which the next step overwrites. `every`: strips
    that hold no multiple of it are left out.
    """
    for top, bottom in strips(shape):
        if -(-top // every) * every >= bottom:
            continue
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


def _parted(profiles: Plane, found: Found, anatomy: Mask) -> Plane:
    """What lines add to the means of groups of rows; what varies along the rows."""
    spread = max(float(deviations(profiles[::7, ::7].reshape(1, -1))[0]), LEAST)
    rest = np.clip(profiles, -OUTLIER * spread, OUTLIER * spread)
    lines = np.zeros_like(rest)
    for centre, width in found.peaks:
        lines += _passed(rest, centre, width)
    if found.peaks:
        lines = cv2.sepFilter2D(lines, -1, np.ones(1), np.array([0.25, 0.5, 0.25]), borderType=cv2.BORDER_REPLICATE)
        rest = rest - lines
    if found.offsets:
        rows, columns = np.arange(profiles.shape[0]), np.arange(profiles.shape[1])
        means = means_of_parts(rest, at(anatomy, rows, columns, (profiles.shape[0], profiles.shape[1])), spread)
        means[:, ~np.isfinite(means).any(axis=0)] = 0
        whole = np.nanmedian(means, axis=0).astype(np.float32)[None, :]
        strength = cv2.blur(rest * whole, _AROUND[::-1], borderType=cv2.BORDER_REPLICATE)
        strength /= np.maximum(cv2.blur(whole * whole, (_AROUND[1], 1), borderType=cv2.BORDER_REPLICATE), LEAST)
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


__all__ = ["GROUP", "LEVELS", "Lines", "Probe", "bands", "find", "part"]

"""One level of the Laplacian pyramid: its statistics, the bounded-slope gain and the noise containment.

Gain: `y = x + G·x·(1−|x|/M)^p`, slope at most 1+G, identity at G = 0 and beyond M; below the toe the gain is constant.
Containment: of the added gain G remains `max(floor, v/(v+(k·n)²))`, v the local variance and n the level's noise SD,
found as the mode of the local SD over the anatomy (Vuylsteke & Schoeters 1994; the form is that of a Wiener filter). So
noise is amplified less than structure, and nothing is ever smoothed away.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image.collimation import Mask
from fullfield.image.pyramid import Plane, Rows, strips, up

CELL = 4
"""Local variance is measured on cells of 4×4 coefficients, then over 3×3 cells."""

_SAMPLED_ROWS = 96  # of a level, for the 97th percentile: 400,000 coefficients at 4096²


@dataclass(frozen=True, kw_only=True)
class Gain:
    """What is done to one level: `gain` G, `power` p, `limit` M, `toe` as a fraction of M, `factor` of the whole level.

    `reach`: k·n in units of x; `floor`: the least of G that containment leaves, 1: no containment.
    """

    gain: float
    power: float
    limit: float
    toe: float
    factor: float
    reach: float = 0.0
    floor: float = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Level:
    """What was measured on one level: `percentile` of |x|, `noise` SD, and the local `variance` per cell or None."""

    percentile: float
    noise: float
    variance: Plane | None


def measure(rows: Rows, small: Plane, shape: tuple[int, int], anatomy: Mask, *, local: bool, quantum: float) -> Level:
    """The statistics of a level; `local`: the variance per cell too, for containment.

    `quantum`: the SD that the source's quantisation alone gives this level; no noise is thought smaller.
    """
    variance = np.empty((-(-shape[0] // CELL), -(-shape[1] // CELL)), np.float32) if local else None
    strengths: list[NDArray[np.float32]] = []
    every = max(1, shape[0] // _SAMPLED_ROWS)
    columns = np.minimum(np.arange(shape[1]) * anatomy.shape[1] // shape[1], anatomy.shape[1] - 1)
    for top, bottom in strips(shape):
        wanted = range(-(-top // every) * every, bottom, every)
        if not local and not wanted:
            continue
        band = up(small, top, bottom, shape)
        np.subtract(rows(top, bottom), band, out=band)
        for row in wanted:
            known = anatomy[min(row * anatomy.shape[0] // shape[0], anatomy.shape[0] - 1)][columns]
            strengths.append(np.abs(band[row - top][known]))
        if variance is not None:
            np.multiply(band, band, out=band)
            variance[top // CELL : -(-bottom // CELL)] = _cell_means(band)
    seen = np.concatenate(strengths) if strengths else np.zeros(0, np.float32)
    percentile = float(np.percentile(seen, 97)) if seen.size else 0.0
    if variance is None:
        return Level(percentile=percentile, noise=0.0, variance=None)
    cv2.blur(variance, (3, 3), dst=variance)
    return Level(percentile=percentile, noise=max(_mode(variance, anatomy), quantum), variance=variance)


def enhance(rows: Plane, base: Plane, gain: Gain, kept: Plane | None) -> Plane:
    """The enhanced coefficients of a part: `rows` minus `base` (both overwritten), gain and containment applied.

    `kept`: what containment leaves of G at each coefficient (see `containment`); None: all of it.
    """
    band = np.subtract(rows, base, out=rows)
    t = np.abs(band, out=base)
    np.multiply(t, np.float32(-1.0 / gain.limit), out=t)
    np.minimum(t, np.float32(-gain.toe), out=t)
    np.add(t, np.float32(1), out=t)
    np.maximum(t, np.float32(0), out=t)
    if gain.power == 2:
        np.multiply(t, t, out=t)
    elif gain.power != 1:
        cv2.pow(t, gain.power, dst=t)
    np.multiply(t, np.float32(gain.gain * gain.factor), out=t)
    if kept is not None:
        np.multiply(t, kept, out=t)
    np.add(t, np.float32(gain.factor), out=t)
    return np.multiply(band, t, out=band)


def containment(level: Level, gain: Gain) -> Plane | None:
    """What containment leaves of G on each cell, floor … 1; None where it leaves all of it."""
    if level.variance is None or gain.floor >= 1 or gain.reach <= 0:
        return None
    kept: Plane = level.variance + np.float32(gain.reach**2)
    np.divide(level.variance, kept, out=kept)
    return np.maximum(kept, np.float32(gain.floor), out=kept)


def _cell_means(squares: Plane) -> Plane:
    rows, columns = squares.shape
    below, right = -rows % CELL, -columns % CELL
    if below or right:
        squares = cv2.copyMakeBorder(squares, 0, below, 0, right, cv2.BORDER_REPLICATE)
    size = (squares.shape[1] // CELL, squares.shape[0] // CELL)
    means: Plane = cv2.resize(squares, size, interpolation=cv2.INTER_AREA)
    return means


def _mode(variance: Plane, anatomy: Mask) -> float:
    """The most frequent local SD over the anatomy, on a logarithmic scale smoothed over a fifth of an octave."""
    stride = max(1, int(np.sqrt(variance.size / 65536)))
    seen = variance[::stride, ::stride]
    rows = np.minimum(np.arange(seen.shape[0]) * anatomy.shape[0] // seen.shape[0], anatomy.shape[0] - 1)
    columns = np.minimum(np.arange(seen.shape[1]) * anatomy.shape[1] // seen.shape[1], anatomy.shape[1] - 1)
    values = seen[anatomy[np.ix_(rows, columns)]]
    values = values[values > 1e-14]
    if values.size < 16:
        return 0.0
    octaves = 0.5 * np.log2(values.astype(np.float64))
    counts, edges = np.histogram(octaves, bins=np.arange(octaves.min() - 0.5, octaves.max() + 0.6, 0.1))
    smooth = np.convolve(counts, np.ones(5), mode="same")
    place = int(np.argmax(smooth))
    return float(2.0 ** ((edges[place] + edges[place + 1]) / 2))


__all__ = ["CELL", "Gain", "Level", "containment", "enhance", "measure"]

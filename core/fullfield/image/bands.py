"""One level of the Laplacian pyramid: its statistics, the bounded-slope gain and the noise containment.

Gain: `y = x + G·x·(1−|x|/M)^p`, slope at most 1+G, identity at G = 0 and beyond M; below the toe the gain is constant.
Containment: of the added gain G remains `w + (1−w)·floor`, w = s/(s+(k·n)²), s the local variance beyond the noise's
own and n the SD that the level's noise has where it is as bright (Vuylsteke & Schoeters 1994; the form is that of a
Wiener filter). Noise is that of the quietest parts of each brightness: quanta are fewest, and noise is strongest, where
it is densest. So noise is amplified less than structure; a floor below 0 takes it back by that share and no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image import lines, order, pyramid
from fullfield.image.collimation import Mask
from fullfield.image.lines import Lines, Probe
from fullfield.image.pyramid import Plane, Rows

CELL = 4
"""Local variance is measured on cells of 4×4 coefficients, then over 3×3 cells."""

_SAMPLED_ROWS = 96  # of a level, for the 97th percentile: 400,000 coefficients at 4096²
_SAMPLED_CELLS = 1 << 15  # of a level, for its noise
_BRIGHTNESSES = 16  # parts of the anatomy, from dark to bright, whose noise is told apart
_LEAST_CELLS = 64  # of such a part
_QUIET = 0.25  # quantile of the local SD at one brightness: little but noise
_LEAST_VARIANCE = 1e-14
_MOST = 1.5  # times the quiet SD of the whole anatomy: bone is as bright as nothing else, and its texture is no noise
_SPREAD = 1.3  # how far the variance of 144 coefficients of noise lies above the quietest quarter's


@dataclass(frozen=True, kw_only=True)
class Gain:
    """What is done to one level: `gain` G, `power` p, `limit` M, `toe` as a fraction of M, `factor` of the whole level.

    `reach`: k, in noise SDs; `floor`: the least of G that containment leaves, 1: no containment; below 0 noise itself
    is lowered by that share where G is 1 or more, and by G times it where G is less.
    """

    gain: float
    power: float
    limit: float
    toe: float
    factor: float
    reach: float = 0.0
    floor: float = 1.0

    @property
    def least(self) -> float:
        """What containment leaves of G where there is nothing but noise."""
        return self.floor if self.floor >= 0 else self.floor / max(self.gain, 1.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class Level:
    """What was measured on one level: the 97th `percentile` of |x| and its `median`.

    Per cell the local `variance`, and the `noise` SD that is usual where it is as bright; None where no containment was
    asked for. `lines`: those over the whole picture, which none of the others counts; None where there are none.
    """

    percentile: float
    median: float = 0.0
    noise: Plane | None = None
    variance: Plane | None = None
    lines: Lines | None = None

    def part(self, place: tuple[slice, slice], ratio: float) -> Level:
        """Some of the cells, in a tone that is `ratio` times as steep."""
        if self.variance is None or self.noise is None:
            return self
        noise, variance = self.noise[place] * np.float32(ratio), self.variance[place] * np.float32(ratio**2)
        return replace(self, noise=noise, variance=variance)


def measure(
    rows: Rows,
    small: Plane,
    shape: tuple[int, int],
    anatomy: Mask,
    *,
    local: bool,
    fine: bool,
    quantum: float,
    fill: bool = False,
) -> Level:
    """The statistics of a level; `local`: the variance per cell too, for containment; `fine`: and its lines.

    `quantum`: the SD that the source's quantisation alone gives this level; no noise is thought smaller. `fill`:
    `small`, the next coarser level, is not known yet, and is filled.
    """
    every = max(1, shape[0] // _SAMPLED_ROWS)
    band = pyramid.descend(rows, shape, small) if fill else lines.bands(rows, small, shape, 1 if local else every)
    if not local:
        percentile, median = _survey(band, shape, anatomy)
        return Level(percentile=percentile, median=median)
    variance, probe = np.empty((-(-shape[0] // CELL), -(-shape[1] // CELL)), np.float32), Probe(shape, anatomy)
    percentile, median = _survey(band, shape, anatomy, variance=variance, probe=probe if fine else None)
    found = lines.part(probe, rows, small, shape, anatomy) if fine else None
    if found is not None:
        band = lines.bands(rows, small, shape)
        percentile, median = _survey(band, shape, anatomy, variance=variance, known=found)
    cv2.blur(variance, (3, 3), dst=variance)
    noise = _noise(variance, cv2.pyrDown(small), anatomy, quantum)
    return Level(percentile=percentile, median=median, noise=noise, variance=variance, lines=found)


def enhance(rows: Plane, base: Plane, gain: Gain, kept: Plane | None, onto: Plane, apart: Plane | None = None) -> Plane:
    """`onto` with the enhanced coefficients of a part added: `rows` minus `base`, gain and containment applied. `onto`
    and `base` are overwritten.

    `kept`: what containment leaves of G at each coefficient (see `containment`); None: all of it. `apart`: what lines
    over the whole picture add, which is not amplified; it is overwritten.
    """
    band = np.subtract(rows, base, out=base)
    if apart is not None:
        np.subtract(band, apart, out=band)
    t = np.abs(band)
    np.clip(t, np.float32(gain.toe * gain.limit), np.float32(gain.limit), out=t)  # minimum, then maximum: six times
    np.subtract(np.float32(gain.limit), t, out=t)
    if gain.power not in (1, 2):
        cv2.pow(t, gain.power, dst=t)
    elif gain.power == 2:
        np.multiply(t, t, out=t)
    scale = gain.gain * gain.factor / gain.limit**gain.power
    if kept is None:
        np.multiply(t, np.float32(scale), out=t)
    else:
        cv2.multiply(t, kept, dst=t, scale=scale)
    np.add(np.float32(gain.factor), t, out=t)
    cv2.accumulateProduct(band, t, onto)
    if apart is not None:
        np.multiply(apart, np.float32(gain.factor * (1 + gain.gain * min(gain.least, 0))), out=apart)
        np.add(onto, apart, out=onto)
    return onto


def containment(level: Level, gain: Gain) -> Plane | None:
    """What containment leaves of G on each cell, floor … 1; None where it leaves all of it."""
    if level.variance is None or level.noise is None or gain.floor >= 1 or gain.reach <= 0 or gain.gain <= 0:
        return None
    square = np.multiply(level.noise, level.noise)
    signal = cv2.scaleAdd(square, -_SPREAD, level.variance)
    np.maximum(signal, np.float32(0), out=signal)
    kept: Plane = cv2.scaleAdd(square, gain.reach**2, signal)
    np.maximum(kept, np.float32(_LEAST_VARIANCE), out=kept)
    np.divide(signal, kept, out=kept)
    np.multiply(kept, np.float32(1 - gain.least), out=kept)
    return np.add(kept, np.float32(gain.least), out=kept)


def _survey(
    band: Iterator[tuple[int, Plane]],
    shape: tuple[int, int],
    anatomy: Mask,
    *,
    variance: Plane | None = None,
    probe: Probe | None = None,
    known: Lines | None = None,
) -> tuple[float, float]:
    """The 97th percentile and the median of a level's |x|, which is given in strips and overwritten.

    Fills in the `variance` per cell, and shows the band to the `probe`. `known`: lines that are not counted.
    """
    strengths: list[NDArray[np.float32]] = []
    every = max(1, shape[0] // _SAMPLED_ROWS)
    columns = np.minimum(np.arange(shape[1]) * anatomy.shape[1] // shape[1], anatomy.shape[1] - 1)
    for top, part in band:
        bottom = top + part.shape[0]
        if probe is not None:
            probe.see(part, top)
        if known is not None:
            np.subtract(part, known.part(slice(top, bottom), slice(0, shape[1])), out=part)
        for row in range(-(-top // every) * every, bottom, every):
            inside = anatomy[min(row * anatomy.shape[0] // shape[0], anatomy.shape[0] - 1)][columns]
            strengths.append(np.abs(part[row - top][inside]))
        if variance is not None:
            np.multiply(part, part, out=part)
            variance[top // CELL : -(-bottom // CELL)] = _cell_means(part)
    seen = np.concatenate(strengths) if strengths else np.zeros(0, np.float32)
    percentile, median = order.percentiles(seen, (97, 50)) if seen.size else (0.0, 0.0)
    return percentile, median


def _cell_means(squares: Plane) -> Plane:
    rows, columns = squares.shape
    below, right = -rows % CELL, -columns % CELL
    if below or right:
        squares = cv2.copyMakeBorder(squares, 0, below, 0, right, cv2.BORDER_REPLICATE)
    for _ in range(2):  # twice by 2 takes half as long as once by 4
        size = (squares.shape[1] // 2, squares.shape[0] // 2)
        squares = cv2.resize(squares, size, interpolation=cv2.INTER_AREA)
    return squares


def _noise(variance: Plane, means: Plane, anatomy: Mask, quantum: float) -> Plane:
    """The noise SD of each cell by the local mean, one of `means`: what is quiet for the anatomy of that brightness."""
    stride = max(1, int(np.sqrt(variance.size / _SAMPLED_CELLS)))
    seen = variance[::stride, ::stride]
    rows = np.minimum(np.arange(seen.shape[0]) * anatomy.shape[0] // seen.shape[0], anatomy.shape[0] - 1)
    columns = np.minimum(np.arange(seen.shape[1]) * anatomy.shape[1] // seen.shape[1], anatomy.shape[1] - 1)
    known = anatomy[np.ix_(rows, columns)] & (seen > _LEAST_VARIANCE)
    spread, places = np.sqrt(seen[known]), means[::stride, ::stride][known]
    if spread.size < _LEAST_CELLS:
        return np.full(variance.shape, quantum, np.float32)
    parts = np.array_split(np.argsort(places), min(_BRIGHTNESSES, spread.size // _LEAST_CELLS))
    middles = [(places[part[(part.size - 1) // 2]] + places[part[part.size // 2]]) / 2 for part in parts]  # medians
    most = _MOST * _quantile(spread, _QUIET)
    quiet = [max(min(_quantile(spread[part], _QUIET), most), quantum) for part in parts]
    return _looked_up(means, np.array(middles, np.float64), np.array(quiet))


def _quantile(values: NDArray[np.float32], share: float) -> float:
    """`np.quantile` of a few values, in a fifth of its time."""
    place = share * (values.size - 1)
    first = int(place)
    low, high = np.partition(values, [first, min(first + 1, values.size - 1)])[[first, min(first + 1, values.size - 1)]]
    return float(low + (high - low) * (place - first))


def _looked_up(plane: Plane, places: NDArray[np.float64], values: NDArray[np.float64]) -> Plane:
    """`values` at `places`, which rise, interpolated over a plane in 256 steps from the first place to the last."""
    span = max(float(places[-1] - places[0]), 1e-6)
    table = np.interp(np.linspace(places[0], places[0] + span, 256), places, values).astype(np.float32)
    steps = np.multiply(plane, np.float32(255 / span))
    np.add(steps, np.float32(-255 * places[0] / span), out=steps)
    np.clip(steps, 0, 255, out=steps)
    found: Plane = cv2.LUT(steps.astype(np.uint8), table)
    return found


__all__ = ["CELL", "Gain", "Level", "containment", "enhance", "measure"]

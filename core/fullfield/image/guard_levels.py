"""How much of a result each level of its own image explains, cell by cell: in strips, by OpenCV and numpy alone.

Every enhancement here rebuilds the picture's logit from the bands of what it was given, each with a smooth gain:

    z_k = U z_(k+1) + g_k · (x_k − U x_(k+1))        x_(k+1) = pyrDown x_k, U = pyrUp, g_k ≥ 0

On the finest level, a fourth difference along a line of pixels, taken at its odd places, is 0 for all that U can make:
its kernel is U's with alternating signs. So D z_0 = g_0 · D x_0 whatever lies below, with no pyramid at full size.
Below it the band of the result, z_k − U pyrDown z_k, is g_k of the source's band b_k as far as that is its own band
again (b_k − U pyrDown b_k), and g_(k+1) of the rest. Gains come from least squares in cells, smooth over them below the
finest level; what is left over of the result's energy is no gain of anything in the source.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from fullfield.image.pyramid import Plane

Rows = Callable[[int, int], Plane]
"""Rows `low` … `high` − 1 of a plane."""

FINE_CELL, CELL = 16, 8  # pixels a side of the finest level (see `marks`), and of all others
LEAST = 40  # pixels: the shorter side of the coarsest level
APART = 5  # levels that are told one by one
SEEN = 0.002  # of white: what is fainter, nobody sees
BLACK = 0.001  # a logit is taken from here to white less that
_STRIP = 1 << 18  # pixels
_HALO = 8  # rows that a band's band needs beside it
_SMOOTH, _AROUND, _WIDE = 0.8, 1.5, 3.0  # cells
_NORM = {True: 70 / 256, False: 0.3}  # what the finest, and another band, leaves of white noise' energy
_TINY = 1e-10
_LARGEST = 0.999 * np.log((1 - BLACK) / BLACK)  # of a logit
_UNEVEN = 10.0  # times the difference that a gain makes which changes evenly within a cell
_RIM = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, kw_only=True, eq=False)
class Level:
    """Mean squares in the cells of one level, in logits. `drawn`: no gain explains it (0 where a black or white beyond
    the result's range is near); `own`: explained, around; `taken`: what a gain like that around would have shown more,
    where less than half of it is; `usual`: what such a gain shows around; `faint`: what nobody sees, here, and
    `faint_around` at the brightness of the surroundings. `turned`: share of the source's energy whose gain is below 0.
    `gain`: of the whole level, of whose source `energy` is the mean square. `slope`: of white by logit. `looked`: 1
    where there is an image, else 0."""

    drawn: Plane
    own: Plane
    taken: Plane
    usual: Plane
    faint: Plane
    faint_around: Plane
    slope: Plane
    looked: Plane
    turned: float
    gain: float
    energy: float

    def is_seen(self, gain: float) -> bool:
        """Whether what the source has on this level would be seen at such a gain: quantisation alone is not."""
        return gain * gain * self.energy > float(self.faint[self.looked > 0].mean() if self.looked.any() else 0)


def levels(source: Rows, output: Rows, shape: tuple[int, int], hole: Rows | None = None) -> tuple[Level, ...]:
    """All levels of a result, finest first; none of an image below `LEAST` pixels. `source`: as the method saw it;
    `output`: its `logit`, bright where that is. `hole`: 1 where there is no image, which is not looked at, nor its rim.
    """
    found: list[Level] = []
    if min(shape) < LEAST:
        return ()
    finest = _Sums(shape, FINE_CELL)
    clipped = np.zeros((-(-shape[0] // FINE_CELL), -(-shape[1] // FINE_CELL)), np.float32)
    x, z = (np.empty(((shape[0] + 1) // 2, (shape[1] + 1) // 2), np.float32) for _ in range(2))
    gap = None if hole is None else np.empty(x.shape, np.float32)
    step = max(FINE_CELL, _STRIP // shape[1] // FINE_CELL * FINE_CELL)
    for low in range(0, shape[0], step):
        high = min(low + step, shape[0])
        first, last = max(low - 2, 0), min(high + 2, shape[0])
        given, made = source(first, last), output(first, last)
        for part, into in ((given, x), (made, z)):
            into[low // 2 : (high + 1) // 2] = cv2.pyrDown(part)[(low - first) // 2 :][: (high + 1) // 2 - low // 2]
        if hole is not None and gap is not None:
            gap[low // 2 : (high + 1) // 2] = cv2.pyrDown(hole(first, last))[(low - first) // 2 :][
                : (high + 1) // 2 - low // 2
            ]
        finest.add_differences(given, made, low, high, first)
        within = cv2.inRange(made[low - first : high - first : 2, ::2].copy(), -_LARGEST, _LARGEST)
        if cv2.countNonZero(within) < within.size:
            rows = slice(low // FINE_CELL, -(-high // FINE_CELL))
            beyond = (within == 0).astype(np.float32)
            clipped[rows] = cell_means(beyond, FINE_CELL // 2, (rows.stop - rows.start, clipped.shape[1]))
    found.append(finest.level(z, gap, FINE_CELL // 2, clipped))
    while min(x.shape) >= LEAST:
        sums = _Sums((x.shape[0], x.shape[1]), CELL)
        below, under = sums.add_bands(x, z)
        found.append(sums.level(z, gap, CELL, clipped))
        x, z, gap = below, under, None if gap is None else cv2.pyrDown(gap)
    return tuple(found)


def logit(output: Plane) -> Plane:
    """Of values in 0…1."""
    p = np.clip(output, np.float32(BLACK), np.float32(1 - BLACK))
    return np.asarray(np.log(p / (1 - p)), np.float32)


class _Sums:
    """Means of products over the cells of a level; `p`, `q`: the two parts of the source's band, `b`: the result's."""

    def __init__(self, shape: tuple[int, int], cell: int) -> None:
        self._shape, self._cell = shape, cell
        self._cells = (-(-shape[0] // cell), -(-shape[1] // cell))
        names = ("pp", "pb", "bb") if cell == FINE_CELL else ("pp", "pb", "bb", "pq", "qq", "qb")
        self._of = {name: np.zeros(self._cells, np.float32) for name in names}

    def add_differences(self, x: Plane, z: Plane, low: int, high: int, first: int) -> None:
        """Rows `low` … `high` of the finest level; those given begin at `first`."""
        top, cells = low - first, -(-(high - low) // FINE_CELL)
        place = slice(low // FINE_CELL, low // FINE_CELL + cells)
        p, b = (_differences(one, top, high - low) for one in (x, z))
        for name, (one, other) in (("pp", (p, p)), ("pb", (p, b)), ("bb", (b, b))):
            both = cv2.multiply(one[0], other[0])
            cv2.accumulateProduct(one[1], other[1], both)
            self._of[name][place] = cell_means(both, FINE_CELL // 2, (cells, self._cells[1])) / (2 * 16**2)

    def add_bands(self, x: Plane, z: Plane) -> tuple[Plane, Plane]:
        """The whole level; returns the next ones."""
        rows, columns = self._shape
        nexts = tuple(np.empty(((rows + 1) // 2, (columns + 1) // 2), np.float32) for _ in range(2))
        step = max(_HALO, _STRIP // columns // _HALO * _HALO)
        for low in range(0, rows, step):
            high = min(low + step, rows)
            first, last = max(low - _HALO, 0), min(high + _HALO, rows)
            inner, place = slice(low - first, high - first), slice(low // CELL, -(-high // CELL))
            (a, small), (b, less) = (_band(one[first:last]) for one in (x, z))
            for one, into in zip((small, less), nexts, strict=True):
                into[low // 2 : (high + 1) // 2] = one[(low - first) // 2 :][: (high + 1) // 2 - low // 2]
            p = _band(a)[0]
            parts = {"p": p[inner], "q": cv2.subtract(a, p)[inner], "b": b[inner]}
            for name, into in self._of.items():
                product = cv2.multiply(parts[name[0]], parts[name[1]])
                into[place] = cell_means(product, CELL, (place.stop - place.start, self._cells[1]))
        return nexts[0], nexts[1]

    def level(self, z: Plane, gap: Plane | None, cell: int, clipped: Plane) -> Level:
        """`z`, `gap`: on a level whose cells have `cell` pixels a side. `clipped`: above 0 in cells of the finest."""
        near = cv2.dilate(cv2.resize(clipped, self._cells[::-1], interpolation=cv2.INTER_AREA), _RIM)
        bright = np.float32(1) / (1 + np.exp(-cell_means(z, cell, self._cells)))
        slopes = np.asarray(bright * (1 - bright), np.float32)
        slope = cv2.erode(slopes, _RIM)  # a step in what is nearly black is a large one of its logit
        noise = np.float32(_NORM["qq" not in self._of] * SEEN**2)
        looked = np.ones(self._cells, np.float32)
        if gap is not None:
            looked = (cv2.dilate(cell_means(gap, cell, self._cells), _RIM, iterations=2) < 1e-3).astype(np.float32)
        of = {name: one * looked for name, one in self._of.items()}
        whole, given = (
            (of["pp"], of["pb"])
            if "qq" not in of
            else (
                np.maximum(of["pp"] + 2 * of["pq"] + of["qq"], 0),
                of["pb"] + of["qb"],
            )
        )
        gain = _blurred(given, _SMOOTH) / (_blurred(whole, _SMOOTH) + _TINY)
        wide = np.maximum(_blurred(given, _WIDE) / (_blurred(whole, _WIDE) + _TINY), 0)
        missing = np.maximum(wide / 2 - given / (whole + _TINY), 0)
        return Level(
            drawn=np.maximum(_left(of, gain) - _within(gain) * whole, 0) * (near <= 0),
            own=_blurred(gain * gain * whole, _AROUND),
            taken=missing * missing * whole,
            usual=_blurred(wide * wide * whole, _WIDE),
            faint=noise / np.square(slope),
            faint_around=np.asarray(noise / np.square(_blurred(slopes, _WIDE)), np.float32),
            slope=slope,
            looked=looked,
            turned=float(whole[given < 0].sum() / (whole.sum() + _TINY)),
            gain=float(given.sum() / (whole.sum() + _TINY)),
            energy=float(whole.sum() / max(float(looked.sum()), 1.0)),
        )


def _left(of: dict[str, Plane], gain: Plane) -> Plane:
    """The energy that no gain explains: on the finest level none of the cell's own, which holds 128 differences; below,
    none of two smooth ones, drawn a little towards that of the whole band."""
    if "qq" not in of:
        return np.asarray(of["bb"] - of["pb"] * of["pb"] / (of["pp"] + _TINY), np.float32)
    pp, pq, qq, pb, qb = (_blurred(of[name], _SMOOTH) for name in ("pp", "pq", "qq", "pb", "qb"))
    pull = np.float32(0.02) * (pp + qq) + np.float32(_TINY)
    pb, qb, pp, qq = pb + pull * gain, qb + pull * gain, pp + pull, qq + pull
    share = pp * qq - pq * pq
    one, other = (qq * pb - pq * qb) / share, (pp * qb - pq * pb) / share
    explained = 2 * (one * of["pb"] + other * of["qb"])
    left = of["bb"] - explained + one * one * of["pp"] + other * other * of["qq"] + 2 * one * other * of["pq"]
    return np.asarray(left, np.float32)


def _within(gain: Plane) -> Plane:
    """The mean square by which a gain that changes from cell to cell differs from its mean in one: 1/12 of the square
    of its change, were that even; it is not."""
    down, across = np.gradient(gain)
    return np.asarray(_UNEVEN / 12 * (down * down + across * across), np.float32)


def _differences(part: Plane, top: int, rows: int) -> tuple[Plane, Plane]:
    """16 times the fourth differences of `rows` rows from `top` on: along even rows at odd columns, along even columns
    at odd rows; 0 where the image ends."""
    columns = part.shape[1] // 2
    pairs = np.ascontiguousarray(part[:, : 2 * columns]).reshape(-1, columns, 2)
    even, o = cv2.extractChannel(pairs, 0), cv2.extractChannel(pairs[top : top + rows : 2], 1)
    across, e = np.zeros(((rows + 1) // 2, columns), np.float32), even[top : top + rows : 2]
    _fourth([o[:, 1:-1], e[:, 1:-1], e[:, 2:], o[:, :-2], o[:, 2:]], across[:, 1:-1])
    down = np.zeros(across.shape, np.float32)
    first, last = (0 if top else 1), (rows // 2 if top + rows + 2 <= len(part) else (rows - 1) // 2)
    at = [even[top + 2 * first + 1 + by :: 2][: max(0, last - first)] for by in (0, -1, 1, -2, 2)]
    if count := min(len(one) for one in at):
        _fourth([one[:count] for one in at], down[first : first + count])
    return across, down


def _fourth(at: Sequence[Plane], into: Plane) -> None:
    """(1, −4, 6, −4, 1) of five neighbours: the middle one, those beside it, those beside these."""
    middle, left, right, far_left, far_right = at
    near = cv2.addWeighted(np.add(left, right), -4, middle, 6, 0)
    np.add(near, far_left, out=near)
    np.add(near, far_right, out=into)


def _band(x: Plane) -> tuple[Plane, Plane]:
    """x − U pyrDown x, and pyrDown x."""
    small = cv2.pyrDown(x)
    return np.asarray(cv2.subtract(x, cv2.pyrUp(small, dstsize=(x.shape[1], x.shape[0]))), np.float32), small


def cell_means(values: Plane, cell: int, cells: tuple[int, int]) -> Plane:
    """Over cells; the last row and column stand for what the last cells lack, and what is more is left out."""
    rows, columns = cells[0] * cell, cells[1] * cell
    lack = max(rows - values.shape[0], 0), max(columns - values.shape[1], 0)
    if any(lack):
        values = cv2.copyMakeBorder(values, 0, lack[0], 0, lack[1], cv2.BORDER_REPLICATE)
    values = values[:rows, :columns]
    while values.shape[0] > cells[0]:  # each time by 2, which takes half as long as once by `cell`
        values = cv2.resize(values, (values.shape[1] // 2, values.shape[0] // 2), interpolation=cv2.INTER_AREA)
    return values


def _blurred(cells: Plane, sigma: float) -> Plane:
    return np.asarray(cv2.GaussianBlur(cells, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE), np.float32)


__all__ = ["APART", "BLACK", "CELL", "FINE_CELL", "LEAST", "SEEN", "Level", "Rows", "cell_means", "levels", "logit"]

"""A result held against what its method says that it did (`Enhanced.declared`), pixel by pixel, and that itself judged.

The picture is made again from the image, by arithmetic of its own, and every pixel of the result must be that one: what
was drawn into it, or taken from it, after the gains or by a fault of the arithmetic, is found wherever it is more than
rounding. What the gains themselves do is then all that is left, and they are small tables, which can be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from fullfield.image import normalise, pyramid
from fullfield.image.declared import Declared
from fullfield.image.guard_levels import APART, SEEN, cell_means
from fullfield.image.image import Enhanced, HighValues, Image
from fullfield.image.marks import MARKED, MARKS_CELL, Marks
from fullfield.image.pyramid import Plane, Rows

ROUNDING = SEEN / 2  # of white: what the roundings of a sound result stay below
_STRIP = 1 << 18  # pixels
_SAMPLED = 8  # rows of a cell, of which its energy is taken
_REACH = 11.0  # of the logits that a picture is compared at: nearer to black and white than a result of 16 bits
_SCALE = (1 << 15) / _REACH
_FAINT = 0.3 * SEEN**2  # what a band leaves of white noise that nobody sees
_AROUND = 2.0  # cells
_WIDE, _NARROW = 5.0, 0.8  # cells of the finest level; of any, at least
_MORE = 1.5  # times as much may be shown further around
_TINY, _NONE = 1e-12, 1e-3  # of energies; a gain


@dataclass(frozen=True, kw_only=True, eq=False)
class Level:
    """Of one level, in the cells of its gain. `dip`: the mean square of what a gain like that around would have shown
    more, where less than half of it is, by what such a gain shows; `taken`: its root, of white. `seen`: how much is
    seen, 0 … 1, of what a gain like that further around shows; `less`: that, times the logarithm of that gain by this
    one. `gain`: of the whole level. `shown`: the mean square that a gain of 1 shows, of white. `cell`: pixels of the
    image a side."""

    dip: Plane
    taken: Plane
    less: Plane
    seen: Plane
    gain: float
    shown: float
    cell: int

    def is_seen(self, gain: float) -> bool:
        """Whether what the source has on this level would be seen at such a gain."""
        return gain * gain * self.shown > _FAINT


@dataclass(frozen=True, kw_only=True, eq=False)
class Held:
    """`unlike`: by how much a pixel differs at most from what the gains make of the image, of white. `added`, `taken`:
    the root of the mean square in cells of `MARKS_CELL`. `levels`: finest first. `turned`: any gain is below 0, the
    tone falls, or any number of what is declared is none."""

    unlike: float
    added: Plane
    taken: Plane
    levels: tuple[Level, ...]
    turned: bool

    @property
    def figures(self) -> dict[str, float]:
        """See `guards`."""
        made = {"unlike": self.unlike, "turned": float(self.turned)}
        for number, level in enumerate(self.levels):
            name = f"dip {number if number < APART else 'coarse'}"
            made[name] = max(float(level.dip.max()), made.get(name, 0.0))
        made["low"] = self._low
        for number, (level, below) in enumerate(pairwise(self.levels[:3])):
            if level.is_seen(below.gain):
                made[f"step {number}"] = below.gain / max(level.gain, 1e-3)
        return made

    @property
    def _low(self) -> float:
        """How many times more the levels that are seen in a place show together further around, beyond `_MORE`."""
        finest = self.levels[0]
        (rows, columns), several = finest.less.shape, [level.cell // finest.cell for level in self.levels]
        less, seen = (
            sum(
                cv2.resize(one, None, fx=by, fy=by, interpolation=cv2.INTER_LINEAR)[:rows, :columns]
                for one, by in zip(planes, several, strict=True)
            )
            for planes in zip(*((level.less, level.seen) for level in self.levels), strict=True)
        )
        return max(float(np.exp((less / np.maximum(seen, 1)).max())) - _MORE, 0.0)

    @property
    def marks(self) -> Marks:
        """Of each cell what is worst."""
        taken, (rows, columns) = self.taken.copy(), self.taken.shape
        for level in self.levels:
            size = [side * level.cell // MARKS_CELL for side in level.taken.shape[::-1]]
            wide = cv2.resize(level.taken, [max(side, 1) for side in size], interpolation=cv2.INTER_LINEAR)
            into = taken[: wide.shape[0], : wide.shape[1]]
            np.maximum(into, wide[:rows, :columns], out=into)
        both = np.stack([self.added, taken]) * np.float32(255 / MARKED)
        return np.asarray(np.fmin(np.rint(both), 255), np.uint8)  # the strongest where a number is none


def held(image: Image, enhanced: Enhanced) -> Held:
    """See the module."""
    declared = enhanced.declared
    assert declared is not None and enhanced.seen is not None
    source = _Source(image, enhanced.seen, declared.shape)
    planes = [pyramid.halve(source, declared.shape)]
    while len(planes) < len(declared.gains):
        planes.append(cv2.pyrDown(planes[-1]))
    z, levels = declared.coarsest(planes[-1]), list[Level]()
    for number in reversed(range(1, len(planes))):
        plane = planes[number - 1]
        energies, made = _Energies(plane.shape, declared, number), np.empty_like(plane)
        for top, band, strip in _strips(pyramid.whole(plane), plane.shape, planes[number], z, declared, number):
            made[top : top + len(strip)] = strip
            energies.add(top, band)
        levels.append(energies.level(z))
        z = made
    energies, compared = _Energies(declared.shape, declared, 0), _Compared(image, enhanced)
    for top, band, strip in _strips(source, declared.shape, planes[0], z, declared, 0):
        energies.add(top, band)
        compared.add(top, strip)
    levels.append(energies.level(z))
    added, taken = np.sqrt(compared.squares)
    tables, rises = (*declared.gains, declared.curve, declared.light), np.diff(declared.curve)
    stands = all(np.isfinite(one).all() for one in tables) and all((one >= 0).all() for one in (rises, *declared.gains))
    return Held(unlike=compared.unlike, added=added, taken=taken, levels=tuple(levels[::-1]), turned=not stands)


class _Source:
    """Rows of x_0, made up to its `shape`."""

    def __init__(self, image: Image, table: Plane, shape: tuple[int, int]) -> None:
        self._pixels, self._table, self._columns = image.pixels, table, shape[1]

    def __call__(self, low: int, high: int) -> Plane:
        rows, columns = self._pixels.shape
        part: Plane = cv2.LUT(self._pixels[min(low, rows - 1) : max(min(high, rows), min(low + 1, rows))], self._table)
        down, right = high - low - len(part), self._columns - columns
        return cv2.copyMakeBorder(part, 0, down, 0, right, cv2.BORDER_REPLICATE) if down or right else part


class _Energies:
    """Of a level, gathered strip by strip."""

    def __init__(self, shape: tuple[int, ...], declared: Declared, number: int) -> None:
        self._cell = declared.cells[number]
        self._rows, self._columns = (-(-side // self._cell) for side in shape)
        self._gain, self._size, self._finest = declared.gains[number], self._cell << number, declared.cells[0]
        self._means = np.zeros((self._rows, self._columns), np.float32)

    def add(self, top: int, band: Plane) -> None:
        """Rows from `top` on."""
        step, first, count = max(1, self._cell // _SAMPLED), top // self._cell, -(-len(band) // self._cell)
        squares = np.square(band[::step])
        down, right = count * self._cell // step - len(squares), self._columns * self._cell - squares.shape[1]
        if down or right:
            squares = cv2.copyMakeBorder(squares, 0, down, 0, right, cv2.BORDER_REPLICATE)
        cv2.resize(squares, (self._columns, count), self._means[first : first + count], 0, 0, cv2.INTER_AREA)

    def level(self, below: Plane) -> Level:
        """`below`: z of the next level."""
        means = np.clip(cell_means(below, self._cell // 2, (self._rows, self._columns)), -_REACH, _REACH)
        slope = np.asarray(np.exp(means) / np.square(1 + np.exp(means)), np.float32)
        gain, energy = self._gain[: self._rows, : self._columns], self._means + np.float32(_TINY)
        around = _blurred(gain * energy, _AROUND) / _blurred(energy, _AROUND)
        missing = np.maximum(around / 2 - gain, 0)
        usual = _blurred(around * around * energy, _AROUND) + _FAINT / np.square(_blurred(slope, _AROUND))
        sigma = max(_WIDE * self._finest / self._size, _NARROW)
        wide = _blurred(gain * energy, sigma) / _blurred(energy, sigma)
        would = wide * wide * energy
        seen = would / (would + _FAINT / np.square(_blurred(slope, sigma)))
        return Level(
            dip=np.asarray(missing * missing * energy / usual, np.float32),
            taken=np.asarray(missing * np.sqrt(energy) * slope, np.float32),
            less=np.asarray(seen * np.log(np.maximum(wide, _TINY) / np.maximum(gain, _NONE)), np.float32),
            seen=np.asarray(seen, np.float32),
            gain=float((gain * energy).sum() / energy.sum()),
            shown=float((energy * slope * slope).mean()),
            cell=self._size,
        )


class _Compared:
    """A result and what it is to be, in units of the last bit."""

    def __init__(self, image: Image, enhanced: Enhanced) -> None:
        self._image, self._pixels = image, enhanced.pixels
        self._top = np.float32((1 << enhanced.bits) - 1)
        shown = 1 / (1 + np.exp(np.arange(1 << 15, -(1 << 15), -1, dtype=np.float32) / np.float32(_SCALE)))
        self._sign = -1 if image.beam is HighValues.BRIGHT else 1
        shown = shown if self._sign > 0 else 1 - shown
        self._table = np.rint(shown * self._top).astype(np.uint16)
        rows, columns = (-(-side // MARKS_CELL) for side in self._pixels.shape)
        self.unlike, self.squares = 0.0, np.zeros((2, rows, columns), np.float32)

    def add(self, top: int, z: Plane) -> None:
        """Rows from `top` on; those of them that the image has."""
        made = self._pixels[top : top + len(z)]
        if not len(made):
            return
        places = cv2.addWeighted(z, _SCALE, z, 0, 1 << 15, dtype=cv2.CV_16U)[: len(made), : made.shape[1]]
        wanted = cv2.LUT(places, self._table)
        hole = normalise.is_padding(self._image, self._image.pixels[top : top + len(z)])
        if hole is not None:
            wanted[hole] = 0  # as every result has it there
        unlike = cv2.norm(made, wanted, cv2.NORM_INF) / float(self._top)
        self.unlike = max(self.unlike, unlike)
        if unlike > ROUNDING:
            first, count = top // MARKS_CELL, -(-len(made) // MARKS_CELL)
            difference = (made.astype(np.float32) - wanted) * (self._sign / self._top)
            for place, sign in enumerate((1, -1)):
                squares = np.square(np.maximum(sign * difference, 0))
                cells = (count, self.squares.shape[2])
                self.squares[place, first : first + count] = cell_means(squares, MARKS_CELL, cells)


def _strips(
    x: Rows, shape: tuple[int, ...], below: Plane, z: Plane, declared: Declared, number: int
) -> Iterator[tuple[int, Plane, Plane]]:
    """A level made of the next one, as (first row, its band, its z), from top to bottom; each has whole cells."""
    (rows, columns), gain, cell = shape, declared.gains[number], declared.cells[number]
    least = max(cell, MARKS_CELL)
    step = max(least, _STRIP // columns // least * least)
    wide = cv2.resize(gain, (gain.shape[1] * cell, gain.shape[0]), interpolation=cv2.INTER_LINEAR)[:, :columns]
    for top in range(0, rows, step):
        bottom = min(top + step, rows)
        band, made = (pyramid.up(one, top, bottom, (rows, columns)) for one in (below, z))
        np.subtract(x(top, bottom), band, out=band)
        cv2.accumulateProduct(band, _enlarged(wide, cell, top, bottom), made)
        yield top, band, made


def _enlarged(wide: Plane, cell: int, top: int, bottom: int) -> Plane:
    """Rows of a gain whose columns are there already, by linear interpolation."""
    places = np.clip((np.arange(top, bottom) + 0.5) / cell - 0.5, 0, len(wide) - 1)
    first, last = int(places[0]), min(int(places[-1]) + 2, len(wide))
    share = np.maximum(0, 1 - np.abs(places[:, None] - np.arange(first, last))).astype(np.float32)
    return np.asarray(share @ wide[first:last])


def _blurred(cells: Plane, sigma: float) -> Plane:
    return np.asarray(cv2.GaussianBlur(cells, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE), np.float32)


__all__ = ["ROUNDING", "Held", "Level", "held"]

"""The form of every picture that a map network can make, as numbers; the network and its application follow it.

    x_0 … x_L    the image and its pyramid, L = `fine` + `COARSE`; x_fine, the base, has 161 to 320 px on its long side
    b_k          x_k − up(x_(k+1)), the image's own bands; x_L has 10 to 20 px
    z_L          T(x_L) + t        T: one rising curve for the whole image; t: a light that varies over a quarter of it
    z_k          up(z_(k+1)) + g_k · b_k        g_k ≥ 0, smooth
    output       σ(z_0)

The network sees the base, the energies of all bands, and how far these lie above what is quiet in the image at the same
brightness, without which noise cannot be told from structure. For every cell of 4 × 4 pixels of the base it gives one
raw number for each level's gain, one for t, and `KNOTS` + 1 whose means over all cells are T. So nothing is drawn. A
gain shows more or less of what is there; it cannot change within less than 8 pixels of its own level, and 4 of the
base. What a soft spot in the network's numbers leaves in flat tissue is what it adds to t, which is bounded and blurred
by 64 pixels of the base: 3 % of a spot whose sigma is 15.
"""

from __future__ import annotations

import math

BASE = 320  # pixels: the base's longer side, at most
CELL = 4  # pixels of the base a side
GRID = 32  # pixels: the base is made up to a multiple of it, by repeating its last row and column
COARSE = 4  # levels from the base on: its own bands
CELLS = 1 << COARSE  # a light's cell, in cells: 64 pixels of the base
KNOTS = 8  # slopes of T, over equal parts of 0…1
SLOPE = 6.0  # of T, and
GAIN = 1.8  # the logarithm of a gain, where the network says 0
BEGIN_SLOPE, BEGIN_GAIN = 12.0, 2.8  # of an untrained network: T gives back the logits that its input is
GAIN_RANGE = (-4.0, 2.5)  # of what the network says
SLOPE_RANGE = (-4.0, 2.0)
LIGHT_RANGE = (-2.0, 2.0)  # of t, so that what is left of a spot in it is bounded, too
LIGHT = (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)  # the blur of t, on its cells
SAMPLED = 4  # rows of a cell above the base, whose energy is taken for that of the cell
FLOOR = 1e-9  # of energies
WIDTHS = (16, 32, 64, 96)  # channels of the network at 1/4, 1/8, 1/16 and 1/32 of the base
HEAD = 16  # channels of the head that all levels share
CODES = 4  # numbers that tell it the level
NODES = 16  # brightnesses, over 0…1, at each of which it is told what is quiet
SHARP = 4.0  # of the soft minimum of energies that is quiet: the harmonic mean of mean squares
BESIDE = 3  # numbers more of a level: how far it and the next one lie above what is quiet, and the next finer one


def fine(longer_side: int) -> int:
    """How many levels lie above the base."""
    return max(0, math.ceil(math.log2(longer_side / BASE)))


def sides(length: int, levels: int) -> list[int]:
    """Of x_0 … x_levels."""
    found = [length]
    for _ in range(levels):
        found.append((found[-1] + 1) // 2)
    return found


def on_grid(base: int) -> int:
    """Cells along a base's side, on the grid."""
    return -(-base // GRID) * (GRID // CELL)


def cells(fine: int) -> tuple[int, ...]:
    """Pixels of each level, finest first, that a cell of its gain has a side."""
    return tuple(CELL << (fine - level) for level in range(fine)) + (2 * CELL,) * COARSE


def tables(rows: int, columns: int) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """Of an image of so many: the shapes of each level's gain, finest first, and of t."""
    above = fine(max(rows, columns))
    height, width = (on_grid(sides(side, above)[-1]) for side in (rows, columns))
    coarse = [(-(-height // (2 << below)), -(-width // (2 << below))) for below in range(COARSE)]
    light = sides(rows, above + COARSE)[-1], sides(columns, above + COARSE)[-1]
    return [(height, width)] * above + coarse, light


def code(level: int, fine: int) -> tuple[float, float, float, float]:
    """What the head is told of a level: whether it is the finest or the next one, how far it lies above the base, and
    whether it is one of the base's own."""
    above = fine - level
    return float(level == 0), float(level == 1), above / 4.0, float(above <= 0)


def around(level: int, levels: int) -> tuple[slice, slice, slice]:
    """Where the next finer level, the level and the next coarser one stand among all; at an end itself for the one that
    there is not."""
    last = levels - 1
    finer, following = max(level - 1, 0), min(level + 1, last)
    return slice(finer, finer + 1), slice(level, level + 1), slice(following, following + 1)


def first_sampled(cell: int) -> int:
    """The first of the rows of a cell above the base that are sampled; even, as strips begin."""
    return max(0, cell - SAMPLED) // 4 * 2

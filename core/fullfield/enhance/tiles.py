"""How an image is cut into tiles that give the whole image's result: pure geometry, no torch.

All coordinates are of the padded image (`padded`): tiles begin and end on the network's 32-pixel grid, for off it the
strides fall elsewhere (a fault of 3e-3 to 2e-2). What a tile keeps, its core, lies `halo` pixels inside its borders,
except where a border is the image's own: there both see the same zeros.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from fullfield.model.card import GRID

LEAST_PORTION_PIXELS = 1 << 19
"""Where a portion has fewer, they are computed sooner than rows are handed over."""


@dataclass(frozen=True, kw_only=True)
class Span:
    """One side of a tile: what is read, `first` … `last` − 1, and what is kept of it."""

    first: int
    last: int
    core_first: int
    core_last: int

    @property
    def length(self) -> int:
        """Pixels read."""
        return self.last - self.first


@dataclass(frozen=True, kw_only=True)
class Tile:
    """One tile by its rows and its columns."""

    rows: Span
    columns: Span

    @property
    def pixels(self) -> int:
        """Pixels read."""
        return self.rows.length * self.columns.length


@dataclass(frozen=True, kw_only=True)
class Cut:
    """An image's tiles, row by row; one tile is the whole image. `together`: they are portions of its rows, see
    `portions`, each computed while all others are, and by another device."""

    row_spans: tuple[Span, ...]
    column_spans: tuple[Span, ...]
    together: bool = False

    def __iter__(self) -> Iterator[Tile]:
        return (Tile(rows=rows, columns=columns) for rows in self.row_spans for columns in self.column_spans)

    def __len__(self) -> int:
        return len(self.row_spans) * len(self.column_spans)

    @property
    def whole(self) -> Tile:
        """What they are tiles of, as one."""
        rows, columns = (spans(side[-1].last, 1, halo=0) for side in (self.row_spans, self.column_spans))
        return Tile(rows=rows[0], columns=columns[0])

    @property
    def largest(self) -> tuple[int, int]:
        """Rows and columns of the largest tile."""
        return max(span.length for span in self.row_spans), max(span.length for span in self.column_spans)

    @property
    def pixels(self) -> int:
        """Pixels read by all tiles together: the cost."""
        return sum(span.length for span in self.row_spans) * sum(span.length for span in self.column_spans)


def padded(length: int) -> int:
    """A side in pixels, rounded up to the grid."""
    return ceil(length / GRID) * GRID


def by_core(rows: int, columns: int, *, core: int, halo: int) -> Cut:
    """Tiles whose cores are at most `core` pixels a side. `rows` and `columns`: padded."""
    return Cut(
        row_spans=spans(rows, ceil(rows / core), halo=halo),
        column_spans=spans(columns, ceil(columns / core), halo=halo),
    )


def cheapest(rows: int, columns: int, *, halo: int, pixels: int) -> Cut | None:
    """The cut of least cost whose tiles read at most `pixels` each; None where even the smallest read more.

    `rows` and `columns`: padded.
    """
    best: Cut | None = None
    for parts in range(1, rows // GRID + 1):
        row_spans = spans(rows, parts, halo=halo)
        widest = pixels // max(span.length for span in row_spans)
        column_spans = _few(columns, halo=halo, widest=widest)
        if column_spans is None:
            continue
        cut = Cut(row_spans=row_spans, column_spans=column_spans)
        if best is None or cut.pixels < best.pixels:
            best = cut
        if len(column_spans) == 1:
            break  # more rows of tiles can only cost more from here on
    return best


def among(devices: int, rows: int, columns: int) -> Cut | None:
    """Portions of the rows for as many of these devices as make the largest one smaller, none with less than
    LEAST_PORTION_PIXELS; None where not even two would have those. `rows` and `columns`: padded."""
    most = min(devices, rows // GRID // ceil(LEAST_PORTION_PIXELS / (GRID * columns)))
    whole = spans(columns, 1, halo=0)
    each = (spans(rows, parts, halo=0) for parts in range(2, most + 1))
    cuts = (Cut(row_spans=row_spans, column_spans=whole, together=True) for row_spans in each)
    return min(cuts, key=lambda cut: cut.largest[0], default=None)


def spans(length: int, parts: int, *, halo: int) -> tuple[Span, ...]:
    """`parts` cores of nearly equal length on the grid, each with its halo as far as the image goes."""
    cells = length // GRID
    edges = [number * cells // parts * GRID for number in range(parts + 1)]
    return tuple(
        Span(first=max(0, first - halo), last=min(length, last + halo), core_first=first, core_last=last)
        for first, last in pairwise(edges)
    )


def _few(length: int, *, halo: int, widest: int) -> tuple[Span, ...] | None:
    """The fewest spans of at most `widest` pixels each; None where one cell with its halo is wider."""
    if widest < min(length, GRID + 2 * halo):
        return None
    for parts in range(ceil(length / widest), length // GRID + 1):
        found = spans(length, parts, halo=halo)
        if max(span.length for span in found) <= widest:
            return found
    return None

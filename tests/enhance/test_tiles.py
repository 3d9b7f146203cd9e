"""The geometry of tiles."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fullfield.enhance import tiles
from fullfield.enhance.tiles import Cut
from fullfield.model.card import GRID

SIDES = st.integers(1, 70).map(lambda cells: cells * GRID)
HALOS = st.integers(0, 18).map(lambda cells: cells * GRID)


@given(rows=SIDES, columns=SIDES, halo=HALOS, core=st.integers(1, 40).map(lambda cells: cells * GRID))
@settings(max_examples=60)
def test_that_cores_cover_every_pixel_once_on_the_grid_with_the_halo_as_far_as_the_image_goes(
    rows: int, columns: int, halo: int, core: int
) -> None:
    kept = np.zeros((rows // GRID, columns // GRID), int)
    for tile in tiles.by_core(rows, columns, core=core, halo=halo):
        for span, side in ((tile.rows, rows), (tile.columns, columns)):
            assert {span.first % GRID, span.last % GRID, span.core_first % GRID, span.core_last % GRID} == {0}
            assert span.first == max(0, span.core_first - halo)
            assert span.last == min(side, span.core_last + halo)
            assert 0 < span.core_last - span.core_first <= core
        kept[
            tile.rows.core_first // GRID : tile.rows.core_last // GRID,
            tile.columns.core_first // GRID : tile.columns.core_last // GRID,
        ] += 1
    assert (kept == 1).all()


@given(rows=SIDES, columns=SIDES, halo=HALOS, pixels=st.integers(1, 70 * 70 * GRID * GRID))
@settings(max_examples=60)
def test_that_the_cheapest_cut_keeps_every_tile_within_the_pixels_allowed(
    rows: int, columns: int, halo: int, pixels: int
) -> None:
    cut = tiles.cheapest(rows, columns, halo=halo, pixels=pixels)
    smallest = min(rows, GRID + 2 * halo) * min(columns, GRID + 2 * halo)
    if cut is None:
        assert pixels < smallest
    else:
        assert max(tile.pixels for tile in cut) <= pixels
        assert cut.pixels == sum(tile.pixels for tile in cut)


def test_that_what_fits_is_not_cut() -> None:
    cut = tiles.cheapest(4288, 4288, halo=256, pixels=4288 * 4288)
    assert cut is not None
    assert len(cut) == 1
    assert cut.largest == (4288, 4288)


def cost(cut: Cut | None) -> float:
    return float("inf") if cut is None else cut.pixels


@pytest.mark.parametrize(
    ("rows", "columns", "pixels"), [(2048, 2048, 1 << 21), (4288, 3520, 3 << 20), (640, 4096, 1 << 20)]
)
def test_that_no_regular_cut_is_cheaper_than_the_cheapest(rows: int, columns: int, pixels: int) -> None:
    found = cost(tiles.cheapest(rows, columns, halo=256, pixels=pixels))
    for down in range(1, 20):
        for across in range(1, 20):
            cut = Cut(row_spans=tiles.spans(rows, down, halo=256), column_spans=tiles.spans(columns, across, halo=256))
            if cut.largest[0] * cut.largest[1] <= pixels:
                assert found <= cut.pixels


@pytest.mark.parametrize(("length", "wanted"), [(1, 32), (32, 32), (33, 64), (4096, 4096), (4097, 4128)])
def test_that_sides_are_padded_to_the_grid(length: int, wanted: int) -> None:
    assert tiles.padded(length) == wanted


@pytest.mark.parametrize(
    ("devices", "rows", "columns", "wanted"),
    [
        (2, 4288, 4288, [2144, 2144]),
        (8, 4288, 4288, [512, 544, 544, 544, 512, 544, 544, 544]),
        (8, 800, 1984, [384, 416]),  # of three the mean would have as much, and one less
        (4, 1024, 1024, [512, 512]),  # four would have less than LEAST_PORTION_PIXELS
        (4, 160, 1 << 16, [32, 64, 64]),  # with a fourth the largest has as much
        (4, 32, 1 << 20, None),
        (2, 992, 1024, None),
        (1, 4288, 4288, None),
    ],
)
def test_that_as_many_devices_share_the_rows_as_gain_by_it(
    devices: int, rows: int, columns: int, wanted: list[int] | None
) -> None:
    cut = tiles.among(devices, rows, columns)
    found = None if cut is None else [span.length for span in cut.row_spans]
    assert found == wanted
    assert cut is None or (cut.together and cut.whole.rows.length == rows and cut.whole.columns.length == columns)

from __future__ import annotations

import cv2
import numpy as np
import pytest

from fullfield.image import pyramid

SHAPES = [(1, 1), (1, 7), (9, 1), (3, 3), (64, 64), (65, 77), (257, 1000), (1000, 301), (2, 3000), (3000, 2)]


@pytest.fixture(params=[1 << 10, 512 << 10], ids=["narrow strips", "wide strips"])
def strip_bytes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(pyramid, "STRIP_BYTES", request.param)
    return int(request.param)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.usefixtures("strip_bytes")
def test_that_strips_give_what_the_whole_array_gives(shape: tuple[int, int]) -> None:
    plane = np.random.default_rng(1).random(shape, dtype=np.float32)

    small = cv2.pyrDown(plane)

    whole = cv2.pyrUp(small, dstsize=shape[::-1])
    for top, bottom in pyramid.strips(shape):
        assert np.array_equal(pyramid.up(small, top, bottom, shape), whole[top:bottom])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.usefixtures("strip_bytes")
def test_that_the_way_down_gives_the_bands_and_the_next_level_of_the_whole_array(shape: tuple[int, int]) -> None:
    plane = np.random.default_rng(1).random(shape, dtype=np.float32)
    small = np.empty(pyramid.halved(shape), np.float32)

    found = np.concatenate([band.copy() for _, band in pyramid.descend(pyramid.whole(plane), shape, small)])

    assert np.array_equal(small, cv2.pyrDown(plane))
    assert np.array_equal(found, plane - cv2.pyrUp(small, dstsize=shape[::-1]))


def test_that_strips_cover_every_row_once_and_start_on_the_grid() -> None:
    found = list(pyramid.strips((1001, 4096)))

    assert [row for top, bottom in found for row in range(top, bottom)] == list(range(1001))
    assert all(top % 8 == 0 for top, _ in found)


@pytest.mark.parametrize("factor", [2, 4])
def test_that_an_enlarged_strip_equals_the_enlarged_whole(factor: int) -> None:
    small = np.random.default_rng(2).random((37, 21), dtype=np.float32)
    whole = cv2.resize(small, (21 * factor, 37 * factor), interpolation=cv2.INTER_LINEAR)

    for top in range(0, 37 * factor - 8, 8):
        strip = pyramid.enlarge(small, factor, top, top + 8, 21 * factor)
        assert np.allclose(strip, whole[top : top + 8], atol=1e-6)


def test_that_the_bands_add_up_to_the_plane_in_its_own_precision() -> None:
    plane = np.random.default_rng(3).random((45, 70))
    *bands, residual = pyramid.laplacian(plane, 3)

    for band in reversed(bands):
        residual = band + cv2.pyrUp(residual, dstsize=band.shape[::-1])

    assert residual.dtype == np.float64
    assert np.abs(residual - plane).max() < 1e-15


def test_that_the_number_of_levels_leaves_a_coarsest_plane_of_about_sixteen_pixels() -> None:
    assert pyramid.levels_for((4096, 4096)) == 8
    assert pyramid.levels_for((16, 16)) == 0
    assert pyramid.levels_for((1, 1)) == 0


def test_that_opencv_shares_no_strip_among_threads_which_would_wait_for_the_next() -> None:
    assert cv2.getNumThreads() == 1

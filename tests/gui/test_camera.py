"""Where one looks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullfield_app.gui.view.camera import LARGEST_SCALE, Camera, Orientation, fit

VIEW, IMAGE = (800.0, 600.0), (4288.0, 4288.0)


def test_that_a_fitted_image_is_whole_and_in_the_middle() -> None:
    camera = fit(VIEW, IMAGE)
    left, top = camera.origin(VIEW)
    assert (left, top) == (100, 0)
    assert left + IMAGE[0] * camera.scale <= 700 + 1 and top + IMAGE[1] * camera.scale <= 600 + 1


@given(x=st.floats(0, 800), y=st.floats(0, 600), factor=st.floats(0.3, 3))
def test_that_the_point_under_the_cursor_stays_there_while_zooming(x: float, y: float, factor: float) -> None:
    camera = Camera(x=2000, y=2100, scale=0.5, fitted=False)
    zoomed = camera.zoomed(factor, (x, y), VIEW, IMAGE)
    left, top = zoomed.origin(VIEW)
    was_left, was_top = camera.origin(VIEW)
    assert (x - left) / zoomed.scale == pytest.approx((x - was_left) / camera.scale, abs=1 / zoomed.scale)
    assert (y - top) / zoomed.scale == pytest.approx((y - was_top) / camera.scale, abs=1 / zoomed.scale)


def test_that_an_image_is_never_panned_out_of_sight() -> None:
    camera = fit(VIEW, IMAGE).panned(1e6, -1e6, IMAGE)
    assert (camera.x, camera.y) == (0, IMAGE[1])


def test_that_zooming_stops_at_pixels_as_large_as_one_can_use() -> None:
    camera = fit(VIEW, IMAGE)
    for _ in range(100):
        camera = camera.zoomed(2, (0, 0), VIEW, IMAGE)
    assert camera.scale == LARGEST_SCALE
    for _ in range(100):
        camera = camera.zoomed(0.5, (0, 0), VIEW, IMAGE)
    assert camera.scale * IMAGE[0] == pytest.approx(64)


PIXELS = np.arange(6, dtype=np.uint16).reshape(2, 3)


@pytest.mark.parametrize("start", [Orientation(), Orientation(turns=1), Orientation(turns=2, mirrored=True)])
def test_that_turns_and_flips_do_what_one_sees(start: Orientation) -> None:
    seen = start.apply(PIXELS)
    assert np.array_equal(start.turned(1).apply(PIXELS), np.rot90(seen, -1))
    assert np.array_equal(start.turned(-1).apply(PIXELS), np.rot90(seen))
    assert np.array_equal(start.flipped().apply(PIXELS), np.fliplr(seen))
    assert np.array_equal(start.flipped(upside_down=True).apply(PIXELS), np.flipud(seen))


def test_that_turning_copies_no_pixel() -> None:
    assert np.shares_memory(Orientation(turns=3, mirrored=True).apply(PIXELS), PIXELS)

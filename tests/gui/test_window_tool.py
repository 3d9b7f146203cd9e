"""The window under the hand leaves neither the image's values nor those that it began with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullfield.image.image import Voi, VoiTable
from fullfield.image.values import Window
from fullfield_app.gui.view.picture import Modality, Picture
from fullfield_app.gui.view.window_tool import WindowDrag, as_window, drag_of, width_and_level


def picture(lowest: int, highest: int) -> Picture:
    return Picture(
        levels=(np.array([[lowest, highest]], np.uint16),),
        bits=12,
        lowest=lowest,
        highest=highest,
        voi=Window(low=lowest, high=highest),
    )


@given(
    low=st.floats(-70000, 70000),
    width=st.floats(0, 140000),
    right=st.floats(-3, 3),
    down=st.floats(-3, 3),
    ends=st.tuples(st.integers(0, 65535), st.integers(0, 65535)).map(sorted),
)
def test_that_no_drag_leaves_the_values_of_the_image_and_of_the_window_it_began_with(
    low: float, width: float, right: float, down: float, ends: list[int]
) -> None:
    shown = picture(ends[0], ends[1])
    moved = drag_of(shown, Window(low=low, high=low + width)).moved(right, down)
    assert min(ends[0], low) - 1e-6 <= moved.low < moved.high <= max(ends[1], ends[0] + 1, low + width) + 1e-6


@pytest.mark.parametrize("sigmoid", [False, True])
def test_that_a_window_of_the_file_beyond_the_data_does_not_jump_at_the_first_touch(*, sigmoid: bool) -> None:
    """Nor to white (Weasis#373): it is cut to what it began with."""
    window = Window(low=-300, high=900, sigmoid=sigmoid)
    drag = drag_of(picture(100, 1100), window)
    assert drag.moved(0.0, 0.0) == window
    narrower = drag.moved(-0.1, 0.0)
    assert (narrower.low, narrower.high) == (-250, 850)
    assert drag.moved(0.0, 3.0).high == 1100


def test_that_a_drag_to_the_right_widens_and_a_drag_down_darkens() -> None:
    drag = WindowDrag(start=Window(low=400, high=600), lowest=0, highest=1000)
    wider, darker = drag.moved(0.2, 0), drag.moved(0, 0.1)
    assert wider.high - wider.low == 400
    assert (darker.low, darker.high) == (500, 700)


def test_that_a_sigmoid_window_stays_one() -> None:
    assert drag_of(picture(0, 1000), Window(low=1, high=2, sigmoid=True)).moved(0.1, 0).sigmoid


@pytest.mark.parametrize(
    ("slope", "intercept", "low", "high", "sigmoid", "said"),
    [
        (1, 0, 1000, 2999, False, ("2000", "2000")),  # WindowCenter 2000, WindowWidth 2000
        (-1, 4095, 1096, 3095, False, ("2000", "2000")),  # the same of a file in which high is dark
        (1, -1024, 1024, 3024, True, ("2000", "1000")),  # a sigmoid
        (1, -1024, 200, 700, True, ("500", "−574")),  # below zero
        (0.001, 0, 1000, 2999, False, ("2.999", "2.5")),  # in a unit of its own: 1 … 2.999, and one more
    ],
)
def test_that_width_and_level_are_told_as_the_file_has_them(
    slope: float, intercept: float, low: float, high: float, said: tuple[str, str], *, sigmoid: bool
) -> None:
    shown = replace(picture(0, 4095), modality=Modality(slope=slope, intercept=intercept))
    assert width_and_level(shown, Window(low=low, high=high, sigmoid=sigmoid)) == said


def test_that_a_window_of_exact_ends_is_as_wide_as_they_lie_apart_also_while_it_is_moved() -> None:
    window, shown = Window(low=1000.0, high=3000.0, exact=True), picture(0, 4095)
    assert width_and_level(shown, window) == ("2000", "2000")
    assert width_and_level(shown, drag_of(shown, window).moved(0.0, 0.0)) == ("2000", "2000")


def test_that_a_table_becomes_the_window_between_its_black_and_its_white() -> None:
    table: Voi = VoiTable(first=100, table=np.clip(np.linspace(-1, 2, 301), 0, 1).astype(np.float32))
    window = as_window(table)
    assert 200 <= window.low <= 206 and 294 <= window.high <= 300

"""Two images and their windows: linked by the share of each one's range, or each on its own."""

from __future__ import annotations

import numpy as np
import pytest

from fullfield.image.values import Window
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.pair import Pair
from fullfield_app.gui.view.picture import Picture
from fullfield_app.gui.view.tone import Shown


def picture(lowest: int, highest: int, low: float, high: float) -> Picture:
    pixels = np.linspace(lowest, highest, 64).astype(np.uint16).reshape(8, 8)
    return Picture(levels=(pixels,), bits=16, lowest=lowest, highest=highest, voi=Window(low=low, high=high))


@pytest.fixture
def pair() -> Pair:
    """Before with values 0 … 1000, after with 0 … 60000."""
    made = Pair()
    made.exchange(Side.BEFORE, picture(0, 1000, 200, 600), None)
    made.exchange(Side.AFTER, picture(0, 60000, 30000, 60000), None)
    return made


def window(pair: Pair, side: Side) -> Window:
    shown = pair[side]
    assert shown is not None and isinstance(shown.voi, Window)
    return shown.voi


def test_that_linked_windows_change_by_the_same_share_of_each_range(pair: Pair) -> None:
    pair.set_window(Side.BEFORE, Window(low=250, high=550))
    after = window(pair, Side.AFTER)
    assert (after.high - after.low) / 60000 == pytest.approx(0.5 - 0.1)
    assert (after.high + after.low) / 2 == pytest.approx(45000)


def test_that_the_other_one_does_not_jump_at_the_first_touch(pair: Pair) -> None:
    pair.set_window(Side.BEFORE, window(pair, Side.BEFORE))
    assert window(pair, Side.AFTER) == Window(low=30000, high=60000)


def test_that_no_rounding_adds_up_over_a_long_drag_and_back(pair: Pair) -> None:
    for step in [*range(300), *reversed(range(300))]:
        pair.set_window(Side.BEFORE, Window(low=200 + step, high=600 + step))
    assert window(pair, Side.AFTER) == Window(low=30000, high=60000)


def test_that_a_linked_window_never_leaves_the_other_image_s_values(pair: Pair) -> None:
    pair.set_window(Side.BEFORE, Window(low=900, high=1000))
    after = window(pair, Side.AFTER)
    assert 0 <= after.low < after.high <= 60000


def test_that_a_window_without_a_link_changes_its_own_image_alone(pair: Pair) -> None:
    pair.set_linked(False)
    pair.set_window(Side.AFTER, Window(low=0, high=10))
    assert window(pair, Side.BEFORE) == Window(low=200, high=600)
    pair.set_linked(True)
    pair.set_window(Side.AFTER, Window(low=0, high=10))
    assert window(pair, Side.BEFORE) == Window(low=200, high=600)


def test_that_a_preset_is_made_of_each_image_s_own_values(pair: Pair) -> None:
    pair.set_windows(None, lambda one: Window(low=one.lowest, high=one.highest))
    assert window(pair, Side.BEFORE).high == 1000 and window(pair, Side.AFTER).high == 60000
    pair.set_linked(False)
    pair.set_windows(Side.AFTER, lambda one: Window(low=1, high=2))
    assert window(pair, Side.BEFORE).high == 1000 and window(pair, Side.AFTER).high == 2


def test_that_one_image_alone_has_its_window_too() -> None:
    pair = Pair()
    pair.exchange(Side.BEFORE, picture(0, 1000, 200, 600), None)
    pair.set_window(Side.BEFORE, Window(low=1, high=2))
    pair.exchange(Side.AFTER, picture(0, 60000, 0, 60000), None)
    pair.set_window(Side.BEFORE, Window(low=1, high=2))
    assert window(pair, Side.AFTER) == Window(low=0, high=60000)


def test_that_inverting_and_resetting_touch_both(pair: Pair) -> None:
    pair.invert()
    assert all(isinstance(shown := pair[side], Shown) and shown.inverted for side in Side)
    pair.set_window(Side.BEFORE, Window(low=1, high=2))
    pair.reset()
    assert window(pair, Side.BEFORE) == Window(low=200, high=600) and not pair.inverted

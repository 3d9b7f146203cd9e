"""Pixels that are not square are drawn as wide and as high as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield_app.gui.view.compare_view import CompareView
from gui import fake_job
from gui.hands import Hands


@pytest.fixture
def high(hands: Hands, radiographs: list[Path], monkeypatch: pytest.MonkeyPatch) -> Hands:
    """A window with an image whose pixels are twice as high as wide."""
    left = fake_job.leave_decoded
    monkeypatch.setattr(
        fake_job, "leave_decoded", lambda *args, **more: left(*args, **{**more, "spacing_mm": (0.3, 0.15)})
    )
    hands.drop_and_wait(radiographs[:1])
    hands.wait(lambda: hands.view("Image after").image_size() is not None)
    return hands


def test_that_both_images_are_drawn_in_true_proportions_whichever_way_up(high: Hands) -> None:
    sides = [high.view(f"Image {side}") for side in ("before", "after")]
    assert [view.image_size() for view in sides] == [(180, 480), (180, 480)]
    high.window.findChildren(CompareView)[0].turn(1)
    assert [view.image_size() for view in sides] == [(480, 180), (480, 180)]


def test_that_one_to_one_is_of_the_shorter_side_of_a_pixel_and_says_so(high: Hands) -> None:
    action = high.window._pages["enhance"].actions_by_key["one_to_one"]
    action.trigger()
    look = high.view("Image before").whole_look()
    assert look is not None
    (left, top), (right, bottom) = look.to_view(0, 0), look.to_view(1, 1)
    assert (right - left, bottom - top) == pytest.approx((1, 2))
    assert "its shorter side" in action.toolTip()

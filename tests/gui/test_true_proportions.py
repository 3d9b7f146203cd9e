"""Pixels that are not square are drawn as wide and as high as they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint

from fullfield_app.gui.enhance.panel import EnhancePanel
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


def test_that_a_line_as_long_on_the_screen_is_as_long_whichever_way_it_lies(
    hands: Hands, radiographs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    left = fake_job.leave_decoded
    monkeypatch.setattr(
        fake_job, "leave_decoded", lambda *args, **more: left(*args, **{**more, "spacing_mm": None, "aspect": (2, 1)})
    )
    hands.drop_and_wait(radiographs[:1])
    hands.wait(lambda: hands.view("Image after").image_size() is not None)
    viewing = hands.window.findChildren(EnhancePanel)[0]._viewing
    hands.window._pages["enhance"].actions_by_key["line"].trigger()
    middle, said = hands.view().rect().center(), []
    for begin, way in ((QPoint(-40, -30), QPoint(60, 0)), (QPoint(-40, 0), QPoint(0, 60))):
        hands.drag(hands.view(), middle + begin, middle + begin + way)
        line = viewing.board.marks.line()
        assert line is not None
        said.append(viewing._calibration.say_length(line))
    assert said[0] == said[1]


def test_that_one_to_one_is_of_the_shorter_side_of_a_pixel_and_says_so(high: Hands) -> None:
    action = high.window._pages["enhance"].actions_by_key["one_to_one"]
    action.trigger()
    look = high.view("Image before").whole_look()
    assert look is not None
    (left, top), (right, bottom) = look.to_view(0, 0), look.to_view(1, 1)
    assert (right - left, bottom - top) == pytest.approx((1, 2))
    assert "its shorter side" in action.toolTip()

"""Pixels that are not square are drawn as wide and as high as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield_app.gui.view.compare_view import CompareView
from gui import fake_job
from gui.hands import Hands


def test_that_both_images_are_drawn_in_true_proportions_whichever_way_up(
    hands: Hands, radiographs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    left = fake_job.leave_decoded
    monkeypatch.setattr(
        fake_job, "leave_decoded", lambda *args, **more: left(*args, **{**more, "spacing_mm": (0.3, 0.15)})
    )
    hands.drop_and_wait(radiographs[:1])
    hands.wait(lambda: hands.view("Image after").image_size() is not None)
    sides = [hands.view(f"Image {side}") for side in ("before", "after")]
    assert [view.image_size() for view in sides] == [(180, 480), (180, 480)]
    hands.window.findChildren(CompareView)[0].turn(1)
    assert [view.image_size() for view in sides] == [(480, 180), (480, 180)]

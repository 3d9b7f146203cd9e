"""Zoom and place of two images: each its own or linked, and what is seen of another image."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from fullfield_app.gui.view.camera import fit
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.compare_view import CompareView, Mode
from fullfield_app.gui.view.image_view import ImageView
from fullfield_app.gui.view.picture import Picture, open_source
from gui.compare_desk import Desk, desk
from gui.fake_job import leave_decoded, radiograph

__all__ = ["desk"]  # the fixture


def test_that_zoom_and_place_can_be_each_image_s_own(desk: Desk) -> None:
    desk.compare.link_looks(False)
    camera = desk.after.camera
    desk.wheel(desk.before, QPoint(120, 90), 3)
    assert desk.after.camera == camera and desk.before.camera.scale > camera.scale
    desk.before.setFocus()
    desk.compare.link_looks(True)
    assert desk.after.camera == desk.before.camera


def test_that_fit_shows_each_image_whole_where_they_are_not_linked(desk: Desk) -> None:
    desk.compare.link_looks(False)
    desk.wheel(desk.after, QPoint(120, 90), 3)
    desk.compare.fit()
    assert desk.before.camera.fitted and desk.after.camera.fitted


@pytest.fixture
def small(tmp_path: Path) -> Picture:
    """Of another size than the images of the desk."""
    return open_source(leave_decoded(tmp_path / "small", radiograph(120, 260))).picture


def is_whole(view: ImageView) -> bool:
    size = view.image_size()
    return size is not None and view.camera == fit(view.view_size(), size)


@pytest.mark.parametrize("order", [(Side.BEFORE, Side.AFTER), (Side.AFTER, Side.BEFORE)])
@pytest.mark.parametrize("linked", [True, False])
def test_that_another_image_is_seen_whole_on_both_sides_whichever_comes_first(
    desk: Desk, small: Picture, order: tuple[Side, Side], linked: bool
) -> None:
    desk.compare.link_looks(linked)
    desk.wheel(desk.after, QPoint(120, 90), 3)
    desk.compare.show_pair(None, None)
    for side in order:
        desk.compare.show_side(side, small)
    assert is_whole(desk.before) and is_whole(desk.after)


def test_that_the_first_image_is_seen_whole_on_both_sides_where_they_were_unlinked_before(
    qtbot: QtBot, small: Picture
) -> None:
    view = CompareView()
    qtbot.addWidget(view)
    view.resize(1000, 500)
    view.show()
    qtbot.waitExposed(view)
    view.link_looks(False)
    for side in Side:
        view.show_side(side, small)
    assert all(is_whole(one) for one in view.findChildren(ImageView))


def test_that_a_result_that_comes_late_is_seen_whole_where_before_was_zoomed_alone(desk: Desk, small: Picture) -> None:
    desk.compare.link_looks(False)
    desk.compare.show_pair(None, None)
    desk.compare.show_side(Side.BEFORE, small)
    desk.wheel(desk.before, QPoint(120, 90), 3)
    zoomed = desk.before.camera
    desk.compare.show_side(Side.AFTER, small)
    assert is_whole(desk.after) and desk.before.camera == zoomed and not zoomed.fitted


def test_that_a_new_result_of_the_same_image_is_seen_from_where_one_looked(desk: Desk) -> None:
    desk.compare.link_looks(False)
    desk.wheel(desk.after, QPoint(120, 90), 3)
    zoomed, shown = desk.after.camera, desk.compare.shown(Side.AFTER)
    assert shown is not None
    desk.compare.show_side(Side.AFTER, None, message="Enhancing…")
    desk.compare.show_side(Side.AFTER, shown.picture)
    assert desk.after.camera == zoomed and not zoomed.fitted


def test_that_another_image_is_seen_whole_one_at_a_time_too(desk: Desk, small: Picture) -> None:
    desk.compare.set_mode(Mode.SINGLE)
    desk.wait(lambda: desk.after.width() > 900)
    desk.compare.show_pair(None, None)
    desk.compare.show_side(Side.BEFORE, small)
    desk.compare.exchange(True)
    assert is_whole(desk.after)
    desk.compare.exchange(False)
    desk.compare.show_side(Side.AFTER, small)
    assert is_whole(desk.after)

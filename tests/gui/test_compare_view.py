"""Before and after, used by hand."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFocusEvent, QImage
from PySide6.QtWidgets import QApplication

from fullfield.image.values import Window
from fullfield_app.gui.view.area import between
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.compare_view import Mode
from fullfield_app.gui.view.difference import Difference
from fullfield_app.gui.view.overlay import Corners
from fullfield_app.gui.view.tool import Tool
from fullfield_app.gui.view.viewer import Viewer
from fullfield_app.gui.widgets.label import ElidedLabel
from gui.compare_desk import Desk, desk, seen
from gui.hands import MIDDLE

RIGHT = Qt.MouseButton.RightButton
__all__ = ["desk"]  # the fixture


def test_that_an_image_fits_its_view_from_the_start_and_after_a_resize(desk: Desk) -> None:
    assert desk.compare.camera.fitted
    before = desk.compare.camera.scale
    desk.compare.resize(1000, 300)
    desk.wait(lambda: desk.compare.camera.scale < before)
    assert desk.compare.camera.fitted


def test_that_the_wheel_zooms_both_views_at_the_cursor(desk: Desk) -> None:
    view, place = desk.before, QPoint(120, 90)
    left, top = view.camera.origin(view.view_size())
    point = ((place.x() - left) / view.camera.scale, (place.y() - top) / view.camera.scale)
    desk.wheel(view, place, 3)
    assert desk.before.camera == desk.after.camera and not desk.before.camera.fitted
    left, top = view.camera.origin(view.view_size())
    now = ((place.x() - left) / view.camera.scale, (place.y() - top) / view.camera.scale)
    assert now == pytest.approx(point, abs=1.5)


def test_that_a_middle_drag_pans_both_views(desk: Desk) -> None:
    desk.wheel(desk.before, QPoint(200, 200), 5)
    camera = desk.compare.camera
    desk.drag(desk.after, QPoint(200, 200), QPoint(230, 180), MIDDLE)
    assert desk.compare.camera.x == pytest.approx(camera.x - 30 / camera.scale)
    assert desk.compare.camera.y == pytest.approx(camera.y + 20 / camera.scale)
    assert desk.before.camera == desk.after.camera


def test_that_a_left_drag_changes_the_window_of_the_image_under_it_alone_where_they_are_not_linked(desk: Desk) -> None:
    desk.compare.link_windows(False)
    before, after = desk.window(Side.BEFORE), desk.window(Side.AFTER)
    desk.drag(desk.before, QPoint(200, 200), QPoint(150, 230))
    now = desk.window(Side.BEFORE)
    assert now.high - now.low < before.high - before.low
    assert desk.window(Side.AFTER) == after


def test_that_no_drag_however_far_leaves_the_values_of_the_image_and_of_its_window(desk: Desk) -> None:
    shown, first = desk.compare.shown(Side.BEFORE), desk.window(Side.BEFORE)
    assert shown is not None
    lowest, highest = min(shown.picture.lowest, first.low), max(shown.picture.highest, first.high)
    for end in (QPoint(5000, 200), QPoint(-5000, 200), QPoint(200, 5000), QPoint(200, -5000)):
        desk.drag(desk.before, QPoint(200, 200), end)
        now = desk.window(Side.BEFORE)
        assert lowest <= now.low < now.high <= highest


def test_that_a_drag_down_makes_the_painted_image_darker(desk: Desk) -> None:
    bright = seen(desk.before).mean()
    desk.drag(desk.before, QPoint(200, 100), QPoint(200, 180))
    assert seen(desk.before).mean() < bright


def test_that_a_double_click_resets_zoom_place_window_and_turn(desk: Desk) -> None:
    desk.wheel(desk.before, QPoint(10, 10), 4)
    desk.drag(desk.before, QPoint(200, 200), QPoint(100, 230))
    desk.compare.turn(1)
    desk.compare.invert()
    desk.qtbot.mouseDClick(desk.before, Qt.MouseButton.LeftButton)
    shown = desk.compare.shown(Side.BEFORE)
    assert shown is not None and shown.voi == shown.picture.voi and not shown.inverted
    assert desk.compare.camera.fitted and desk.compare.orientation.turns == 0


def test_that_one_to_one_paints_every_pixel_of_the_file(desk: Desk) -> None:
    desk.compare.one_to_one()
    shown = desk.compare.shown(Side.BEFORE)
    assert shown is not None
    view, middle = desk.before, seen(desk.before)
    left, top = (round(value) for value in view.camera.origin(view.view_size()))
    row, column = 200, 150
    voi = shown.voi
    assert isinstance(voi, Window)
    expected = np.clip((float(shown.picture.levels[0][row, column]) - voi.low) / (voi.high - voi.low), 0, 1) * 255
    assert abs(int(middle[top + row, left + column]) - expected) <= 1


def test_that_the_curtain_shows_before_on_its_left_and_after_on_its_right(desk: Desk) -> None:
    desk.compare.set_mode(Mode.CURTAIN)
    desk.wait(lambda: desk.curtain.isVisible())
    both = seen(desk.curtain)
    assert both[200:300, 510:560].mean() > both[200:300, 440:490].mean() + 20


def test_that_the_curtain_is_drawn_by_its_edge(desk: Desk) -> None:
    desk.compare.set_mode(Mode.CURTAIN)
    middle = desk.curtain.width() // 2
    desk.drag(desk.curtain, QPoint(middle, 250), QPoint(middle - 150, 250))
    assert desk.curtain.edge == pytest.approx((middle - 150) / desk.curtain.width(), abs=0.01)
    assert seen(desk.curtain)[200:300, middle - 100 : middle - 20].mean() > 120
    desk.qtbot.keyClick(desk.curtain, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
    assert desk.curtain.edge == pytest.approx((middle - 150) / desk.curtain.width() + 0.02, abs=0.01)


def test_that_under_the_curtain_a_drag_changes_the_image_it_began_on(desk: Desk) -> None:
    desk.compare.set_mode(Mode.CURTAIN)
    desk.compare.link_windows(False)
    before, after = desk.window(Side.BEFORE), desk.window(Side.AFTER)
    desk.drag(desk.curtain, QPoint(800, 250), QPoint(700, 250))
    assert desk.window(Side.BEFORE) == before and desk.window(Side.AFTER) != after


def test_that_the_zoom_and_pan_tools_take_the_left_drag(desk: Desk) -> None:
    camera = desk.compare.camera
    desk.compare.set_tool(Tool.ZOOM)
    desk.drag(desk.before, QPoint(200, 200), QPoint(200, 100))
    assert desk.compare.camera.scale > camera.scale
    camera, window = desk.compare.camera, desk.window(Side.BEFORE)
    desk.compare.set_tool(Tool.PAN)
    desk.drag(desk.before, QPoint(200, 200), QPoint(220, 200))
    assert desk.compare.camera.x < camera.x and desk.window(Side.BEFORE) == window


def test_that_arrows_pan_and_with_shift_change_the_window(desk: Desk) -> None:
    desk.wheel(desk.before, QPoint(200, 200), 5)
    camera = desk.compare.camera
    desk.qtbot.keyClick(desk.before, Qt.Key.Key_Right)
    assert desk.compare.camera.x > camera.x
    window = desk.window(Side.BEFORE)
    desk.qtbot.keyClick(desk.before, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert desk.window(Side.BEFORE).high < window.high or desk.window(Side.BEFORE).low > window.low


def test_that_a_view_says_its_zoom_and_window_to_those_who_cannot_see_it(desk: Desk) -> None:
    desk.compare.one_to_one()
    window = desk.window(Side.BEFORE)
    assert desk.before.accessibleDescription().startswith("100 %")
    assert f"W {round(window.high - window.low + 1)}" in desk.before.accessibleDescription()


def test_that_a_view_without_an_image_takes_no_drag(desk: Desk) -> None:
    desk.compare.show_pair(None, None)
    desk.drag(desk.before, QPoint(200, 200), QPoint(100, 230))
    desk.wheel(desk.before, QPoint(200, 200), 2)
    assert desk.compare.shown(Side.BEFORE) is None


def test_that_all_views_are_one_kind(desk: Desk) -> None:
    assert len(desk.compare.findChildren(Viewer)) == 4


def test_that_one_at_a_time_shows_after_and_in_exchange_before_in_the_same_place(desk: Desk) -> None:
    desk.compare.set_mode(Mode.SINGLE)
    desk.wait(lambda: desk.after.width() > 900)
    assert not desk.before.isVisible()
    camera, bright = desk.after.camera, seen(desk.after).mean()
    desk.compare.exchange(True)
    assert seen(desk.after).mean() < bright - 5 and desk.after.camera == camera
    desk.compare.exchange(False)
    assert seen(desk.after).mean() == bright


def test_that_an_exchange_holds_side_by_side_and_under_the_curtain_too(desk: Desk) -> None:
    before, after = seen(desk.before).mean(), seen(desk.after).mean()
    desk.compare.exchange(True)
    assert seen(desk.before).mean() > (before + after) / 2 > seen(desk.after).mean()
    desk.compare.set_mode(Mode.CURTAIN)
    desk.wait(lambda: desk.curtain.isVisible())
    both = seen(desk.curtain)
    assert both[200:300, 440:490].mean() > both[200:300, 510:560].mean() + 20


def test_that_an_exchange_shows_the_plain_image_in_place_of_the_difference(desk: Desk) -> None:
    desk.compare.set_mode(Mode.DIFFERENCE)
    [view] = desk.compare.findChildren(Difference)
    colours = view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    desk.compare.exchange(True)
    plain = view.grab().toImage()
    middle = plain.pixelColor(view.width() // 2, view.height() // 2)
    assert middle.red() == middle.green() == middle.blue() and plain != colours


def test_that_a_right_drag_windows_what_lies_in_it_on_both_images(desk: Desk) -> None:
    desk.drag(desk.after, QPoint(200, 200), QPoint(260, 260), RIGHT)
    look = desk.after.whole_look()
    assert look is not None
    area = between(look.to_image(200, 200), look.to_image(260, 260))
    for side in Side:
        shown = desk.compare.shown(side)
        assert shown is not None
        inside = np.asarray(shown.picture.levels[0])[area.slices()]
        now = desk.window(side)
        assert (now.low, now.high) == pytest.approx(tuple(np.percentile(inside, [1, 99])), abs=8)


def test_that_a_right_drag_windows_one_image_alone_where_they_are_not_linked(desk: Desk) -> None:
    desk.compare.link_windows(False)
    before, after = desk.window(Side.BEFORE), desk.window(Side.AFTER)
    desk.drag(desk.before, QPoint(200, 200), QPoint(260, 260), RIGHT)
    assert desk.window(Side.BEFORE) != before and desk.window(Side.AFTER) == after


def test_that_a_right_click_asks_for_the_menu_and_leaves_the_window(desk: Desk) -> None:
    before = desk.window(Side.BEFORE)
    with desk.qtbot.waitSignal(desk.compare.menu_asked):
        desk.qtbot.mouseClick(desk.before, RIGHT, pos=QPoint(200, 200))
    assert desk.window(Side.BEFORE) == before


def test_that_the_space_bar_with_a_drag_pans_and_alone_is_a_tap(desk: Desk) -> None:
    desk.wheel(desk.before, QPoint(200, 200), 5)
    camera, window = desk.compare.camera, desk.window(Side.BEFORE)
    taps: list[bool] = []
    desk.compare.tapped.connect(lambda: taps.append(True))
    desk.qtbot.keyPress(desk.before, Qt.Key.Key_Space)
    desk.drag(desk.before, QPoint(200, 200), QPoint(230, 180))
    desk.qtbot.keyRelease(desk.before, Qt.Key.Key_Space)
    assert desk.compare.camera.x == pytest.approx(camera.x - 30 / camera.scale)
    assert desk.window(Side.BEFORE) == window and not taps
    desk.qtbot.keyClick(desk.before, Qt.Key.Key_Space)
    assert taps


def test_that_a_space_bar_that_is_let_go_elsewhere_pans_no_more(desk: Desk) -> None:
    window = desk.window(Side.BEFORE)
    desk.qtbot.keyPress(desk.before, Qt.Key.Key_Space)
    QApplication.sendEvent(desk.before, QFocusEvent(QEvent.Type.FocusOut))
    desk.drag(desk.before, QPoint(200, 200), QPoint(150, 230))
    assert desk.window(Side.BEFORE) != window


def test_that_the_values_under_the_mouse_are_told(desk: Desk) -> None:
    desk.compare.one_to_one()
    left, top = desk.before.camera.origin(desk.before.view_size())
    desk.move(desk.before, QPoint(round(left) + 150, round(top) + 200), Qt.MouseButton.NoButton)
    shown = desk.compare.shown(Side.BEFORE)
    assert shown is not None
    said = desk.compare.findChildren(ElidedLabel)[0].text()
    assert "x 150" in said and "y 200" in said and f"before {shown.picture.levels[0][200, 150]}" in said
    QApplication.sendEvent(desk.before, QEvent(QEvent.Type.Leave))
    assert desk.compare.findChildren(ElidedLabel)[0].text() == ""


def test_that_presets_and_what_is_in_sight_window_both_images(desk: Desk) -> None:
    desk.compare.set_windows(lambda picture: Window(low=picture.lowest, high=picture.highest))
    shown = desk.compare.shown(Side.AFTER)
    assert shown is not None
    assert (desk.window(Side.AFTER).low, desk.window(Side.AFTER).high) == (shown.picture.lowest, shown.picture.highest)
    desk.wheel(desk.before, QPoint(230, 230), 12)
    desk.compare.set_windows(None)
    assert desk.window(Side.AFTER).low > shown.picture.lowest


def test_that_the_corners_are_painted_only_while_they_are_asked_for(desk: Desk) -> None:
    plain = seen(desk.before)
    desk.compare.set_corners(Corners(upper_left=("DOE JANE",)))
    assert np.array_equal(seen(desk.before), plain)
    assert "DOE" not in desk.before.accessibleDescription()
    desk.compare.show_overlay(True)
    assert not np.array_equal(seen(desk.before), plain) and "DOE JANE" in desk.before.accessibleDescription()
    desk.compare.show_overlay(False)
    assert np.array_equal(seen(desk.before), plain) and "DOE" not in desk.before.accessibleDescription()

"""Comparing and measuring on the page, by mouse and keys."""

from __future__ import annotations

import csv
import weakref
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QTableWidget, QToolButton

from fullfield_app.gui.enhance.panel import EnhancePanel
from fullfield_app.gui.enhance.view_bar import ViewBar
from fullfield_app.gui.measure.marks import Marks, Slot
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.compare_view import CompareView
from fullfield_app.gui.view.picture import Picture
from gui.hands import Hands

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
RIGHT = Qt.MouseButton.RightButton


@pytest.fixture
def seen(hands: Hands, radiographs: list[Path]) -> Hands:
    """Three images, the first one seen before and after."""
    hands.drop_and_wait(radiographs)
    hands.wait(lambda: hands.view("Image after").image_size() == (180, 240))
    hands.view().setFocus()
    return hands


def compare(hands: Hands) -> CompareView:
    return hands.window.findChildren(CompareView)[0]


def picture_of(hands: Hands, side: Side) -> Picture:
    shown = compare(hands).shown(side)
    assert shown is not None
    return shown.picture


def marks(hands: Hands) -> Marks:
    page = hands.window.findChildren(EnhancePanel)[0]
    return page._viewing.board.marks


def cell(hands: Hands, row: int, column: int) -> str:
    table = hands.widget("Regions before and after")
    assert isinstance(table, QTableWidget)
    item = table.item(row, column)
    return item.text() if item is not None else ""


def draw(hands: Hands, key: Qt.Key, start: tuple[int, int], end: tuple[int, int]) -> None:
    hands.key(key)
    hands.drag(hands.view(), QPoint(*start), QPoint(*end))


def test_that_the_images_are_exchanged_while_the_key_is_held(seen: Hands) -> None:
    seen.qtbot.keyPress(seen.view(), Qt.Key.Key_B)
    assert compare(seen).exchanged
    seen.qtbot.keyRelease(seen.view(), Qt.Key.Key_B)
    assert not compare(seen).exchanged


def test_that_the_key_blinks_from_the_list_too_and_ends_with_the_focus(seen: Hands) -> None:
    seen.list.setFocus()
    seen.qtbot.keyPress(seen.list, Qt.Key.Key_B)
    assert compare(seen).exchanged
    QApplication.sendEvent(seen.window, QEvent(QEvent.Type.WindowDeactivate))
    assert not compare(seen).exchanged


def test_that_an_exchange_can_be_kept_without_holding_a_key(seen: Hands) -> None:
    seen.key(Qt.Key.Key_B, SHIFT)
    assert compare(seen).exchanged
    seen.key(Qt.Key.Key_B, SHIFT)
    assert not compare(seen).exchanged
    seen.click("Button: Blink")
    assert compare(seen).exchanged
    seen.qtbot.keyPress(seen.view(), Qt.Key.Key_B)
    assert not compare(seen).exchanged
    seen.qtbot.keyRelease(seen.view(), Qt.Key.Key_B)
    assert compare(seen).exchanged


def test_that_an_image_that_was_looked_at_long_ago_is_let_go(
    hands: Hands, radiographs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fullfield_app.gui.enhance.pictures.KEPT", 1)
    hands.drop_and_wait(radiographs)
    hands.wait(lambda: hands.view("Image after").image_size() == (180, 240))
    pictures = [weakref.ref(picture_of(hands, side)) for side in Side]
    hands.list.setFocus()
    for _ in range(2):
        hands.key(Qt.Key.Key_PageDown)
        hands.wait(lambda: hands.view("Image after").image_size() is not None)
    hands.wait(lambda: [picture() for picture in pictures] == [None, None])


def test_that_number_keys_are_windows(seen: Hands) -> None:
    said = set[str]()
    for key in (Qt.Key.Key_2, Qt.Key.Key_4, Qt.Key.Key_6, Qt.Key.Key_1):
        seen.key(key)
        said.add(seen.view().accessibleDescription())
    assert len(said) == 4


def test_that_the_overlay_comes_and_goes_by_key_and_stays_so(seen: Hands) -> None:
    before = seen.view().accessibleDescription()
    seen.key(Qt.Key.Key_O)
    after = seen.view().accessibleDescription()
    assert ("CHEST" in before) != ("CHEST" in after)
    seen.key(Qt.Key.Key_PageDown)
    seen.wait(lambda: seen.text("File of this image") == "IM0002.dcm")
    seen.wait(lambda: seen.view().image_size() is not None)
    assert ("CHEST" in seen.view().accessibleDescription()) == ("CHEST" in after)
    seen.key(Qt.Key.Key_O)
    assert ("CHEST" in seen.view().accessibleDescription()) == ("CHEST" in before)


def test_that_a_right_click_opens_the_menu(seen: Hands) -> None:
    seen.qtbot.mouseClick(seen.view(), RIGHT, pos=QPoint(100, 100))
    menu = seen.widget("What can be done with the image")
    assert isinstance(menu, QMenu) and menu.isVisible()
    assert {"Window presets", "Measure", "Fit", "Reset view"} <= {action.text() for action in menu.actions()}
    menu.close()


def test_that_two_regions_give_a_table_before_and_after(seen: Hands) -> None:
    assert not seen.sees("Regions before and after")
    draw(seen, Qt.Key.Key_G, (150, 150), (200, 220))
    draw(seen, Qt.Key.Key_E, (220, 300), (280, 360))
    seen.wait(lambda: cell(seen, 6, 3) not in ("", "–"))
    assert cell(seen, 6, 0) == "CNR" and float(cell(seen, 0, 2)) > float(cell(seen, 0, 1)) > 0
    assert "Area 1" in seen.text("Areas and length") and "mm²" in seen.text("Areas and length")
    regions = marks(seen).regions()
    assert not regions[Slot.ONE].round and regions[Slot.TWO].round


def test_that_regions_stay_on_the_anatomy_through_turns_and_zoom_and_other_ways_to_compare(seen: Hands) -> None:
    draw(seen, Qt.Key.Key_G, (150, 150), (200, 220))
    seen.wait(lambda: cell(seen, 0, 1) not in ("", "–"))
    before, mean = marks(seen), cell(seen, 0, 1)
    for key in (Qt.Key.Key_R, Qt.Key.Key_H, Qt.Key.Key_Plus, Qt.Key.Key_C, Qt.Key.Key_X, Qt.Key.Key_4):
        seen.key(key)
    assert marks(seen) == before and cell(seen, 0, 1) == mean


def test_that_a_region_is_moved_resized_and_deleted_by_mouse_and_keys(seen: Hands) -> None:
    draw(seen, Qt.Key.Key_G, (150, 150), (200, 220))
    first = marks(seen).regions()[Slot.ONE]
    seen.drag(seen.view(), QPoint(175, 185), QPoint(195, 185))
    moved = marks(seen).regions()[Slot.ONE]
    assert moved.area.left > first.area.left and moved.area.width == pytest.approx(first.area.width)
    seen.drag(seen.view(), QPoint(220, 220), QPoint(250, 250))
    larger = marks(seen).regions()[Slot.ONE]
    assert larger.area.width > moved.area.width and larger.area.left == moved.area.left
    seen.view().setFocus()
    seen.key(Qt.Key.Key_Right)
    seen.key(Qt.Key.Key_Down, SHIFT)
    by_key = marks(seen).regions()[Slot.ONE]
    assert by_key.area.left > larger.area.left and by_key.area.height > larger.area.height
    seen.key(Qt.Key.Key_Delete)
    assert not marks(seen).placed and len(seen.rows()) == 3


def test_that_measuring_works_without_a_mouse(seen: Hands) -> None:
    seen.key(Qt.Key.Key_M)
    seen.key(Qt.Key.Key_Insert)
    seen.key(Qt.Key.Key_E)
    seen.key(Qt.Key.Key_Insert)
    seen.wait(lambda: cell(seen, 6, 1) not in ("", "–"))
    assert marks(seen).chosen is Slot.TWO
    seen.key(Qt.Key.Key_M, SHIFT)
    assert marks(seen).chosen is Slot.ONE
    seen.key(Qt.Key.Key_Delete, SHIFT)
    assert set(marks(seen).placed) == {Slot.TWO}


def test_that_a_mark_added_by_its_key_is_the_one_that_keys_change_whatever_tool_was_chosen(seen: Hands) -> None:
    seen.view().setFocus()
    seen.key(Qt.Key.Key_E)
    seen.key(Qt.Key.Key_W)
    seen.key(Qt.Key.Key_Insert)
    placed = marks(seen)
    assert placed.regions()[Slot.ONE].round
    seen.key(Qt.Key.Key_Right)
    assert marks(seen) != placed
    seen.key(Qt.Key.Key_Delete)
    assert not marks(seen).placed and len(seen.rows()) == 3


def test_that_a_line_tells_its_length_and_its_profile(seen: Hands) -> None:
    draw(seen, Qt.Key.Key_D, (150, 200), (280, 300))
    seen.wait(lambda: seen.sees("Profile along the line, before and after"))
    assert "Length" in seen.text("Areas and length") and "mm" in seen.text("Areas and length")
    plot = seen.widget("Profile along the line, before and after")
    assert "Before: from" in plot.accessibleDescription() and "After: from" in plot.accessibleDescription()


def test_that_measuring_is_put_away_and_taken_up_again_by_its_key(seen: Hands) -> None:
    draw(seen, Qt.Key.Key_G, (150, 150), (200, 220))
    placed = marks(seen)
    seen.key(Qt.Key.Key_M)
    assert not seen.sees("Regions before and after") and seen.sees("About this image")
    window = seen.view().accessibleDescription()
    seen.drag(seen.view(), QPoint(175, 185), QPoint(140, 185))
    assert marks(seen) == placed and seen.view().accessibleDescription() != window
    seen.key(Qt.Key.Key_M)
    assert seen.sees("Regions before and after") and marks(seen) == placed


def test_that_each_image_keeps_its_own_marks(seen: Hands) -> None:
    draw(seen, Qt.Key.Key_G, (150, 150), (200, 220))
    placed = marks(seen)
    seen.key(Qt.Key.Key_PageDown)
    seen.wait(lambda: not marks(seen).placed)
    seen.key(Qt.Key.Key_PageUp)
    seen.wait(lambda: marks(seen) == placed)
    seen.wait(lambda: cell(seen, 0, 1) not in ("", "–"))


@pytest.mark.parametrize("key", ["remove", "clear_list"])
def test_that_an_image_that_comes_back_to_the_list_has_its_marks_and_is_seen_as_before(seen: Hands, key: str) -> None:
    draw(seen, Qt.Key.Key_G, (150, 150), (200, 220))
    placed = marks(seen)
    seen.key(Qt.Key.Key_I)
    seen.click("Export the new images")
    seen.wait(lambda: all("Exported" in row for row in seen.rows()))
    actions = seen.window._page.actions_by_key
    actions[key].trigger()
    seen.wait(lambda: len(seen.rows()) < 3 and not marks(seen).placed)
    assert not compare(seen).inverted
    actions["undo"].trigger()
    seen.wait(lambda: len(seen.rows()) == 3)
    seen.choose_row(0)
    seen.wait(lambda: marks(seen) == placed and compare(seen).inverted)


def test_that_numbers_are_copied_and_saved_without_a_word_of_the_patient(seen: Hands, tmp_path: Path) -> None:
    draw(seen, Qt.Key.Key_G, (150, 150), (200, 220))
    seen.wait(lambda: cell(seen, 0, 1) not in ("", "–"))
    seen.click("Copy the measurements")
    assert QGuiApplication.clipboard().text().startswith("quantity\tbefore\tafter")
    seen.click("Save the measurements")
    dialog = seen.widget("Save the measurements to a file")
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "numbers.csv"))
    dialog.close()
    seen.wait(lambda: (tmp_path / "numbers.csv").exists())
    text = (tmp_path / "numbers.csv").read_text("utf-8")
    assert [line[0] for line in csv.reader(text.splitlines())][1] == "Mean 1" and "IM0001" not in text


def test_that_a_table_that_cannot_be_saved_is_said(seen: Hands, tmp_path: Path) -> None:
    draw(seen, Qt.Key.Key_G, (150, 150), (200, 220))
    seen.wait(lambda: cell(seen, 0, 1) not in ("", "–"))
    seen.click("Save the measurements")
    dialog = seen.widget("Save the measurements to a file")
    assert isinstance(dialog, QFileDialog)
    (tmp_path / "no folder").write_bytes(b"")
    dialog.fileSelected.emit(str(tmp_path / "no folder" / "numbers.csv"))
    dialog.close()
    seen.wait(lambda: seen.widget("Message").isVisible())


def test_that_no_button_is_cut_where_the_window_is_narrow(seen: Hands) -> None:
    bar = seen.window.findChildren(ViewBar)[0]
    for width in (1366, 1100, 900):
        seen.window.resize(width, 700)
        QApplication.processEvents()
        for button in bar.findChildren(QToolButton):
            assert button.isHidden() or button.width() >= button.sizeHint().width()
    assert not bar.findChildren(QToolButton)[0].isHidden()


def test_that_the_buttons_for_which_there_is_no_room_are_in_a_last_menu(seen: Hands) -> None:
    bar = seen.window.findChildren(ViewBar)[0]
    seen.window.resize(900, 700)
    QApplication.processEvents()
    left_out = [button for button, _ in bar._buttons if button.isHidden()]
    rest = seen.widget("More ways to look")
    assert isinstance(rest, QToolButton) and left_out and not rest.isHidden()
    assert rest.geometry().right() <= bar.width()
    assert [action.text() for action in rest.menu().actions()][-1] == "Reset view"
    assert len(rest.menu().actions()) == len(left_out)
    seen.window.resize(1900, 700)
    QApplication.processEvents()
    assert rest.isHidden() and not [button for button, _ in bar._buttons if button.isHidden()]


def test_that_the_button_of_the_left_drag_bears_the_tool(seen: Hands) -> None:
    button = seen.widget("Button: Left drag")
    assert isinstance(button, QToolButton) and button.text() == "Window"
    seen.key(Qt.Key.Key_E)
    assert button.text() == "Ellipse"
    seen.key(Qt.Key.Key_W)
    assert button.text() == "Window"


def test_that_the_buttons_stay_where_they_are_whichever_tool_is_chosen(seen: Hands) -> None:
    bar = seen.window.findChildren(ViewBar)[0]

    def places() -> list[int]:
        seen.window.resize(seen.window.width() + 1, seen.window.height())
        QApplication.processEvents()
        return [button.x() for button, _ in bar._buttons if not button.isHidden()]

    before = places()
    seen.key(Qt.Key.Key_E)
    assert places() == before


def test_that_the_window_with_measuring_fits_a_small_laptop(seen: Hands) -> None:
    draw(seen, Qt.Key.Key_G, (150, 150), (200, 220))
    draw(seen, Qt.Key.Key_D, (150, 200), (280, 300))
    seen.wait(lambda: seen.sees("Profile along the line, before and after"))
    least = seen.window.minimumSizeHint()
    assert least.width() <= 1280 and least.height() <= 700


def test_that_the_plot_is_of_the_chosen_region_while_one_measures(seen: Hands) -> None:
    seen.wait(lambda: seen.text("Contrast before") != "")
    whole = seen.text("Contrast before")
    draw(seen, Qt.Key.Key_G, (150, 150), (200, 220))
    seen.wait(lambda: seen.text("Local contrast, caption") == "Local contrast in 1")
    assert seen.sees("Contrast before and after") and seen.text("Contrast before") != whole
    seen.key(Qt.Key.Key_M)
    seen.wait(lambda: seen.text("Local contrast, caption") == "Local contrast")
    assert seen.text("Contrast before") == whole


def test_that_what_was_added_and_taken_is_shown_with_what_its_colours_mean(seen: Hands) -> None:
    after = seen.view("Image after")
    seen.key(Qt.Key.Key_O, SHIFT)
    assert after.marked and seen.text("What the worker says").startswith("Orange: the result shows")
    seen.key(Qt.Key.Key_O, SHIFT)
    assert not after.marked


def test_that_of_a_result_of_no_ensemble_it_is_said_that_nobody_disagrees(seen: Hands) -> None:
    seen.key(Qt.Key.Key_U, SHIFT)
    assert seen.view("Image after").disagreeing
    assert seen.text("What the worker says").startswith("This result was not made by an ensemble")
    seen.key(Qt.Key.Key_U, SHIFT)
    assert not seen.view("Image after").disagreeing

"""What was opened last is what one sees, but never under a hand that holds the image before."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QAbstractSlider, QLineEdit, QWidget

from gui.conftest import make_files
from gui.hands import LEFT, NO_KEYS, Hands


def shown(hands: Hands) -> int:
    """The image that the views show; −1: none."""
    index = hands.window._page._showing.index
    assert isinstance(index, int)
    return index


@pytest.fixture
def more(tmp_path: Path) -> list[Path]:
    """Files of the next patient."""
    return make_files(tmp_path / "more", ["NEXT1.dcm", "NEXT2.dcm"])


def test_that_the_first_of_the_images_opened_last_is_seen_and_in_sight(
    hands: Hands, tmp_path: Path, more: list[Path]
) -> None:
    hands.drop_and_wait(make_files(tmp_path / "in", [f"IM{number:04}.dcm" for number in range(12)]))
    hands.choose_row(0)
    assert shown(hands) == 0
    hands.drop(more)
    hands.wait(lambda: shown(hands) == 12)
    hands.wait(lambda: len(hands.rows()) == 14 and all("Enhanced" in row for row in hands.rows()))
    hands.wait(lambda: len(hands.groups()) == 1)  # they have found their group
    place = next(place for place in hands.places() if "NEXT1" in place.data())
    assert hands.list.currentIndex() == place and hands.list.selectionModel().selectedIndexes() == [place]
    assert hands.list.viewport().rect().contains(hands.list.visualRect(place).center())


@pytest.mark.parametrize("mode", ["side_by_side", "curtain"])
def test_that_a_drag_goes_on_with_its_image_and_the_new_one_is_seen_after_it(
    hands: Hands, radiographs: list[Path], more: list[Path], mode: str
) -> None:
    hands.drop_and_wait(radiographs)
    hands.window._page.actions_by_key[mode].trigger()
    view: QWidget = hands.view() if mode == "side_by_side" else hands.widget("Before and after under a curtain")
    hands.wait(lambda: hands.view("Image after").image_size() is not None)
    hands.qtbot.mousePress(view, LEFT, NO_KEYS, view.rect().center())  # on the curtain: its edge
    hands.move(view, view.rect().center() + QPoint(10, 0), LEFT)
    hands.drop(more)
    hands.wait(lambda: len(hands.rows()) == 5 and all("Enhanced" in row for row in hands.rows()))
    assert shown(hands) == 0
    hands.move(view, view.rect().center() + QPoint(20, 0), LEFT)
    hands.qtbot.mouseRelease(view, LEFT, NO_KEYS, view.rect().center() + QPoint(20, 0))
    assert shown(hands) == 3


def test_that_a_slider_that_is_held_is_not_handed_to_another_patient(
    hands: Hands, radiographs: list[Path], more: list[Path]
) -> None:
    hands.drop_and_wait(radiographs)
    hands.window._page.actions_by_key["adjust"].trigger()
    slider = hands.window._page._adjustment.panel._sliders[0]._slider
    assert isinstance(slider, QAbstractSlider)
    slider.setSliderDown(True)
    slider.setValue(slider.value() + 5)
    hands.drop(more)
    hands.wait(lambda: len(hands.rows()) == 5)
    hands.qtbot.wait(50)
    assert shown(hands) == 0
    slider.setSliderDown(False)
    hands.wait(lambda: shown(hands) == 3)
    rows = hands.window._page.work.queue.rows()
    assert [bool(row.method.changes) for row in rows] == [True, False, False, False, False]


def test_that_what_a_dialog_asks_of_an_image_is_not_done_to_another_patient_that_comes_meanwhile(
    hands: Hands, radiographs: list[Path], more: list[Path]
) -> None:
    hands.drop_and_wait(radiographs)
    hands.window._page.actions_by_key["adjust"].trigger()
    hands.wait(lambda: hands.widget("Save these values as a preset of your own").isEnabled())
    hands.click("Save these values as a preset of your own")
    title = hands.widget("Name of the preset")
    assert isinstance(title, QLineEdit)
    hands.window.open(more)  # as a folder that is still being walked brings them
    hands.wait(lambda: len(hands.rows()) == 5)
    hands.qtbot.wait(50)
    title.setText("Ours")
    hands.click("Save the preset")
    hands.wait(lambda: shown(hands) == 3)
    rows = hands.window._page.work.queue.rows()
    assert [row.method.choice for row in rows] == ["ours", *["auto"] * 4]


@pytest.mark.parametrize("tool", ["window", "mark"])
def test_that_a_drag_ends_where_another_image_is_turned_to(hands: Hands, radiographs: list[Path], tool: str) -> None:
    def seen() -> tuple[object, object]:
        """The window of the image that is seen, and its marks."""
        found = view.shown_at(QPointF())
        return found and found[1].voi, dict(page._viewing.board.marks.placed)

    def turn_to(index: int, key: Qt.Key) -> None:
        hands.key(key)
        hands.wait(lambda: shown(hands) == index and view.shown_at(QPointF()) is not None)

    hands.drop_and_wait(radiographs)
    hands.choose_row(0)
    page, view = hands.window._page, hands.view()
    middle, aside = view.rect().center(), QPoint(30, 30)
    if tool == "mark":
        page.actions_by_key["rectangle"].trigger()
        hands.drag(view, middle - aside, middle + aside)
        turn_to(1, Qt.Key.Key_PageDown)
        hands.drag(view, middle - 2 * aside, middle - aside)  # a region of its own
    else:
        turn_to(1, Qt.Key.Key_PageDown)
    own = seen()
    turn_to(0, Qt.Key.Key_PageUp)
    first = seen()
    hands.qtbot.mousePress(view, LEFT, NO_KEYS, middle)
    hands.move(view, middle + QPoint(10, 60), LEFT)
    assert view.dragging and seen() != first
    turn_to(1, Qt.Key.Key_PageDown)
    hands.move(view, middle + QPoint(11, 60), LEFT)
    hands.qtbot.mouseRelease(view, LEFT, NO_KEYS, middle + QPoint(11, 60))
    assert seen() == own


def test_that_images_that_come_back_by_undo_are_seen(hands: Hands, radiographs: list[Path]) -> None:
    hands.drop_and_wait(radiographs)
    hands.choose_row(2)
    hands.key(Qt.Key.Key_Delete)
    hands.wait(lambda: shown(hands) == 1)
    hands.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    hands.wait(lambda: shown(hands) == 2)

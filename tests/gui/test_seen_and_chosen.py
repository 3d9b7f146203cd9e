"""What one sees is what commands act on, however the selection was changed, and after a removal."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QComboBox

from gui.hands import LEFT, NO_KEYS, Hands

CONTROL = Qt.KeyboardModifier.ControlModifier


def shown(hands: Hands) -> int:
    """The image that the views show; −1: none."""
    index = hands.window._page._showing.index
    assert isinstance(index, int)
    return index


def click(hands: Hands, row: int) -> None:
    """With Ctrl."""
    place = hands.list.visualRect(hands.places()[row]).center()
    hands.qtbot.mouseClick(hands.list.viewport(), LEFT, CONTROL, place)


def click_below(hands: Hands) -> None:
    place = QPoint(60, hands.list.visualRect(hands.places()[-1]).bottom() + 20)
    assert not hands.list.indexAt(place).isValid() and hands.list.viewport().rect().contains(place)
    hands.qtbot.mouseClick(hands.list.viewport(), LEFT, NO_KEYS, place)


def choices(hands: Hands) -> list[str]:
    return [row.method.choice for row in hands.window._page.work.queue.rows()]


def pick(hands: Hands, data: str) -> None:
    combo = hands.widget("Preset or model")
    assert isinstance(combo, QComboBox)
    hands.wait(lambda: combo.findData(data) > 0)
    combo.setCurrentIndex(combo.findData(data))
    combo.activated.emit(combo.findData(data))


@pytest.mark.parametrize("leave", ["a click on the empty part of the list", "Ctrl and a click"])
def test_that_the_image_that_is_seen_is_acted_on_where_none_is_selected(
    hands: Hands, radiographs: list[Path], leave: str
) -> None:
    hands.drop_and_wait(radiographs[:2])
    hands.choose_row(1)
    if leave == "Ctrl and a click":
        click(hands, 1)
    else:
        click_below(hands)
    assert shown(hands) == 1 and not hands.list.selectionModel().selectedIndexes()
    actions = hands.window._page.actions_by_key
    assert all(actions[key].isEnabled() for key in ("export_selected", "remove", "enhance"))
    pick(hands, "skull")
    hands.wait(lambda: choices(hands) == ["auto", "skull"])


def test_that_an_image_taken_from_those_selected_is_not_the_one_that_is_seen(
    hands: Hands, radiographs: list[Path]
) -> None:
    hands.drop_and_wait(radiographs)
    hands.choose_row(0)
    click(hands, 2)
    assert shown(hands) == 2
    click(hands, 2)
    assert shown(hands) == 0
    pick(hands, "skull")
    hands.wait(lambda: choices(hands) == ["skull", "auto", "auto"])


@pytest.mark.parametrize("grouped", [True, False])
def test_that_after_a_removal_one_looks_at_the_next_image_else_at_the_one_before_and_it_is_selected(
    hands: Hands, radiographs: list[Path], grouped: bool
) -> None:
    hands.drop_and_wait(radiographs)
    hands.wait(lambda: len(hands.groups()) == 1)
    if not grouped:
        hands.window._page.actions_by_key["grouped"].trigger()
    hands.choose_row(1)
    for seen in (2, 0):
        hands.key(Qt.Key.Key_Delete)
        hands.wait(lambda seen=seen: shown(hands) == seen)
        assert [place.data() for place in hands.list.selectionModel().selectedIndexes()] == [f"IM000{seen + 1}.dcm"]

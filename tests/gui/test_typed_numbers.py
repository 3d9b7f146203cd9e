"""A number that is typed beside a slider, and not entered: of which image it is, and when it counts."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDoubleSpinBox

from fullfield_app.gui.enhance.adjusting import REST_MILLISECONDS
from fullfield_app.gui.view.compare_view import CompareView
from gui.fake_job import FakeJob
from gui.hands import Hands
from gui.test_adjusting import CONTROL, enhancements, press, seen


def typed(hands: Hands) -> QDoubleSpinBox:
    """The number of a slider, with another one typed into it."""
    number = hands.widget("Number: Detail, Amount")
    assert isinstance(number, QDoubleSpinBox)
    number.setFocus()
    number.selectAll()
    hands.qtbot.keyClicks(number, "0.7")
    return number


def test_that_a_number_that_is_typed_and_not_entered_yet_counts_for_what_is_exported_by_a_key(
    opened: Hands, jobs: list[FakeJob]
) -> None:
    before = len(jobs[0].posted)
    opened.qtbot.keyClick(typed(opened), Qt.Key.Key_E, CONTROL)
    opened.wait(lambda: opened.text("Message, in short") == "One image was not exported.")

    def asked() -> list[dict[str, Any]]:
        return [command for command in jobs[0].posted[before:] if command["command"] in ("enhance", "export")]

    opened.wait(lambda: bool(asked()))
    assert [command["command"] for command in asked()] == ["enhance"] and "0.7" in str(asked()[0]["changes"])


def test_that_a_number_that_is_typed_is_that_of_its_image_where_a_key_goes_on_to_the_next_one(
    opened: Hands, jobs: list[FakeJob]
) -> None:
    before = len(enhancements(jobs))
    opened.qtbot.keyClick(typed(opened), Qt.Key.Key_PageDown)
    opened.qtbot.wait(REST_MILLISECONDS + 100)
    [asked] = enhancements(jobs)[before:]
    assert asked["index"] == 0 and asked["changes"] == [["detail.gain", 0.7]]


def test_that_a_number_that_is_being_typed_stays_while_the_one_before_it_is_enhanced_with(opened: Hands) -> None:
    view = opened.window.findChild(CompareView)
    press(opened, Qt.Key.Key_End)
    number = typed(opened)
    opened.wait(lambda: seen(view) > 40)
    assert (number.text(), number.value()) == ("0.7", 4.0)
    opened.click("Reset: Detail, Amount")
    assert number.text() == f"{number.value():.2f}" != "4.00", "the preset's own"

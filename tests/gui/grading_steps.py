"""What a reader does in the dialog of blind grading, step by step."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QTableWidget, QTextEdit, QToolButton, QWidget

from fullfield_app.gui.view.image_view import ImageView
from gui.hands import PATIENT, Hands

CONTROL = Qt.KeyboardModifier.ControlModifier
KEYS = {-2: Qt.Key.Key_1, -1: Qt.Key.Key_2, 0: Qt.Key.Key_3, 1: Qt.Key.Key_4, 2: Qt.Key.Key_5}


@pytest.fixture
def enhanced(hands: Hands, radiographs: list[Path]) -> Hands:
    """A window whose three images are enhanced, and its dialog of blind grading."""
    hands.drop_and_wait(radiographs)
    open_dialog(hands)
    return hands


def open_dialog(hands: Hands) -> None:
    activate(hands, hands.window)
    hands.list.setFocus()
    hands.key(Qt.Key.Key_B, CONTROL)
    hands.wait(lambda: hands.sees("Images to grade") and combo(hands, "Criteria for").count() > 0)


def combo(hands: Hands, name: str) -> QComboBox:
    found = hands.widget(name)
    assert isinstance(found, QComboBox)
    return found


def press(hands: Hands, key: Qt.Key) -> None:
    dialog = hands.widget("Blind grading")
    activate(hands, dialog)
    hands.qtbot.keyClick(dialog.focusWidget() or dialog, key)


def activate(hands: Hands, window: QWidget) -> None:
    """What a desktop does when the window above is closed, and this test's desktop does not."""
    window.activateWindow()
    hands.wait(window.isActiveWindow)


def write_criteria(hands: Hands, text: str) -> None:
    lines = hands.widget("Criteria, one per line")
    assert isinstance(lines, QTextEdit)
    lines.setFocus()
    hands.qtbot.keyClick(lines, Qt.Key.Key_A, CONTROL)
    for number, line in enumerate(text.splitlines()):
        if number:
            hands.qtbot.keyClick(lines, Qt.Key.Key_Return)
        hands.qtbot.keyClicks(lines, line)


def start(hands: Hands, criteria: str = "Noise") -> None:
    write_criteria(hands, criteria)
    hands.click("Start grading")
    wait_for_pair(hands)


def wait_for_pair(hands: Hands, seconds: float = PATIENT) -> None:
    hands.wait(lambda: hands.sees("Questions") and hands.widget("Questions").isEnabled(), seconds)


def view(hands: Hands, side: str) -> ImageView:
    found = hands.widget(f"Image on the {side}")
    assert isinstance(found, ImageView)
    return found


def brighter(hands: Hands) -> str:
    """Which side the enhanced image of this pair is on: the one with values beyond the original's 12 bits."""
    bits = {side: view(hands, side)._shown.picture.bits for side in ("left", "right")}
    return max(bits, key=lambda side: bits[side])


def answer(hands: Hands, score: int) -> None:
    """Answer a pair so that the enhanced image gets this score, and go on."""
    clicked = score if brighter(hands) == "right" else -score
    press(hands, KEYS[clicked])
    press(hands, Qt.Key.Key_Return)


def lines(folder: Path) -> list[dict[str, str]]:
    (table,) = (path for path in folder.glob("*.csv") if "statistics" not in path.name)
    return list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8-sig"))))


def end(hands: Hands) -> QTableWidget:
    hands.click("End grading")
    hands.wait(lambda: hands.sees("End the grading and show the result?"))
    hands.click("Show result")
    hands.wait(lambda: hands.sees("Scores by criterion"))
    table = hands.widget("Scores by criterion")
    assert isinstance(table, QTableWidget)
    return table


def close(hands: Hands) -> None:
    press(hands, Qt.Key.Key_Escape)
    hands.wait(lambda: not hands.sees("Blind grading"))


def checked(hands: Hands) -> list[str]:
    buttons = hands.widget("Questions").findChildren(QToolButton)
    return [button.accessibleName() for button in buttons if button.isChecked()]


def choose_version(hands: Hands, name: str, title: str) -> None:
    hands.choose(name, combo(hands, name).findText(title))
    assert combo(hands, name).currentText() == title

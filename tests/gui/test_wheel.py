"""The wheel over a field: it scrolls, and changes the field only where that has the focus."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.decimal_box import DecimalBox
from gui.hands import Hands

FIELDS = (QComboBox, QAbstractSpinBox, QSlider)


def said(field: QWidget) -> object:
    assert isinstance(field, FIELDS)
    if isinstance(field, QComboBox):
        return field.currentText()
    return field.text() if isinstance(field, QAbstractSpinBox) else field.value()


def fields(window: QWidget) -> list[QWidget]:
    found = [widget for widget in window.findChildren(QWidget) if isinstance(widget, FIELDS)]
    return [widget for widget in found if widget.isVisible() and widget.isEnabled()]


@pytest.mark.parametrize("page", ["enhance", "train", "preferences"])
def test_that_the_wheel_changes_no_field_that_lies_under_the_pointer(
    hands: Hands, radiographs: list[Path], page: str
) -> None:
    window: QWidget = hands.window
    if page == "enhance":
        hands.drop_and_wait(radiographs[:1])
        hands.click("Adjust the preset with sliders")
    elif page == "train":
        hands.window._turn_to("train")
    else:
        hands.qtbot.keyClick(hands.window, ",", Qt.KeyboardModifier.ControlModifier)
        hands.wait(lambda: hands.sees("Preferences"))
        window = hands.widget("Preferences")
    hands.wait(lambda: len(fields(window)) > 1)
    for field in fields(window):
        before = said(field)
        for notches in (-1, 1):
            if not field.hasFocus():
                hands.wheel(field, field.rect().center(), notches)
                assert said(field) == before and not field.hasFocus(), field.accessibleName()


def turn(field: QWidget, notches: int) -> bool:
    """Turn the wheel over a field; whether the field keeps it from what lies around."""
    place = QPointF(field.rect().center())
    plain, still = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    angle = QPoint(0, 120 * notches)
    where = QPointF(field.mapToGlobal(place.toPoint()))
    event = QWheelEvent(place, where, QPoint(), angle, Qt.MouseButton.NoButton, plain, still, False)
    QApplication.sendEvent(field, event)
    return event.isAccepted()


def test_that_a_field_takes_the_wheel_only_while_it_has_the_focus(qtbot: QtBot) -> None:
    window, elsewhere, combo = QWidget(), QLineEdit(), QComboBox()
    combo.addItems(["b", "a"])
    combo.setCurrentIndex(1)
    layout = QVBoxLayout(window)
    layout.addWidget(elsewhere)
    made = (combo, QSpinBox(), DecimalBox(), QSlider(Qt.Orientation.Horizontal))
    for number, field in enumerate(made):
        name(field, f"Field {number}")
        layout.addWidget(field)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    for field in made:
        elsewhere.setFocus()
        before = said(field)
        assert not turn(field, 1) and said(field) == before
        field.setFocus()
        qtbot.waitUntil(field.hasFocus)
        assert turn(field, 1) and said(field) != before

"""A field for a number with decimals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QDoubleSpinBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from fullfield.image.preset import PARAMETERS
from fullfield.techniques import registry
from fullfield_app.gui import language
from fullfield_app.gui.enhance.parameter_slider import ParameterSlider
from fullfield_app.gui.enhance.parameter_texts import TEXTS
from fullfield_app.gui.train.options_form import OptionsForm

SHARE = next(one for one in PARAMETERS if one.key in TEXTS and one.low <= 0.25 <= one.high)


@pytest.fixture(autouse=True, params=["en", "es"])
def in_both_languages(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[None]:
    language.install(qapp, request.param)
    yield
    language.install(qapp, "en")
    QLocale.setDefault(QLocale.c())


@pytest.mark.parametrize("typed", ["0.25", "0,25"])
@pytest.mark.parametrize(
    "made",
    [
        lambda: ParameterSlider(SHARE, 0 if SHARE.count else None),
        lambda: OptionsForm("LAMB", tuple(fields(registry.all_techniques()["lamb"].Options))),
    ],
    ids=["of a preset", "of a technique"],
)
def test_that_a_point_and_a_comma_mean_the_same(qtbot: QtBot, made: type[QWidget], typed: str) -> None:
    shown = made()
    qtbot.addWidget(shown)
    number = shown.findChildren(QDoubleSpinBox)[-1]
    number.selectAll()
    qtbot.keyClicks(number, typed)
    number.interpretText()
    assert (
        number.value() == 0.25 and number.text() == f"0{QLocale().decimalPoint()}{'25'.ljust(number.decimals(), '0')}"
    )


def test_that_escape_takes_back_what_is_typed_and_else_is_the_windows(qtbot: QtBot) -> None:
    window, pressed = QWidget(), list[str]()
    slider = ParameterSlider(SHARE, 0 if SHARE.count else None)
    QVBoxLayout(window).addWidget(slider)
    QShortcut(QKeySequence("Esc"), window, lambda: pressed.append("Esc"))
    qtbot.addWidget(window)
    slider.show_value(SHARE.low, SHARE.low)
    window.show()
    window.activateWindow()
    number = slider.findChildren(QDoubleSpinBox)[-1]
    number.setFocus()
    qtbot.waitUntil(number.hasFocus)
    before = number.text()
    number.selectAll()
    qtbot.keyClicks(number, "0.25")
    qtbot.keyClick(number, Qt.Key.Key_Escape)
    assert number.text() == before and not pressed
    number.clearFocus()
    assert slider.value == SHARE.low
    number.setFocus()
    qtbot.keyClick(number, Qt.Key.Key_Escape)
    assert pressed == ["Esc"]

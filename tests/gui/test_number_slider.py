"""What a screen reader is told of a slider."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from fullfield.image.preset import PARAMETERS, Parameter
from fullfield_app.gui.enhance.parameter_slider import STEPS, ParameterSlider
from fullfield_app.gui.enhance.parameter_texts import TEXTS

SHOWN = [parameter for parameter in PARAMETERS if parameter.key in TEXTS]


@pytest.fixture
def row(qtbot: QtBot) -> ParameterSlider:
    gain = next(parameter for parameter in PARAMETERS if parameter.key == "detail.gain")
    row = ParameterSlider(gain)
    qtbot.addWidget(row)
    row.show_value(1.236, own=1.1234)
    return row


def test_that_a_screen_reader_is_told_the_number_beside_a_slider_and_sets_it(row: ParameterSlider) -> None:
    interface = QAccessible.queryAccessibleInterface(row._slider)
    value = interface.valueInterface()
    assert interface.role() is QAccessible.Role.Slider and interface.text(QAccessible.Text.Value) == "1.24"
    assert (value.currentValue(), value.minimumValue(), value.maximumValue()) == (1.24, 0.0, 4.0)
    assert value.minimumStepSize() == pytest.approx(4.0 / STEPS)
    value.setCurrentValue(3.0)
    assert row.value == value.currentValue() == 3.0
    value.setCurrentValue(3.0 + value.minimumStepSize())
    assert row._slider.value() == row._step(3.0) + 1
    row._slider.setValue(row._step(1.1234))
    assert (row.value, value.currentValue()) == (1.1234, 1.12)


@pytest.mark.parametrize("share", [0.0, 0.25, 0.4567])
@pytest.mark.parametrize("parameter", SHOWN, ids=[parameter.key for parameter in SHOWN])
def test_that_every_step_by_key_or_screen_reader_changes_the_number(
    qtbot: QtBot, parameter: Parameter, share: float
) -> None:
    row = ParameterSlider(parameter, 0 if parameter.count else None)
    qtbot.addWidget(row)
    own = parameter.low + share * (parameter.high - parameter.low)
    value = QAccessible.queryAccessibleInterface(row._slider).valueInterface()
    for least in (0.0, value.minimumStepSize()):
        row.show_value(own, own=own)
        said = [row._number.text()]
        for _ in range(20):
            if least:
                value.setCurrentValue(value.currentValue() + least)
            else:
                qtbot.keyClick(row._slider, Qt.Key.Key_Right)
            said.append(row._number.text())
        assert len(set(said)) == len(said)


def test_that_a_screen_reader_sets_no_number_that_is_beyond_the_range_or_none_at_all(row: ParameterSlider) -> None:
    value = QAccessible.queryAccessibleInterface(row._slider).valueInterface()
    for wanted, found in ((1e30, 4.0), (math.nan, 4.0), (-1e30, 0.0), (math.inf, 0.0)):
        value.setCurrentValue(wanted)
        assert value.currentValue() == row.value == found


def test_that_a_slider_has_the_name_the_actions_and_the_hint_that_every_slider_has(row: ParameterSlider) -> None:
    interface = QAccessible.queryAccessibleInterface(row._slider)
    assert interface.text(QAccessible.Text.Name) == row._slider.accessibleName()
    assert "0 to 4" in interface.text(QAccessible.Text.Description)
    assert interface.textInterface() is None and interface.selectionInterface() is None
    assert "SetFocus" in interface.actionInterface().actionNames()

"""The sliders alone: what they say is changed of a preset, and what not."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible
from pytestqt.qtbot import QtBot

from fullfield.image import presets
from fullfield.image.preset import PARAMETERS
from fullfield_app.gui.enhance.adjust_panel import AdjustPanel
from fullfield_app.gui.enhance.parameter_slider import ParameterSlider

FINE = presets.load("chest").adjusted({"detail.gain": 0.875, "edges.gains": (0.3456, 0.125, 0.1234)})


@pytest.fixture
def panel(qtbot: QtBot) -> AdjustPanel:
    panel = AdjustPanel()
    qtbot.addWidget(panel)
    panel.show_preset(FINE, FINE, "")
    return panel


def slider(panel: AdjustPanel, key: str, place: int | None = None) -> ParameterSlider:
    return next(one for one in panel._sliders if (one.parameter.key, one.place) == (key, place))


def test_that_a_preset_with_finer_numbers_than_are_shown_is_not_changed_until_a_slider_is(panel: AdjustPanel) -> None:
    assert panel.changes() == () and not panel._reset.isEnabled()
    slider(panel, "edges.gains", 1)._number.setValue(0.5)
    assert panel.changes() == (("edges.gains", (0.3456, 0.5, 0.1234)),)
    slider(panel, "edges.gains", 1)._reset.click()
    assert panel.changes() == () and not panel._reset.isEnabled()


def test_that_a_slider_put_back_to_its_place_has_the_value_of_the_preset_again(panel: AdjustPanel) -> None:
    for one in panel._sliders:
        place = one._slider.value()
        one._slider.setValue(place + 7 if place < 200 else place - 7)
        assert panel.changes()
        one._slider.setValue(place)
        assert panel.changes() == () and not one.changed, one.title


def test_that_a_screen_reader_hears_of_a_slider_what_the_box_beside_it_says(panel: AdjustPanel) -> None:
    one = slider(panel, "detail.gain")
    for move in (lambda: None, lambda: one._slider.setValue(300), lambda: one._number.setValue(1.25), one._reset.click):
        move()
        interface = QAccessible.queryAccessibleInterface(one._slider)
        assert interface.valueInterface().currentValue() == one._number.value()
        assert "Unit" in interface.text(QAccessible.Text.Description)


def test_that_every_parameter_has_a_slider_but_the_range_which_the_file_s_window_decides(panel: AdjustPanel) -> None:
    """The window and the direct exposure reach further on nearly every image: sliders would do next to nothing."""
    shown = {one.parameter.key for one in panel._sliders}
    assert {one.key for one in PARAMETERS} - shown == {"range.low", "range.high"}


def test_that_an_own_preset_keeps_its_range_though_it_has_no_slider(panel: AdjustPanel) -> None:
    mine = FINE.adjusted({"range.high": 96.0})
    panel.show_preset(mine, mine, "")
    slider(panel, "edges.gains", 1)._number.setValue(0.5)
    assert mine.adjusted(dict(panel.changes())).range_high == 96.0

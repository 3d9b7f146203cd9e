"""Facts in two columns: what they are called never takes the room of what they are."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from fullfield_app.gui.runs.fact_form import FactForm
from gui.clipping import clipped

LONG = "Señales vistas, en relación con lo que muestran los ajustes predefinidos"


@pytest.mark.parametrize("width", [240, 300, 440, 800])
def test_that_a_long_caption_leaves_most_of_the_width_to_what_is_said(qtbot: QtBot, width: int) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    form = FactForm("Card", {"short": "Made for", "long": LONG, "hidden": LONG * 3})
    QVBoxLayout(window).addWidget(form)
    form.show_rows({"short": "Chest", "long": "Chest: 1.02; Knee: 0.98; General: 1.00"})
    window.resize(width, 400)
    window.show()
    assert clipped(window) == [] and form.horizontalScrollBar().maximum() == 0
    value = next(one for one in form.findChildren(QLabel) if one.text().startswith("Chest: "))
    assert value.width() > 0.4 * form.viewport().width()
    model = next(one for one in form.findChildren(QLabel) if one.text() == "Made for")
    assert model.height() < 2 * model.fontMetrics().height()
    form.show_rows({"short": "Chest"})
    assert clipped(window) == [] and model.width() < model.fontMetrics().horizontalAdvance("Made for, and more")

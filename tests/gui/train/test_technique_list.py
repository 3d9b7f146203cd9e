"""The list of techniques where there is little room for it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QHBoxLayout, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from fullfield_app.gui import language
from fullfield_app.gui.train.technique_list import TechniqueList
from fullfield_app.gui.train.techniques import Chosen, entries

ROOM = 440  # pixels: its column is no wider on a screen of 1024


@pytest.fixture(params=["en", "es"])
def spoken(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[str]:
    language.install(qapp, request.param)
    yield request.param
    language.install(qapp, "en")


@pytest.mark.usefixtures("spoken")
def test_that_no_row_is_cut_with_its_options_open(qtbot: QtBot) -> None:
    window, shown = QWidget(), TechniqueList()
    qtbot.addWidget(window)
    QHBoxLayout(window).addWidget(shown)
    window.resize(ROOM, 500)
    window.show()
    shown.show_chosen(Chosen(names=frozenset(entry.name for entry in entries())))
    for button in shown.findChildren(QToolButton):
        if button.isCheckable():
            button.setChecked(True)
    qtbot.waitUntil(lambda: shown.minimumSizeHint().width() >= shown.widget().minimumSizeHint().width())
    qtbot.waitUntil(lambda: shown.widget().width() == shown.viewport().width())
    assert window.width() == ROOM

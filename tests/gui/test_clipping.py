"""The finder of cut texts finds them, and the window and its dialogs have none."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGroupBox,
    QLabel,
    QPushButton,
    QSpinBox,
    QTabBar,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from fullfield_app.gui.widgets.label import ElidedLabel, plain_label
from gui.clipping import clipped

TEXT = "a text that takes its room"


def tabs() -> QTabBar:
    bar = QTabBar()
    bar.setElideMode(Qt.TextElideMode.ElideRight)
    bar.addTab(TEXT)
    return bar


def combo() -> QComboBox:
    box = QComboBox()
    box.addItem(TEXT)
    return box


def spin() -> QSpinBox:
    box = QSpinBox()
    box.setPrefix(TEXT)
    return box


def table() -> QTableView:
    view = QTableView()
    model = QStandardItemModel(0, 1, view)
    model.setHorizontalHeaderLabels([TEXT])
    view.setModel(model)
    view.setColumnWidth(0, 40)
    return view


@pytest.mark.parametrize(
    "make",
    [
        lambda: QLabel(TEXT),
        lambda: QPushButton(TEXT),
        lambda: QCheckBox(TEXT),
        lambda: QGroupBox(TEXT),
        tabs,
        combo,
        spin,
    ],
)
def test_that_a_text_without_room_is_found_and_one_with_room_is_not(qtbot: QtBot, make: type[QWidget]) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    widget = make()
    widget.setParent(window)
    window.resize(600, 200)
    window.show()
    widget.setMinimumSize(0, 0)
    widget.resize(40, 40)
    assert clipped(window) != []
    widget.resize(500, 100)
    assert clipped(window) == []


def test_that_a_cut_column_is_found(qtbot: QtBot) -> None:
    view = table()
    qtbot.addWidget(view)
    view.show()
    assert any("column" in fault for fault in clipped(view))
    view.resizeColumnsToContents()
    assert clipped(view) == []


def test_that_a_wrapped_text_without_height_is_found(qtbot: QtBot) -> None:
    label = plain_label(f"{TEXT} " * 6, wrap=True)
    qtbot.addWidget(label)
    label.show()
    label.resize(200, 20)
    assert clipped(label) != []
    label.resize(200, 200)
    assert clipped(label) == []


def test_that_what_lies_beyond_an_edge_is_found(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    button = QPushButton("OK", window)
    button.move(190, 0)
    window.resize(200, 100)
    window.show()
    assert any("beyond" in fault for fault in clipped(window))


def test_that_a_text_that_ends_in_an_ellipsis_is_no_fault(qtbot: QtBot) -> None:
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.show_text(TEXT * 4)
    label.show()
    label.resize(60, 20)
    assert clipped(label) == []

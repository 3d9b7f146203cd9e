"""What scrolls where there is too little room for it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from fullfield_app.gui.widgets.label import plain_label
from fullfield_app.gui.widgets.scrolled import Scrolled, on_screen


@pytest.fixture
def content(qtbot: QtBot) -> QWidget:
    """At least 300 × 200."""
    made = QWidget()
    made.setMinimumSize(300, 200)
    return made


def shown(qtbot: QtBot, content: QWidget, size: QSize, *, across: bool) -> Scrolled:
    area = Scrolled(content, across=across)
    qtbot.addWidget(area)
    area.resize(size)
    area.show()
    return area


@pytest.mark.parametrize("across", [True, False])
def test_that_it_is_as_large_as_its_room_where_there_is_enough(qtbot: QtBot, content: QWidget, across: bool) -> None:
    area = shown(qtbot, content, QSize(400, 300), across=across)
    assert content.size() == area.viewport().size() == QSize(400, 300)


def test_that_it_scrolls_both_ways_where_there_is_too_little_room(qtbot: QtBot, content: QWidget) -> None:
    area = shown(qtbot, content, QSize(250, 150), across=True)
    assert content.size() == QSize(300, 200)
    assert area.horizontalScrollBar().maximum() > 0 and area.verticalScrollBar().maximum() > 0


def test_that_it_scrolls_one_way_only_where_the_bar_itself_leaves_enough_room(qtbot: QtBot, content: QWidget) -> None:
    area = shown(qtbot, content, QSize(250, 300), across=True)
    assert area.horizontalScrollBar().maximum() > 0 and area.verticalScrollBar().maximum() == 0
    qtbot.waitUntil(lambda: content.height() == area.viewport().height() < 300)


def test_that_what_does_not_scroll_sideways_is_as_wide_as_its_content_and_its_bar(
    qtbot: QtBot, content: QWidget
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    line = QHBoxLayout(window)
    line.setContentsMargins(0, 0, 0, 0)
    area = Scrolled(content, across=False)
    line.addWidget(area)
    window.resize(10, 150)
    window.show()
    qtbot.waitUntil(area.verticalScrollBar().isVisible)
    qtbot.waitUntil(lambda: area.viewport().width() == content.width() == 300)


def test_that_a_wrapped_text_is_whole_in_it(qtbot: QtBot) -> None:
    content = QWidget()
    label = plain_label("a text that takes its room " * 20, wrap=True)
    QVBoxLayout(content).addWidget(label)
    area = shown(qtbot, content, QSize(200, 40), across=False)
    assert label.height() >= label.heightForWidth(label.width()) > area.height()


def test_that_it_follows_a_content_that_needs_more(qtbot: QtBot) -> None:
    content = QWidget()
    QVBoxLayout(content)
    area = shown(qtbot, content, QSize(200, 100), across=True)
    assert area.verticalScrollBar().maximum() == 0
    tall = QLabel("tall")
    tall.setMinimumHeight(300)
    content.layout().addWidget(tall)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)


def test_that_what_has_the_keyboard_is_scrolled_to_also_from_outside(qtbot: QtBot) -> None:
    window, content = QWidget(), QWidget()
    qtbot.addWidget(window)
    outside, far = QPushButton("outside", window), QPushButton("far", content)
    content.setMinimumSize(300, 600)
    far.move(0, 550)
    area = Scrolled(content, across=True)
    lines = QVBoxLayout(window)
    lines.addWidget(outside)
    lines.addWidget(area)
    window.resize(300, 200)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    outside.setFocus()
    far.setFocus()
    qtbot.waitUntil(lambda: area.viewport().rect().contains(far.mapTo(area.viewport(), far.rect().center())))


def test_that_nothing_opens_larger_than_its_screen(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    room = widget.screen().availableSize()
    most = on_screen(widget, QSize(9000, 9000))
    assert most.width() == room.width() and most.height() < room.height()
    assert on_screen(widget, QSize(300, 200)) == QSize(300, 200)

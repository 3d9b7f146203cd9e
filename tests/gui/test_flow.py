"""Parts beside each other, in lines below where there is no room for all of them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from fullfield_app.gui.widgets.flow import Flow


class Part(QWidget):
    """100 × 20, or as `wanted` says; and narrower if it must be."""

    wanted = QSize(100, 20)

    def sizeHint(self) -> QSize:
        """As it would like to be."""
        return self.wanted

    def minimumSizeHint(self) -> QSize:
        """As it can be."""
        return QSize(60, 20)


@pytest.fixture
def parts(qtbot: QtBot) -> tuple[QWidget, list[Part]]:
    """Three in a window, with 10 pixels between them and 5 between lines; what is below them takes the rest."""
    window, made = QWidget(), [Part(), Part(), Part()]
    qtbot.addWidget(window)
    below = QVBoxLayout(window)
    below.setContentsMargins(0, 0, 0, 0)
    flow = Flow(spacing=10, below=5)
    for part in made:
        flow.addWidget(part)
    below.addLayout(flow)
    below.addStretch(1)
    return window, made


def places(window: QWidget, made: list[Part], width: int) -> list[tuple[int, int, int]]:
    window.resize(width, 200)
    window.show()
    window.layout().activate()
    return [(part.x(), part.y(), part.width()) for part in made]


def test_that_all_are_in_one_line_where_there_is_room(parts: tuple[QWidget, list[Part]]) -> None:
    assert places(*parts, 320) == [(0, 0, 100), (110, 0, 100), (220, 0, 100)]


def test_that_the_rest_goes_on_below_where_there_is_none(parts: tuple[QWidget, list[Part]]) -> None:
    assert places(*parts, 319) == [(0, 0, 100), (110, 0, 100), (0, 25, 100)]
    assert places(*parts, 120) == [(0, 0, 100), (0, 25, 100), (0, 50, 100)]


def test_that_a_part_alone_is_as_narrow_as_its_room(parts: tuple[QWidget, list[Part]]) -> None:
    assert parts[0].minimumSizeHint().width() == 60
    assert places(*parts, 70) == [(0, 0, 70), (0, 25, 70), (0, 50, 70)]


def test_that_what_expands_takes_what_is_left_of_its_line(parts: tuple[QWidget, list[Part]]) -> None:
    parts[1][1].setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    assert places(*parts, 400) == [(0, 0, 100), (110, 0, 180), (300, 0, 100)]
    assert places(*parts, 300) == [(0, 0, 100), (110, 0, 190), (0, 25, 100)]


def test_that_what_is_hidden_takes_no_room(parts: tuple[QWidget, list[Part]]) -> None:
    parts[1][0].hide()
    assert places(*parts, 210)[1:] == [(0, 0, 100), (110, 0, 100)]


def test_that_its_height_follows_what_changes_after_it_was_asked_for(
    parts: tuple[QWidget, list[Part]],
) -> None:
    window, made = parts
    assert places(*parts, 210)[2] == (0, 25, 100)
    flow = window.layout().itemAt(0)
    assert isinstance(flow, Flow) and flow.heightForWidth(210) == 45
    made[0].hide()
    places(*parts, 210)
    assert flow.heightForWidth(210) == 20
    made[1].wanted = QSize(200, 30)
    made[1].updateGeometry()
    places(*parts, 210)
    assert flow.heightForWidth(210) == 55
    taken = flow.takeAt(2)
    assert taken is not None and flow.heightForWidth(210) == 30


def test_that_a_layout_in_it_is_one_part(qtbot: QtBot) -> None:
    window, first, second, third = QWidget(), Part(), Part(), Part()
    qtbot.addWidget(window)
    flow, both = Flow(spacing=10, below=5), QHBoxLayout()
    both.setSpacing(0)
    for part in (second, third):
        both.addWidget(part)
    window.setLayout(flow)
    flow.addWidget(first)
    flow.add_layout(both)
    assert flow.heightForWidth(310) == 20 and flow.heightForWidth(309) == 45
    flow.setGeometry(QRect(0, 0, 250, 45))
    assert [part.y() for part in (first, second, third)] == [0, 25, 25]

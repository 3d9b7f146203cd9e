"""Numbers of marks, while images and marks change under the measuring."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from fullfield_app.gui.measure import measuring
from fullfield_app.gui.measure.board import Board
from fullfield_app.gui.measure.measuring import Measuring
from gui.hands import PATIENT


class View(QObject):
    """Shows one picture, in both places."""

    shown_changed = Signal()
    picture = "none"

    def shown(self, side: object) -> SimpleNamespace:
        return SimpleNamespace(picture=self.picture)

    def show(self, picture: str) -> None:
        self.picture = picture
        self.shown_changed.emit()


class Desk:
    """Measures, which takes until it is let go. `told`: of which picture numbers came; `failed`: errors."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.let_go, self.fails = threading.Event(), threading.Event(), False
        monkeypatch.setattr(measuring, "measure", self._measure)
        self.view, self.board, self.told, self.failed = View(), Board(), list[Any](), list[Any]()
        self.board.shown = True
        self.measuring = Measuring(self.view, self.board)  # type: ignore[arg-type]
        self.measuring.measured.connect(self.told.append)
        self.measuring.failed.connect(self.failed.append)

    def _measure(self, before: str, after: str, marks: object) -> str:
        self.begun.set()
        assert self.let_go.wait(PATIENT)
        if self.fails:
            self.fails = False
            raise ValueError(before)
        return before


@pytest.fixture
def desk(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    found = Desk(monkeypatch)
    yield found
    found.let_go.set()
    found.measuring.close()


def show_two(desk: Desk, qtbot: QtBot) -> None:
    """The second while the first is being measured."""
    desk.view.show("first")
    qtbot.waitUntil(desk.begun.is_set)
    desk.view.show("second")
    qtbot.waitUntil(lambda: desk.measuring._stale)
    desk.let_go.set()
    qtbot.waitUntil(lambda: bool(desk.told) and not desk.measuring._busy)


def test_that_numbers_of_the_image_before_are_not_told_of_the_next_one(desk: Desk, qtbot: QtBot) -> None:
    show_two(desk, qtbot)
    assert desk.told == ["second"]


def test_that_the_next_image_is_measured_although_measuring_the_one_before_failed(desk: Desk, qtbot: QtBot) -> None:
    desk.fails = True
    show_two(desk, qtbot)
    assert desk.told == ["second"] and len(desk.failed) == 1

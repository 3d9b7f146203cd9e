"""A question does nothing that it was not told to do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fullfield_app.gui.widgets.question import Answer, Question, ask

Asked = Callable[[bool], list[str]]


@pytest.fixture
def entered(qtbot: QtBot) -> Asked:
    """What happens where Enter is pressed on a question whose only answer is the default or not."""

    def press(default: bool) -> list[str]:
        done: list[str] = []
        owner = QWidget()
        qtbot.addWidget(owner)
        answer = Answer(text="Throw away", act=lambda: done.append("thrown away"), default=default)
        box = ask(owner, Question(title="Sure?", text="All is lost.", answers=(answer,), cancel="Keep"))
        qtbot.keyClick(box, Qt.Key.Key_Return)
        return done

    return press


def test_that_enter_throws_nothing_away_where_no_answer_is_the_default(entered: Asked) -> None:
    assert entered(False) == []


def test_that_enter_gives_the_answer_that_is_the_default(entered: Asked) -> None:
    assert entered(True) == ["thrown away"]

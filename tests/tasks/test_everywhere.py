"""Tasks that concern the whole program: a killed worker, closing, colours, help, diagnosis."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QTextBrowser

from fullfield.jobs.handle import JobHandle
from tasks.user import SECONDS, User


@pytest.mark.task("killed worker")
def test_that_work_goes_on_after_the_worker_was_killed(
    user: User, phantoms: list[Path], sessions: list[JobHandle]
) -> None:
    user.open_and_wait(phantoms[:1])
    sessions[0].kill()
    user.wait(lambda: user.sees("Message"), 2.0)
    user.click("Do what the message proposes")
    user.wait(lambda: len(sessions) == 2, SECONDS)
    user.drop(phantoms[1:])
    user.wait(lambda: len(user.rows()) == 2 and all("Enhanced" in row for row in user.rows()), SECONDS)


@pytest.mark.task("close unexported")
def test_that_closing_asks_first_and_then_leaves_no_worker(
    user: User, phantoms: list[Path], sessions: list[JobHandle]
) -> None:
    user.open_and_wait(phantoms[:1])
    user.key(Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    user.click("Go back")
    assert user.window.isVisible() and sessions[0].alive()
    user.key(Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    user.click("Close")
    user.wait(lambda: not user.window.isVisible(), SECONDS)
    assert not sessions[0].alive()


@pytest.mark.task("palette")
def test_that_the_colours_of_the_window_change_at_once(user: User) -> None:
    dark = QApplication.palette().window().color().lightness()
    user.menu("View", "Colours of the window", "Light")
    user.wait(lambda: QApplication.palette().window().color().lightness() > 200)
    assert dark < 60


@pytest.mark.task("language")
def test_that_another_language_is_spoken_when_the_window_is_opened_again(
    user: User, open_again: Callable[[User], None]
) -> None:
    def titles() -> list[str]:
        return [action.text().replace("&", "") for action in user.window.menuBar().actions()]

    user.key(Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    user.wait(lambda: user.sees("Language"))
    user.choose("Language", "Español")
    user.key(Qt.Key.Key_Escape)
    assert titles()[0] == "File"
    user.key(Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    user.wait(lambda: not user.window.isVisible(), SECONDS)
    open_again(user)
    assert titles()[0] == "Archivo" and "Ayuda" in titles()
    assert user.sees("Suelte aquí radiografías o carpetas")


@pytest.mark.task("tour")
def test_that_one_key_opens_the_tour(user: User) -> None:
    user.key(Qt.Key.Key_F1)
    user.wait(lambda: user.sees("Text of the chapter"))
    text = user.widget("Text of the chapter")
    assert isinstance(text, QTextBrowser) and len(text.toPlainText()) > 200


@pytest.mark.task("diagnose")
def test_that_the_diagnosis_says_what_computes_and_why(user: User) -> None:
    user.menu("Help", "Diagnose…")
    user.wait(lambda: user.sees("Diagnose"))

    def said() -> str:
        summary = user.widget("Diagnosis in short")
        assert isinstance(summary, QLabel)
        return summary.text()

    user.wait(lambda: "wrong" in said(), SECONDS)
    made = [one for one in user.widget("All checks").findChildren(QLabel) if one.accessibleName().endswith(", title")]
    assert len(made) > 10 and all(one.text() for one in made)
    user.key(Qt.Key.Key_Escape)
    user.wait(lambda: not user.sees("Diagnose"), SECONDS)

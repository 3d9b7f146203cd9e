"""Help > Diagnose: what a worker finds out, read, copied and saved by a user's hands."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from fullfield.diagnosis.check import bad, good, warn
from fullfield.errors import CannotWrite
from fullfield.jobs.job import Job
from fullfield.protocol.events import Event, PhaseStarted, RunEnded, RunFailed
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.main_window import MainWindow
from gui.fake_job import FakeJob
from gui.hands import Hands

TOLD: list[Event] = [
    PhaseStarted(name="Computer"),
    good("memory", "Memory", "8 GiB, of which 4 GiB are free."),
    warn("compiler", "Compiler", "There is none.", "sudo apt install g++"),
    PhaseStarted(name="GPU"),
    bad("device", "Device", "On the CPU: this torch was built without CUDA.", "Install the <b>build</b> for GPUs."),
]


@pytest.fixture
def asked() -> list[Job]:
    """The jobs that were launched."""
    return []


@pytest.fixture
def diagnoses() -> list[FakeJob]:
    """The workers that were launched."""
    return []


@pytest.fixture
def reported() -> list[Event]:
    """What the diagnosis tells; a test may change it."""
    return [*TOLD, RunEnded(reason="completed")]


@pytest.fixture
def hands(
    qtbot: QtBot,
    start: Callable[[], FakeJob],
    tmp_path: Path,
    asked: list[Job],
    reported: list[Event],
    diagnoses: list[FakeJob],
) -> Iterator[Hands]:
    """A window whose diagnosis tells `reported`."""

    def launch(job: Job, *, folder: Path | None = None) -> FakeJob:
        asked.append(job)
        diagnoses.append(FakeJob(folder or tmp_path))
        diagnoses[-1].reported = list(reported)
        return diagnoses[-1]

    window = MainWindow(Workers(session=start, launch=launch))
    qtbot.addWidget(window)
    window.show()
    try:
        yield Hands(window, qtbot)
    finally:
        window.shut_down()


def choose(hands: Hands) -> None:
    """Help > Diagnose."""
    menu = next(menu for menu in hands.window.menuBar().findChildren(QMenu) if menu.title() == "&Help")
    next(action for action in menu.actions() if action.text() == "Diagnose…").trigger()


def diagnose(hands: Hands) -> None:
    """Choose Help > Diagnose and wait for its end."""
    choose(hands)
    hands.wait(lambda: hands.sees("Copy as text") and hands.widget("Copy as text").isEnabled())


def rows(hands: Hands) -> list[str]:
    """The titles of the checks, from the top down."""
    found = [child for child in hands.widget("All checks").children() if isinstance(child, QWidget)]
    return [child.accessibleName() for child in sorted(found, key=lambda child: child.y())]


def test_that_checks_are_shown_by_word_and_sign_the_wrong_ones_first(hands: Hands) -> None:
    diagnose(hands)
    assert hands.text("Diagnosis in short") == "One thing is wrong. It says what to do."
    hands.wait(lambda: rows(hands) == ["Device for models and training", "Compiler", "Memory"])
    assert hands.text("Device for models and training: Wrong") == "✗  Wrong"
    assert hands.text("Memory: Good") == "✓  Good"


def test_that_what_to_do_is_shown_letter_by_letter(hands: Hands) -> None:
    diagnose(hands)
    assert hands.text("Device for models and training: what to do") == "→ Install the <b>build</b> for GPUs."


def test_that_the_worker_is_told_how_the_window_is_shown(hands: Hands, asked: list[Job]) -> None:
    diagnose(hands)
    assert asked[0].kind == "diagnose" and "offscreen" in asked[0].spec["window"]


def test_that_the_list_can_be_copied_as_text(hands: Hands) -> None:
    diagnose(hands)
    hands.click("Copy as text")
    text = QGuiApplication.clipboard().text()
    assert "[good] Memory: 8 GiB" in text and "sudo apt install g++" in text


def test_that_diagnosing_again_starts_another_worker_and_shows_its_checks_alone(hands: Hands, asked: list[Job]) -> None:
    diagnose(hands)
    hands.click("Diagnose again")
    hands.wait(lambda: len(asked) == 2 and hands.widget("Copy as text").isEnabled())
    assert len(rows(hands)) == 3


def test_that_the_bundle_is_saved_where_the_user_says(hands: Hands, tmp_path: Path) -> None:
    diagnose(hands)
    hands.click("Save for support")
    dialog = hands.widget("Save the diagnosis for support")
    assert isinstance(dialog, QFileDialog)
    dialog.setDirectory(str(tmp_path))
    dialog.selectFile("support")
    dialog.accept()
    hands.wait(lambda: "Saved" in hands.text("Diagnosis in short"))
    with zipfile.ZipFile(tmp_path / "support.zip") as opened:
        assert "8 GiB" in opened.read("diagnosis.txt").decode()


def test_that_a_bundle_that_cannot_be_written_is_said(
    hands: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise CannotWrite("Cannot write a file into the chosen folder.", hint="Free some space.")

    monkeypatch.setattr("fullfield_app.diagnosing.Diagnosis.save", refuse)
    diagnose(hands)
    hands.click("Save for support")
    dialog = hands.widget("Save the diagnosis for support")
    assert isinstance(dialog, QFileDialog)
    dialog.setDirectory(str(tmp_path))
    dialog.selectFile("support")
    dialog.accept()
    hands.wait(lambda: "Cannot write" in hands.text("Diagnosis in short"))


def test_that_a_worker_that_dies_at_the_gpu_is_told_as_such(hands: Hands, reported: list[Event]) -> None:
    error = {"title": "The worker crashed.", "detail": "A library ended it."}
    reported[:] = [*TOLD[:-1], RunFailed(error=error), RunEnded(reason="died")]
    diagnose(hands)
    assert "“GPU”" in hands.text("Diagnosis: what was found")


def test_that_closing_the_dialog_in_the_middle_ends_the_worker_at_once(
    hands: Hands, reported: list[Event], diagnoses: list[FakeJob]
) -> None:
    reported[:] = reported[:2]
    choose(hands)
    hands.wait(lambda: hands.sees("Memory: Good"))
    assert hands.text("Diagnosis in short") == "Looking at: computer…"
    dialog = hands.widget("Diagnose")
    hands.qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    hands.wait(lambda: diagnoses[-1].killed and not hands.sees("Memory: Good"))
    assert not diagnoses[-1].folder.exists()

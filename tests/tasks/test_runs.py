"""Tasks of trainings that go on: stop, pause, discard, leave, and find again what has died."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices

import warm
from fullfield.jobs.handle import JobHandle
from fullfield.protocol import events
from fullfield.runs import runs
from tasks.trainings import MODEL, TRAINING, answer, begin, reported, state, steps
from tasks.user import SECONDS, User

narrowed = warm.narrow()
pytestmark = [pytest.mark.usefixtures("form"), pytest.mark.slow]


@pytest.fixture
def running(images: Path, form: None) -> JobHandle:
    """A training that has been started before the window is opened, and has long to go."""
    return begin(images, epochs=2000)


@pytest.fixture
def died(running: JobHandle) -> Path:
    """The folder of a training that was killed before the window is opened, after something was saved."""
    while not any(isinstance(event, events.CheckpointSaved) for event in running.poll()):
        time.sleep(0.05)
    running.kill()
    return running.folder


def show(user: User) -> None:
    """Go to the training of which the window tells."""
    user.wait(lambda: user.sees("Do what the message proposes"), SECONDS)
    user.click("Do what the message proposes")
    user.wait(lambda: user.sees("State of the run") and user.text("State of the run") != "", SECONDS)


@pytest.mark.task("stop")
def test_that_a_training_is_stopped_and_its_model_kept(running: JobHandle, user: User) -> None:
    show(user)
    user.wait(lambda: "Training" in state(user) and len(steps(running.folder)) > 3, TRAINING)
    user.click("Stop and keep")
    user.wait(lambda: "Stopped, kept" in state(user), SECONDS)
    user.wait(lambda: not running.alive(), SECONDS)
    assert (running.folder / MODEL).stat().st_size > 2**20
    last = reported(running.folder)[-1]
    assert isinstance(last, events.RunEnded) and last.reason == "stopped"


@pytest.mark.task("discard")
def test_that_a_training_is_cancelled_and_all_of_it_gone(running: JobHandle, user: User) -> None:
    show(user)
    user.wait(lambda: user.widget("Cancel and discard").isEnabled(), SECONDS)
    user.click("Cancel and discard")
    answer(user, "Cancel and discard this run?", "Cancel and discard")
    user.wait(lambda: not running.folder.exists(), SECONDS)
    assert not running.alive() and not runs.folders()
    user.wait(lambda: user.sees("No training yet, title"), SECONDS)


@pytest.mark.task("close training")
def test_that_a_training_goes_on_without_the_window_and_is_found_again(
    running: JobHandle, user: User, open_again: Callable[[User], None]
) -> None:
    show(user)
    user.key(Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    answer(user, "Close while a training runs?", "Let it go on without the window")
    user.wait(lambda: not user.window.isVisible(), SECONDS)
    assert running.alive()
    before = len(steps(running.folder))
    open_again(user)
    show(user)
    user.wait(lambda: len(steps(running.folder)) > before and "Training" in state(user), TRAINING)
    assert [event for event in reported(running.folder) if isinstance(event, events.RunStarted)][1:] == []


@pytest.mark.task("killed training")
def test_that_a_killed_training_is_told_of_and_resumed(running: JobHandle, user: User) -> None:
    show(user)
    run = running.folder

    def saved() -> list[int]:
        return [event.step for event in reported(run) if isinstance(event, events.CheckpointSaved)]

    user.wait(lambda: bool(saved()) and "Training" in state(user), TRAINING)
    running.kill()
    user.wait(lambda: "Ended unexpectedly" in state(user), 10.0)
    assert user.text("What happened, in short") == "The last run ended unexpectedly."
    assert f"All up to step {saved()[-1]} is saved" in user.text("What happened, in full")
    last, made = saved()[-1], len(steps(run))
    user.click("Resume")
    user.wait(lambda: len(steps(run)) > made and "Training" in state(user), TRAINING)
    assert steps(run)[made] == last + 1


@pytest.mark.task("died unseen")
def test_that_a_training_that_died_without_the_window_is_resumed_from_what_is_said_of_it(
    died: Path, user: User
) -> None:
    user.wait(lambda: user.sees("Message") and "ended unexpectedly" in user.text("Message, in short"), SECONDS)
    made = len(steps(died))
    user.click("Do what the message proposes")
    user.wait(lambda: len(steps(died)) > made and "Training" in state(user), TRAINING)


@pytest.mark.task("report of the dead")
def test_that_the_report_of_a_training_that_died_without_the_window_is_opened(
    died: Path, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(Path(url.toLocalFile())))
    user.wait(lambda: user.sees("Message") and "ended unexpectedly" in user.text("Message, in short"), SECONDS)
    user.click("Do the other thing that the message proposes")
    user.wait(lambda: bool(opened), SECONDS)
    page = opened[0].read_text(encoding="utf-8")
    assert opened[0].parent == died and "<svg" in page and "medical device" in page
    assert user.sees("State of the run")

"""A real worker that is killed, or stopped in its tracks: said plainly, started again, and nothing is lost."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from fullfield import files
from fullfield_app.gui.bridge import job_bridge
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.main_window import MainWindow
from gui.hands import Hands


@pytest.fixture
def hands(qtbot: QtBot, documents: Path) -> Iterator[Hands]:
    """A shown window with its real worker, up."""
    window = MainWindow(Workers())
    qtbot.addWidget(window)
    window.resize(1280, 720)
    hands = Hands(window, qtbot)
    try:
        window.show()
        hands.wait(lambda: hands.text("What the worker says") == "Ready.", 30)
        yield hands
    finally:
        window.shut_down()


def worker() -> psutil.Process:
    """The process of the worker that was started last."""
    newest = max(files.runs_folder().glob("*-session-*/worker.json"), key=lambda path: path.stat().st_mtime_ns)
    return psutil.Process(json.loads(newest.read_text())["pid"])


def test_that_a_killed_worker_is_said_and_started_again_and_the_list_is_kept(hands: Hands) -> None:
    hands.drop_and_wait([files.resource("phantoms/wedge-cr.dcm")], seconds=60)
    worker().kill()
    hands.wait(lambda: hands.widget("Message").isVisible())
    assert "ended unexpectedly" in hands.text("Message, in short")
    assert "killed it" in hands.text("Message, in full") or "no memory" in hands.text("Message, in full")
    assert "Your list is kept" in hands.text("Message, in full") and len(hands.rows()) == 1
    hands.click("Do what the message proposes")
    hands.drop([files.resource("phantoms/skull-sc.dcm")])
    hands.wait(lambda: len(hands.rows()) == 2 and all("Enhanced" in row for row in hands.rows()), 60)
    assert not hands.widget("Message").isVisible()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="a process cannot be stopped here")
def test_that_a_worker_that_does_not_answer_is_said_and_another_can_be_started(
    hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_bridge, "SILENT_SECONDS", 2.5)
    stopped = worker()
    stopped.suspend()
    try:
        hands.wait(lambda: hands.sees("Message") and "does not answer" in hands.text("Message, in short"), 20)
        hands.drop([files.resource("phantoms/wedge-cr.dcm")])
        hands.wait(lambda: len(hands.rows()) == 1)
        hands.click("Do what the message proposes")
        hands.wait(lambda: all("Enhanced" in row for row in hands.rows()), 60)
        assert not hands.widget("Message").isVisible() and worker().pid != stopped.pid
    finally:
        if stopped.is_running():
            stopped.resume()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="a process cannot be stopped here")
def test_that_a_worker_that_answers_again_is_no_longer_accused(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_bridge, "SILENT_SECONDS", 2.5)
    worker().suspend()
    try:
        hands.wait(lambda: hands.sees("Message") and "does not answer" in hands.text("Message, in short"), 20)
    finally:
        worker().resume()
    hands.wait(lambda: not hands.widget("Message").isVisible(), 20)

"""The window of a light installation: its pages stay, and say what is missing and what brings it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from fullfield import parts
from fullfield.jobs import launch as launching
from fullfield.protocol.events import RunEnded
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.main_window import MainWindow
from fullfield_app.gui.runs.reporting import Reporting
from gui import fake_run
from gui.fake_job import FakeJob
from gui.fake_run import begun, epoch
from gui.hands import Hands
from gui.runs.desk import Desk

LINE = 'pip install "fullfield[train]"'
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Take packages away."""

    def take(*packages: str) -> None:
        here = parts.is_here
        monkeypatch.setattr(parts, "is_here", lambda name: name not in packages and here(name))

    return take


@pytest.fixture
def light(qtbot: QtBot, start: Callable[[], FakeJob], documents: Path, without: Callable[..., None]) -> Iterator[Hands]:
    """A window whose workers are real but for the session's, without torch."""
    without("torch")
    window = MainWindow(Workers(session=start))
    qtbot.addWidget(window)
    window.resize(1366, 728)
    hands = Hands(window, qtbot)
    try:
        window.show()
        qtbot.waitUntil(lambda: "GPU" in hands.text("What the worker says"))
        yield hands
    finally:
        window.shut_down()


def test_that_the_page_that_trains_says_once_what_is_missing_and_what_brings_it(light: Hands) -> None:
    light.qtbot.keyClick(light.window, Qt.Key.Key_2, ALT)
    light.wait(lambda: LINE in light.text("Time and exactness"))
    assert light.text("Whether it fits") == "This needs the training part of Fullfield."
    assert not light.sees("Message, in short")


def test_that_going_on_with_a_run_says_what_is_missing_and_what_brings_it(
    qtbot: QtBot, without: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    without("torch")
    refused = list[str]()
    monkeypatch.setattr(Desk, "launch", lambda self, job, *, folder=None: launching.launch(job, folder=folder))
    monkeypatch.setattr(Desk, "fail", lambda self, error: refused.append(str(error)))
    desk = Desk(qtbot)
    run = desk.has([*begun(), *epoch(1), RunEnded(reason="paused")])
    before = (run.folder / "job.json").read_bytes()
    desk.begin()
    desk.open(run)
    desk.click("Resume")
    desk.wait(lambda: bool(refused))
    assert LINE in refused[0] and "Paused" in desk.state()
    assert (run.folder / "job.json").read_bytes() == before
    desk.panel.close_down()


def test_that_a_report_says_what_is_missing_and_what_brings_it(
    qtbot: QtBot, tmp_path: Path, without: Callable[..., None]
) -> None:
    without("matplotlib")
    failed = list[BaseException]()
    reporting = Reporting(launching.launch)
    reporting.failed.connect(failed.append)
    reporting.make(fake_run.training(reported=[*begun(), *epoch(1)]), tmp_path / "report.html", images=False)
    qtbot.waitUntil(lambda: bool(failed))
    reporting.close()
    assert "matplotlib" in str(failed[0]) and LINE in str(failed[0])

"""What is said at start of trainings that went on, or died, while the window was closed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from fullfield.events import RunEnded
from fullfield.jobs import runs
from fullfield_app.gui.runs_at_start import RunsAtStart
from fullfield_app.gui.widgets.message_bar import Message
from gui import fake_run
from gui.fake_run import begun, epoch


class Start:
    """Looks, and keeps what is said."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.said: list[Message] = []
        self.shown: list[Path | None] = []
        self.withdrawn: list[str] = []
        self.at_start = RunsAtStart(self.shown.append)
        self.at_start.said.connect(self.said.append)
        self.at_start.withdrawn.connect(self.withdrawn.append)

    def look(self, count: int) -> None:
        self.at_start.look()
        self.qtbot.waitUntil(lambda: len(self.said) == count)


@pytest.fixture
def start(qtbot: QtBot) -> Iterator[Start]:
    made = Start(qtbot)
    yield made
    made.at_start.close()


def alive(folder: Path) -> Path:
    """This process is its worker."""
    worker = {"pid": os.getpid(), "started": psutil.Process().create_time()}
    (folder / "worker.json").write_text(json.dumps(worker))
    return folder


def test_that_a_run_that_goes_on_and_one_that_died_are_said_each_with_the_way_to_it(start: Start) -> None:
    running = alive(fake_run.training(1, told=[*begun(), *epoch(1)]))
    died = fake_run.training(2, told=[*begun(), *epoch(1)])
    fake_run.training(3, told=[*begun(), RunEnded(reason="paused")])
    start.look(2)
    assert [message.title for message in start.said] == ["A training is running.", "The last run ended unexpectedly."]
    for message in start.said:
        assert message.act is not None
        message.act()
    assert start.shown == [running, died]
    start.at_start.forget()
    assert len(start.withdrawn) == 2


def test_that_several_are_counted_and_lead_to_the_list(start: Start) -> None:
    for number in range(3):
        fake_run.training(number, told=[*begun(), *epoch(1)])
    start.look(1)
    assert start.said[0].title == "3 runs ended unexpectedly." and start.said[0].act is not None
    start.said[0].act()
    assert start.shown == [None]


def test_that_a_death_that_is_known_is_not_said_again(start: Start, qtbot: QtBot) -> None:
    runs.see(fake_run.training(1, told=[*begun(), *epoch(1)]))
    start.at_start.look()
    qtbot.wait(300)
    assert start.said == []

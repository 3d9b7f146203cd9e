"""What is said at start of trainings that went on, or died, while the window was closed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from fullfield import files
from fullfield.errors import UsageError
from fullfield.protocol import events
from fullfield.protocol.events import RunEnded
from fullfield.runs import runs
from fullfield_app.gui.runs.wanted import REPORT, RESUME, Wanted
from fullfield_app.gui.runs_at_start import RunsAtStart
from fullfield_app.gui.widgets.message_bar import Message
from gui import fake_run
from gui.fake_run import FakeRun, begun, epoch


class Start:
    """Looks, and keeps what is said."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.said: list[Message] = []
        self.shown: list[Wanted | None] = []
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
    running = alive(fake_run.training(1, reported=[*begun(), *epoch(1)]))
    died = fake_run.training(2, reported=[*begun(), *epoch(1)])
    fake_run.training(3, reported=[*begun(), RunEnded(reason="paused")])
    start.look(2)
    assert [message.title for message in start.said] == ["A training is running.", "A run ended unexpectedly."]
    for message in start.said:
        for act in (message.act, message.act_other):
            if act is not None:
                act()
    assert [message.action for message in start.said] == ["Show the run", "Resume the run"]
    assert start.said[1].other == "Show its report"
    assert start.shown == [
        Wanted(folder=running),
        Wanted(folder=died, then=RESUME),
        Wanted(folder=died, then=REPORT),
    ]
    start.at_start.forget()
    assert len(start.withdrawn) == 2


def test_that_several_are_counted_and_lead_to_the_list(start: Start) -> None:
    for number in range(3):
        fake_run.training(number, reported=[*begun(), *epoch(1)])
    start.look(1)
    assert start.said[0].title == "3 runs ended unexpectedly." and start.said[0].act is not None
    start.said[0].act()
    assert start.shown == [None]


def test_that_a_death_that_is_known_is_not_said_again(start: Start, qtbot: QtBot) -> None:
    runs.see(fake_run.training(1, reported=[*begun(), *epoch(1)]))
    start.at_start.look()
    qtbot.wait(300)
    assert start.said == []


@pytest.mark.parametrize("stop", [False, True])
def test_that_a_training_nobody_has_looked_at_is_asked_about_at_closing(start: Start, stop: bool) -> None:
    folder = alive(fake_run.training(1, reported=[*begun(), *epoch(1)]))
    run = FakeRun(folder)
    question = start.at_start.question(lambda folder: run)
    assert question is not None
    assert [answer.text for answer in question.answers] == ["Let it go on without the window", "Stop and keep"]
    assert question.answers[0].default
    question.answers[int(stop)].act()
    assert run.posted == ([{"command": "stop"}] if stop else []) and not run.killed


def test_that_closing_asks_of_what_runs_now_not_of_what_ran_when_it_was_listed(start: Start) -> None:
    folder = alive(fake_run.training(1, reported=[*begun(), *epoch(1)]))
    start.look(1)
    files.append_line(folder / "events.jsonl", events.to_line(RunEnded(reason="completed")))
    assert start.at_start.question(FakeRun) is None


def test_that_a_run_that_is_gone_keeps_no_other_from_being_stopped(start: Start) -> None:
    gone, there = (alive(fake_run.training(number, reported=[*begun(), *epoch(1)])) for number in (2, 1))
    run = FakeRun(there)

    def attach(folder: Path) -> FakeRun:
        if folder == gone:
            raise UsageError("Cannot open the run.")
        return run

    question = start.at_start.question(attach)
    assert question is not None and "2 trainings" in question.text
    question.answers[1].act()
    assert run.posted == [{"command": "stop"}]

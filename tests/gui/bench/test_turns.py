"""Turns of the loop are measured one by one, and a long one is told with the function that took it."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from fullfield_app.gui.bench.turns import TurnMeter
from fullfield_app.gui.bridge import sampler


@pytest.fixture
def meter(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[TurnMeter]:
    monkeypatch.setattr(sampler, "OURS", (__name__,))
    made = TurnMeter()
    yield made
    made.close()


def compute(seconds: float) -> None:
    """Keep the thread busy."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


def test_that_a_long_turn_is_told_with_its_place(meter: TurnMeter) -> None:
    done: list[bool] = []
    QTimer.singleShot(5, lambda: compute(0.08))
    QTimer.singleShot(10, lambda: done.append(True))
    meter.run("busy", lambda: bool(done), seconds=20)
    turns = meter.take("busy")
    assert turns.worst_cpu >= 80 and turns.worst_wall >= turns.worst_cpu - 1 and turns.count >= 1
    assert turns.longest[0].phase == "busy" and "compute" in turns.longest[0].place


def test_that_waiting_is_no_turn(meter: TurnMeter) -> None:
    done: list[bool] = []
    QTimer.singleShot(400, lambda: done.append(True))
    meter.run("idle", lambda: bool(done), seconds=20)
    assert meter.take("idle").count < 40


def test_that_a_phase_begins_with_no_turns_of_the_one_before(meter: TurnMeter) -> None:
    done: list[bool] = []
    QTimer.singleShot(0, lambda: (compute(0.05), done.append(True)))
    meter.run("busy", lambda: bool(done), seconds=20)
    meter.take("busy")
    assert meter.take("next").count == 0


def test_that_a_wait_without_end_is_ended(meter: TurnMeter) -> None:
    with pytest.raises(TimeoutError, match="never"):
        meter.run("never", lambda: False, seconds=0.1)

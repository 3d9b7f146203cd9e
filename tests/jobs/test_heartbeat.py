"""A worker that is stopped is told from one that works, whatever the clocks do."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from fullfield.jobs import heartbeat
from fullfield.jobs.heartbeat import Listener
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.protocol.events import RunStarted


class Clock:
    """A clock that is moved by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def listener(tmp_path: Path, clock: Clock) -> Listener:
    return Listener(tmp_path, clock=clock)


def wait(listener: Listener, clock: Clock, seconds: int) -> float:
    """Look once a second for so long; what the last look says."""
    for _ in range(seconds):
        clock.now += 1
        listener.silent_seconds()
    return listener.silent_seconds()


def test_that_a_worker_that_has_not_given_its_first_sign_is_not_silent(listener: Listener, clock: Clock) -> None:
    assert wait(listener, clock, 60) == 0


def test_that_silence_is_counted_from_the_last_sign(listener: Listener, clock: Clock, tmp_path: Path) -> None:
    (tmp_path / heartbeat.FILE).touch()
    assert listener.silent_seconds() == 0
    assert wait(listener, clock, 12) == 12
    os.utime(tmp_path / heartbeat.FILE, (5, 5))  # whatever time it says: it has changed
    assert listener.silent_seconds() == 0


def test_that_a_computer_that_slept_is_no_silent_worker(listener: Listener, clock: Clock, tmp_path: Path) -> None:
    (tmp_path / heartbeat.FILE).touch()
    listener.silent_seconds()
    clock.now += 3600
    assert listener.silent_seconds() == 0


def test_that_a_real_worker_beats() -> None:
    handle = launch(Job(kind="session", spec={}))
    try:
        while not any(isinstance(event, RunStarted) for event in handle.poll()):
            time.sleep(0.02)
        path = handle.folder / heartbeat.FILE
        first = path.stat().st_mtime_ns
        end = time.monotonic() + 20
        while path.stat().st_mtime_ns == first and time.monotonic() < end:
            time.sleep(0.05)
        assert path.stat().st_mtime_ns != first
    finally:
        handle.kill()

"""A worker that is stopped is told from one that works, whatever the clocks do."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from fullfield import files
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


def test_that_a_worker_beats_every_second_as_long_as_it_lives_also_after_its_disk_was_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touched: list[str] = []
    slept: list[float] = []

    def touch(path: Path) -> None:
        touched.append(path.name)
        if len(touched) == 2:
            raise OSError

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) % 3 == 0:
            raise SystemExit

    def thread(*, target: Callable[[], None], name: str, daemon: bool) -> SimpleNamespace:
        assert daemon, "it ends with the process"
        return SimpleNamespace(start=target)

    monkeypatch.setattr(heartbeat, "threading", SimpleNamespace(Thread=thread))
    monkeypatch.setattr(heartbeat, "time", SimpleNamespace(sleep=sleep))
    monkeypatch.setattr(files, "touch", touch)
    for begin in (lambda: heartbeat.beat(tmp_path), lambda: heartbeat.beat(tmp_path, 2)):
        with pytest.raises(SystemExit):
            begin()
    assert touched == ["pulse"] * 3 + ["pulse-2"] * 3
    assert set(slept) == {1.0}


def test_that_looks_that_are_far_apart_are_no_silence_and_those_that_are_close_are(
    listener: Listener, clock: Clock, tmp_path: Path
) -> None:
    (tmp_path / heartbeat.FILE).touch()
    listener.silent_seconds()
    for _ in range(2):
        clock.now += heartbeat.SLEPT_SECONDS
        listener.silent_seconds()
    assert listener.silent_seconds() == 2 * heartbeat.SLEPT_SECONDS
    clock.now += heartbeat.SLEPT_SECONDS + 0.1
    assert listener.silent_seconds() == 0.0
    clock.now += 1
    assert listener.silent_seconds() == 1.0


def test_that_of_several_each_is_listened_to_by_its_number(tmp_path: Path, clock: Clock) -> None:
    first, other = (Listener(tmp_path, rank, clock=clock) for rank in (0, 2))
    (tmp_path / "pulse-2").touch()
    assert first.silent_seconds() == other.silent_seconds() == 0
    assert wait(other, clock, 5) == 5
    assert wait(first, clock, 5) == 0


def test_that_a_real_worker_beats() -> None:
    handle = launch(Job(kind="session", spec={}))
    try:
        while not any(isinstance(event, RunStarted) for event in handle.poll()):
            time.sleep(0.02)
        path = handle.folder / heartbeat.FILE
        end = time.monotonic() + 20
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.02)
        first = path.stat().st_mtime_ns
        while path.stat().st_mtime_ns == first and time.monotonic() < end:
            time.sleep(0.05)
        assert path.stat().st_mtime_ns != first
    finally:
        handle.kill()

"""The diagnosis as a job: every part tells its checks, one that fails costs only itself, and a dead worker is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fullfield import parts
from fullfield.diagnosis import job
from fullfield.diagnosis.check import good
from fullfield.jobs.launch import launch
from fullfield.protocol.checks import CheckMade, Verdict
from fullfield.protocol.commands import Command
from fullfield.protocol.events import Event, PhaseStarted, RunEnded, RunFailed
from fullfield.protocol.small import DiagnoseSpec
from fullfield_app import diagnosing


class Reported:
    """A context that keeps what it is told."""

    rank, world = 0, 1

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.events: list[Event] = []

    def emit(self, event: Event, /) -> None:
        self.events.append(event)

    def stopping(self) -> bool:
        return False

    def commands(self) -> list[Command]:
        return []


def test_that_a_part_that_fails_is_told_and_the_next_ones_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Iterator[CheckMade]:
        yield good("one", "One", "Well.")
        raise RuntimeError("MUELLER^Anna")

    def phases(spec: DiagnoseSpec, context: Reported) -> Iterator[tuple[str, Any]]:
        yield "First", broken
        yield "Second", lambda: [good("two", "Two", "Well.")]

    monkeypatch.setattr(job, "_phases", phases)
    context = Reported(tmp_path)
    assert job.run(DiagnoseSpec(), context) == {"good": 2, "warn": 0, "bad": 1}
    checks = [event for event in context.events if isinstance(event, CheckMade)]
    assert [check.key for check in checks] == ["one", "first", "two"]
    assert "RuntimeError" in checks[1].text and "MUELLER" not in checks[1].text


def test_that_a_real_worker_tells_every_part_and_leaves_nothing() -> None:
    diagnosis, handle = diagnosing.Diagnosis(), diagnosing.start(launch)
    reported = list(handle.events())
    for event in reported:
        diagnosis.take(event)
    keys = {check.key for check in diagnosis.checks}
    of_all = {"system", "memory", "packages", "training_part", "cache", "runs", "libraries", "decoders", "device"}
    assert of_all | ({"torch"} if parts.is_here("torch") else set()) <= keys
    assert isinstance(reported[-1], RunEnded) and reported[-1].reason == "completed"
    diagnosing.clear(handle)
    assert not handle.folder.exists()


def test_that_a_worker_that_dies_is_a_bad_check_that_names_the_part() -> None:
    diagnosis = diagnosing.Diagnosis()
    diagnosis.take(PhaseStarted(name="GPU"))
    made = diagnosis.take(RunFailed(error={"title": "The worker ended.", "detail": "It crashed."}))
    assert made is not None and made.verdict == Verdict.BAD and "“GPU”" in made.text
    assert not diagnosis.all_well

"""The process that does a run in the queue of a cluster: what it tells, and when it ends without a word."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fullfield.checked import Fields
from fullfield.errors import ExitCode
from fullfield.jobs import event_log, registry, step, worker
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.step import LOST_SECONDS, StepContext
from fullfield.protocol import event_lines
from fullfield.protocol.events import Notice, RunEnded
from fullfield.protocol.small import EmptySpec

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no login node of a cluster is a Windows PC")
PID = 77
Does = Callable[[StepContext], Fields]


class Left(BaseException):
    """In the place of `os._exit`."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run whose worker on the login node has said what it is."""

    def leave(code: int) -> None:
        raise Left(code)

    monkeypatch.setattr(os, "_exit", leave)
    (tmp_path / "worker.json").write_text(json.dumps({"pid": PID, "started": "a"}))
    return tmp_path


def another(folder: Path) -> None:
    """Another worker has the run."""
    (folder / "worker.json").write_text(json.dumps({"pid": PID + 1, "started": "a"}))


def told(folder: Path) -> list[Any]:
    log = event_log.path(folder)
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return [replace(event, time=0.0) for line in lines if (event := event_lines.from_line(line)) is not None]


def done(folder: Path, monkeypatch: pytest.MonkeyPatch, does: Does) -> int:
    """The exit code of the step whose job `does` that."""

    def run(spec: EmptySpec, context: StepContext) -> Fields:
        assert (spec, context.folder, context.rank, context.world) == (EmptySpec(), folder, 0, 1)
        return does(context)

    monkeypatch.setattr(registry.Kind, "load", lambda kind: run)
    jobs.save(Job(kind="empty"), folder)
    return step.main([str(folder), str(PID)])


def test_that_it_does_the_job_and_tells_its_end(folder: Path, monkeypatch: pytest.MonkeyPatch, did: list[str]) -> None:
    def does(context: StepContext) -> Fields:
        assert (folder / step.STARTED).exists(), "who waits for it is told that it has begun"
        assert (folder / "crash.log").exists()
        handlers = {signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
        assert handlers == {context.ask_to_stop}
        return {"done": 1}

    assert done(folder, monkeypatch, does) == ExitCode.ALL_DONE
    assert told(folder) == [RunEnded(reason="completed", summary={"done": 1})]
    begins = ["offline.stay_offline", "worker-1.log INFO own", "interpreter.prepare_for_torch", "faulthandler.enable"]
    assert did[:4] == begins and "interpreter.begin_anew" not in did


def test_that_one_that_the_cluster_ends_says_so_and_keeps_what_is_done(
    folder: Path, monkeypatch: pytest.MonkeyPatch, did: list[str]
) -> None:
    def does(context: StepContext) -> Fields:
        signal.raise_signal(signal.SIGTERM)
        assert context.stopping()
        return {"done": 1}

    assert done(folder, monkeypatch, does) == ExitCode.ALL_DONE
    notice, ended = told(folder)
    assert notice == Notice(text=step.ENDED, level="warning")
    assert ended == RunEnded(reason="stopped", summary={"done": 1})


def test_that_a_job_that_begins_anew_does_so_in_this_process(
    folder: Path, monkeypatch: pytest.MonkeyPatch, did: list[str]
) -> None:
    def does(context: StepContext) -> Fields:
        raise worker.BeginAnew

    done(folder, monkeypatch, does)
    assert did[-1] == "interpreter.begin_anew" and told(folder) == []


@pytest.mark.parametrize("asks", [lambda context: context.emit(Notice(text="x")), lambda context: context.stopping()])
def test_that_where_another_worker_has_the_run_it_ends_without_a_word(
    folder: Path, asks: Callable[[StepContext], None]
) -> None:
    context = StepContext(folder, PID)
    asks(context)
    before = told(folder)
    another(folder)
    with pytest.raises(Left) as left:
        asks(context)
    assert left.value.args == (ExitCode.INTERRUPTED,) and told(folder) == before


def test_that_a_file_that_says_nothing_of_use_is_no_other_worker(folder: Path) -> None:
    context = StepContext(folder, PID)
    for text in ("{", '{"pid": 0, "started": "a"}'):
        (folder / "worker.json").write_text(text)
        assert not context.stopping()


@pytest.mark.parametrize(("silent", "stops"), [(0.0, False), (LOST_SECONDS, False), (LOST_SECONDS + 1, True)])
def test_that_it_stops_once_nobody_waits_for_it_on_the_login_node(
    folder: Path, monkeypatch: pytest.MonkeyPatch, silent: float, stops: bool
) -> None:
    context = StepContext(folder, PID)
    monkeypatch.setattr(context._worker, "silent_seconds", lambda: silent)
    assert context.stopping() is stops
    assert context.reason() == ("stopped" if stops else "completed")


def test_that_a_stop_of_its_user_is_no_end_by_the_cluster(folder: Path) -> None:
    context = StepContext(folder, PID)
    (folder / "commands.jsonl").write_text('{"command": "stop"}\n')
    assert context.stopping() and told(folder) == []

"""What is asked of a run that is there already holds once its worker has accepted it: a refusal changes nothing."""

from __future__ import annotations

import threading
from pathlib import Path

import filelock
import pytest

from fullfield import files
from fullfield.errors import UsageError
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.plan.spec import TrainSpec
from fullfield.protocol import events
from fullfield.protocol.events import CheckpointSaved, Event, RunEnded, RunFailed, RunStarted, StepDone
from fullfield.runs import reading, runs
from fullfield.runs.runs import State

STARTED = RunStarted(job="train", pid=1, time=100.0)
STEP = StepDone(epoch=1, step=1, steps=4, loss=9.0, seconds=1.0, time=101.0)
REFUSED = RunFailed(error={"title": "No."}, exit_code=2, refused=True, time=201.0)


def job(epochs: int = 3) -> Job:
    return Job.of(TrainSpec(data="/nowhere/at/all", epochs=epochs, weights="none"))


def leave(*reported: Event, saved: bool = True) -> Path:
    """A training as its worker left it, which may have saved a checkpoint."""
    folder = files.runs_folder() / "20260101-000000-train-abc"
    jobs.save(job(), folder)
    (folder / "events.jsonl").write_text("".join(events.to_line(event) + "\n" for event in reported))
    (folder / "checkpoints").mkdir()
    if saved:
        (folder / "checkpoints" / "step-000000001.safetensors").touch()
    return folder


def test_that_what_is_asked_stands_beside_what_the_run_is_until_it_is_accepted(tmp_path: Path) -> None:
    jobs.save(job(3), tmp_path)
    assert jobs.load(tmp_path) == jobs.asked(tmp_path) == job(3) and not jobs.refuse(tmp_path)
    jobs.save(job(5), tmp_path)
    assert (jobs.load(tmp_path), jobs.asked(tmp_path)) == (job(3), job(5))
    assert jobs.refuse(tmp_path) and jobs.asked(tmp_path) == job(3)
    jobs.save(job(5), tmp_path)
    jobs.accept(tmp_path)
    assert jobs.load(tmp_path) == jobs.asked(tmp_path) == job(5)


@pytest.mark.training
def test_that_a_worker_that_refuses_leaves_the_run_and_its_state_as_they_were() -> None:
    folder = leave(STARTED, STEP, RunEnded(reason="paused", time=102.0))
    before = (folder / "job.json").read_bytes()
    reported = list(launch(job(epochs=5), folder=folder).events())
    failed, ended = reported[-2:]
    assert isinstance(failed, RunFailed) and failed.refused and failed.exit_code == 5
    assert isinstance(ended, RunEnded) and ended.reason == "failed"
    assert (folder / "job.json").read_bytes() == before and not (folder / jobs.NEXT).exists()
    found = runs.find(folder)
    assert found is not None and found.state is State.PAUSED and runs.resumed(folder) == job(3)


@pytest.mark.training
def test_that_a_training_that_has_saved_nothing_is_what_was_asked_last() -> None:
    folder = leave(STARTED, RunFailed(error={"title": "No."}), RunEnded(reason="failed"), saved=False)
    failed = list(launch(job(epochs=5), folder=folder).events())[-2]
    assert isinstance(failed, RunFailed) and not failed.refused
    found = runs.find(folder)
    assert found is not None and found.state is State.FAILED and jobs.load(folder) == job(5)


@pytest.mark.parametrize(
    ("before", "ended"),
    [
        ([STARTED, STEP, RunEnded(reason="stopped")], "stopped"),
        ([STARTED, STEP, RunFailed(error={"title": "Then."}), RunEnded(reason="failed")], "failed"),
        ([STARTED, STEP, CheckpointSaved(epoch=1, step=1, sha256="")], "died"),
    ],
)
def test_that_a_run_has_ended_as_it_had_before_a_start_that_was_refused(before: list[Event], ended: str) -> None:
    folder = leave(*before, *[RunStarted(job="train", pid=2, time=200.0), REFUSED, RunEnded(reason="failed")] * 2)
    reported = reading.read(folder)
    assert reported.ended == ended and reported.error.get("title") == ("Then." if ended == "failed" else None)
    found = runs.find(folder)
    assert found is not None and found.state is State(ended)


def test_that_a_start_waits_for_a_process_that_is_left_of_the_last_one_or_says_so(tmp_path: Path) -> None:
    left = filelock.FileLock(tmp_path / "worker-1.lock", thread_local=False)
    left.acquire()
    with pytest.raises(UsageError, match="One of its processes of the last time has not ended yet"):
        jobs.refuse_running(tmp_path, patience=0.1)
    ending = threading.Timer(0.3, left.release)
    ending.start()
    jobs.refuse_running(tmp_path, patience=30.0)
    ending.join()
    with filelock.FileLock(tmp_path / "worker.lock"), pytest.raises(UsageError, match="It is running already"):
        jobs.refuse_running(tmp_path, patience=30.0)

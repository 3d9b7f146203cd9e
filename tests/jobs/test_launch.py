"""A run is a process: started, followed, found again, stopped, and its death noticed."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path

import filelock
import psutil
import pytest

from fullfield import files, process_identity, system
from fullfield.errors import CannotWrite, UsageError
from fullfield.jobs import event_log
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.launch import attach, launch
from fullfield.jobs.launchers import local
from fullfield.protocol import events
from fullfield.protocol.commands import PAUSE
from fullfield.protocol.events import ItemFailed, Notice, RunEnded, RunFailed, RunStarted


def test_that_an_empty_job_starts_and_ends() -> None:
    reported = list(launch(Job(kind="empty")).events())
    assert isinstance(reported[0], RunStarted)
    assert isinstance(reported[-1], RunEnded) and reported[-1].reason == "completed"
    assert reported[-1].summary == {"ranks": 1}


@pytest.mark.parametrize("given", ["RANK=1 WORLD_SIZE=2", "RANK=chest", "WORLD_SIZE="])
def test_that_the_place_that_torchrun_gave_to_the_program_of_this_user_is_not_the_workers(
    given: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where it is started by a cluster's script, or by Kubeflow."""
    others = "LOCAL_RANK=3 LOCAL_WORLD_SIZE=4 GROUP_RANK=1 MASTER_ADDR=far MASTER_PORT=0 TORCHELASTIC_RUN_ID=none"
    for name, _, value in (one.partition("=") for one in f"{given} {others}".split()):
        monkeypatch.setenv(name, value)
    assert not {one.partition("=")[0] for one in f"{given} {others}".split()} & local.environment().keys()
    assert os.environ["PATH"] == local.environment()["PATH"]
    test_that_an_empty_job_starts_and_ends()


@pytest.mark.training
@pytest.mark.slow
def test_that_torchrun_is_a_second_launcher_of_the_same_worker() -> None:
    reported = list(launch(Job(kind="empty", processes=2)).events())
    assert [type(event) for event in reported] == [RunStarted, Notice, RunEnded]
    assert isinstance(reported[-1], RunEnded) and reported[-1].summary == {"ranks": 2}


@pytest.mark.training
@pytest.mark.slow
@pytest.mark.skipif(not system.LINUX, reason="ends as a signal has ended it")
def test_that_the_first_of_several_processes_that_is_killed_is_said_to_be() -> None:
    handle = launch(Job(kind="empty", processes=2))
    while jobs.worker(handle.folder) is None:
        time.sleep(0.005)
    worker = jobs.worker(handle.folder)
    assert worker is not None
    os.kill(worker.pid, signal.SIGKILL)
    failure, end = list(handle.events())[-2:]
    assert isinstance(failure, RunFailed) and "Somebody or the system killed it" in failure.error["detail"]
    assert isinstance(end, RunEnded) and end.reason == "died"


def test_that_a_run_is_found_again_with_its_whole_story() -> None:
    handle = launch(Job(kind="empty"))
    first = list(handle.events())
    assert list(attach(handle.folder).events()) == first


def test_that_an_unknown_kind_ends_the_run_with_a_text_for_people() -> None:
    failure, end = list(launch(Job(kind="nonsense")).events())[-2:]
    assert isinstance(failure, RunFailed) and "nonsense" in failure.error["title"] and "batch" in failure.error["hint"]
    assert isinstance(end, RunEnded) and end.reason == "failed"


def test_that_a_killed_worker_is_noticed_and_said_plainly() -> None:
    handle = launch(Job(kind="session", spec={}))
    while not any(isinstance(event, RunStarted) for event in handle.poll()):
        time.sleep(0.02)
    handle.kill()
    reported = list(handle.events())
    assert isinstance(reported[-2], RunFailed) and "ended unexpectedly" in reported[-2].error["title"]
    assert isinstance(reported[-1], RunEnded) and reported[-1].reason == "died"
    assert not any(isinstance(event, ItemFailed) for event in reported)


def test_that_a_stop_ends_an_open_run_and_keeps_it_whole() -> None:
    handle = launch(Job(kind="session", spec={}))
    handle.stop()
    end = list(handle.events())[-1]
    assert isinstance(end, RunEnded) and end.reason == "stopped"
    assert not attach(handle.folder).alive()


def test_that_a_run_that_is_killed_after_it_was_asked_to_stop_has_been_stopped() -> None:
    handle = launch(Job(kind="session", spec={}))
    handle.stop()
    handle.kill()
    reported = list(handle.events())
    assert not any(isinstance(event, RunFailed) for event in reported)
    assert isinstance(reported[-1], RunEnded) and reported[-1].reason == "stopped"
    assert event_log.has_ended(handle.folder), "who looks at it later is told the same"


def test_that_an_end_that_came_before_the_kill_is_not_told_twice() -> None:
    handle = launch(Job(kind="empty"))
    reported = list(handle.events())
    handle.stop()
    handle.kill()
    assert list(attach(handle.folder).events()) == reported


def test_that_a_pause_is_told_from_a_stop() -> None:
    handle = launch(Job(kind="session", spec={}))
    handle.post(PAUSE)
    end = list(handle.events())[-1]
    assert isinstance(end, RunEnded) and end.reason == "paused"


@pytest.mark.parametrize("size", [1 << 20, 300, 100])
def test_that_a_long_story_is_read_in_parts_and_its_end_is_no_death(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(local, "READ_BYTES", size)
    jobs.save(Job(kind="empty"), tmp_path)
    (tmp_path / "worker.json").write_text(json.dumps({"pid": 2**22 + 1, "started": 0.0}))
    reported = [
        RunStarted(job="empty", pid=1),
        *(Notice(text="x" * count) for count in (1, 500, 20)),
        RunEnded(reason="e"),
    ]
    text = "".join(events.to_line(event) + "\n" for event in reported)
    (tmp_path / "events.jsonl").write_text(text)
    for less in range(3):  # also where a part ends with the file
        monkeypatch.setattr(local, "READ_BYTES", size - less if size < len(text) else len(text))
        assert list(attach(tmp_path).events()) == reported


def test_that_a_run_whose_folder_is_gone_is_not_alive(tmp_path: Path) -> None:
    jobs.save(Job(kind="empty"), tmp_path / "run")
    handle = attach(tmp_path / "run")
    shutil.rmtree(tmp_path / "run")
    assert not handle.alive()


def test_that_a_folder_without_a_job_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="missing or damaged"):
        attach(tmp_path)


def test_that_a_job_of_another_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / "job.json").write_text(json.dumps({"version": 99, "kind": "empty"}))
    with pytest.raises(UsageError, match="another version"):
        jobs.load(tmp_path)


def test_that_the_first_version_of_a_job_is_read(tmp_path: Path) -> None:
    """Runs that are kept for years have such files."""
    (tmp_path / "job.json").write_text(json.dumps({"version": 1, "kind": "empty", "spec": {}, "processes": 2}))
    assert jobs.load(tmp_path) == Job(kind="empty", processes=2)


def test_that_the_start_of_a_batch_sweeps_what_a_killed_one_left_and_the_start_of_another_run_nothing(
    private_folders: Path,
) -> None:
    left = {kind: jobs.new_folder(kind) for kind in ("batch", "train")}
    for kind, folder in left.items():
        jobs.save(Job(kind=kind), folder)
        os.utime(folder, (0, 0))
    for kind in left:
        local.begun(Job(kind=kind), None, lambda _: system.spawn_detached([sys.executable, "-c", ""]))
    assert not left["batch"].exists() and left["train"].exists()


def test_that_what_a_killed_batch_left_is_swept_by_the_next_and_a_living_one_is_not(private_folders: Path) -> None:
    left, living = (jobs.new_folder("batch") for _ in range(2))
    for folder in (left, living):
        jobs.save(Job(kind="batch"), folder)
        os.utime(folder, (0, 0))
    with filelock.FileLock(living / "worker.lock"):
        os.utime(living, (0, 0))
        jobs.sweep("batch")
        assert not left.exists() and living.exists()


def test_that_what_a_dead_worker_left_is_kept_as_long_as_the_window_that_shows_it(private_folders: Path) -> None:
    window = psutil.Process()
    shown, left = (jobs.new_folder("session") for _ in range(2))
    jobs.save(Job(kind="session", owner=(window.pid, process_identity.process_started(window.pid))), shown)
    jobs.save(Job(kind="session", owner=(window.pid, window.create_time() - 1000)), left)
    for folder in (shown, left):
        os.utime(folder, (0, 0))
    jobs.sweep("session")
    assert shown.exists() and not left.exists()


def test_that_a_run_that_is_going_on_is_not_started_twice_and_not_touched() -> None:
    handle = launch(Job(kind="session", spec={}))
    while not any(isinstance(event, RunStarted) for event in handle.poll()):
        time.sleep(0.02)
    before = (handle.folder / "job.json").read_text()
    with pytest.raises(UsageError, match="running already"):
        launch(Job(kind="empty"), folder=handle.folder)
    assert (handle.folder / "job.json").read_text() == before
    handle.stop()
    assert isinstance(list(handle.events())[-1], RunEnded)


def test_that_a_run_whose_worker_has_not_said_so_yet_is_not_started_twice_and_not_touched() -> None:
    handle = launch(Job(kind="session", spec={}))  # its worker is importing what it needs
    before = (handle.folder / "job.json").read_text()
    with pytest.raises(UsageError, match="running already"):
        launch(Job(kind="empty"), folder=handle.folder)
    assert (handle.folder / "job.json").read_text() == before and not (handle.folder / jobs.NEXT).exists()
    handle.stop()
    reported = list(handle.events())
    assert isinstance(reported[-1], RunEnded) and reported[-1].reason == "stopped"


def test_that_a_run_whose_worker_ended_before_it_said_so_is_started_again(private_folders: Path) -> None:
    folder, _, gone = local.begun(Job(kind="empty"), None, lambda _: system.spawn_detached([sys.executable, "-c", ""]))
    gone.wait()
    assert isinstance(list(launch(Job(kind="empty"), folder=folder).events())[-1], RunEnded)


def test_that_of_two_who_start_a_run_at_once_the_second_waits_for_the_first_or_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "START_SECONDS", 0.1)
    with jobs.starting(tmp_path), pytest.raises(UsageError, match="running already"):
        launch(Job(kind="empty"), folder=tmp_path)
    assert isinstance(list(launch(Job(kind="empty"), folder=tmp_path).events())[-1], RunEnded)


def test_that_a_job_is_readable_by_its_user_alone() -> None:
    handle = launch(Job(kind="empty"))
    list(handle.events())
    if os.name == "posix":
        assert (handle.folder / "job.json").stat().st_mode & 0o077 == 0


def test_that_a_full_folder_of_runs_is_not_told_as_the_folder_that_was_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "move", full)
    with pytest.raises(CannotWrite, match="own folder") as refused:
        launch(Job(kind="empty"))
    assert "FULLFIELD_RUNS" in refused.value.hint and "No space" in refused.value.detail
    with pytest.raises(CannotWrite, match="chosen folder"):
        launch(Job(kind="empty"), folder=tmp_path)

"""A run of this machine, followed through its folder, with a process that is no process in the place of its worker."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fullfield import files, interpreter, other_python, parts, process_identity, system
from fullfield.errors import MissingPart, UsageError
from fullfield.jobs import event_log, registry
from fullfield.jobs import job as jobs
from fullfield.jobs.handle import POLL_SECONDS
from fullfield.jobs.job import Job
from fullfield.jobs.launchers import local
from fullfield.jobs.launchers.local import LAST_SECONDS, START_SECONDS, LocalJob
from fullfield.protocol import command_lines, events
from fullfield.protocol.commands import PAUSE, Stop
from fullfield.protocol.events import Event, Notice, RunEnded, RunFailed
from fullfield.training_part import place

A, B, END = Notice(text="a", time=1.0), Notice(text="b", time=2.0), RunEnded(reason="completed", time=3.0)

PID = (1 << 22) + 4711  # of no process: Linux has none beyond 1 << 22


class Process:
    """A worker that has ended by `returncode`, or lives."""

    def __init__(self, returncode: int | None = None, *, lingers: bool = False) -> None:
        self.pid, self.returncode, self.stdin, self.lingers = PID, returncode, io.BytesIO(), lingers
        self.waited: list[float] = []

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)
        if self.lingers:
            raise subprocess.TimeoutExpired("worker", seconds)


class Run:
    """Its folder, and who was killed there."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.killed: list[int] = []
        self.gone = True
        jobs.save(Job(kind="empty"), folder)
        monkeypatch.setattr(system, "kill_tree", self._kill)

    def tell(self, *told: Event) -> None:
        for event in told:
            files.append_line(event_log.path(self.folder), events.to_line(event))

    def handle(self, process: Process | None = None, begin: int = 0) -> LocalJob:
        return LocalJob(self.folder, begin, process)  # type: ignore[arg-type]

    def worker(self, pid: int, started: str) -> None:
        (self.folder / "worker.json").write_text(json.dumps({"pid": pid, "started": started}))

    def _kill(self, pid: int) -> bool:
        self.killed.append(pid)
        return self.gone


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    return Run(tmp_path, monkeypatch)


def test_that_news_are_told_once_and_none_after_the_end(run: Run) -> None:
    run.tell(A)
    handle = run.handle(process := Process())
    assert handle.poll() == [A] and handle.poll() == []
    run.tell(B, END)
    assert handle.poll() == [B, END]
    assert local.attach(run.folder).poll() == [A, B, END], "who finds it again is told all"
    assert process.waited == [LAST_SECONDS] and process.stdin.closed, "nothing of it is left"
    run.tell(A)
    assert handle.poll() == [] and run.killed == []


def test_that_a_run_is_followed_from_where_it_was_begun(run: Run) -> None:
    run.tell(A)
    assert run.handle(Process(), event_log.size(run.folder)).poll() == []


def test_that_a_half_line_is_waited_for_and_a_damaged_one_passed_over(run: Run) -> None:
    handle, log = run.handle(Process()), event_log.path(run.folder)
    assert handle.poll() == []
    text = events.to_line(A)
    log.write_text(text[:9])
    assert handle.poll() == []
    log.write_text(f"{text}\n{{damaged\n{text}\n{text}")
    assert handle.poll() == [A, A]


def test_that_a_worker_that_lingers_after_its_end_is_killed_unless_it_tidies_elsewhere(run: Run) -> None:
    class Tidies(LocalJob):
        _tidies = True

    run.tell(END)
    for kind, killed in ((Tidies, []), (LocalJob, [PID])):
        assert kind(run.folder, 0, Process(lingers=True)).poll() == [END]  # type: ignore[arg-type]
        assert run.killed == killed


def test_that_a_run_that_was_found_again_has_ended_once_nobody_is_at_it(run: Run) -> None:
    run.tell(END)
    run.worker(os.getpid(), process_identity.process_started(os.getpid()))
    handle = run.handle()
    assert handle.poll() == [END]
    run.tell(B)  # it goes on anew
    assert handle.poll() == [B]
    run.worker(os.getpid(), "of another")
    run.tell(END)
    assert handle.poll() == [END]
    run.tell(A)
    assert handle.poll() == []


def words(told: list[Event]) -> str:
    failed, ended = told[-2:]
    assert isinstance(failed, RunFailed) and ended == RunEnded(reason="died")
    return failed.error["detail"]


def test_that_a_worker_that_died_has_its_end_told_with_what_its_code_says_and_once(run: Run) -> None:
    run.worker(2**22 + 1, "gone")
    run.tell(A)
    handle = run.handle(process := Process(3))
    told = handle.poll()
    assert told[0] == A and words(told) == "It ended by itself, with exit code 3."
    assert handle.poll() == [] and process.stdin.closed
    assert words(run.handle().poll()) == "It was killed, or the system had no memory left."
    killed = run.handle(Process(3))
    killed.kill()
    assert words(killed.poll()) == "It was killed, or the system had no memory left."
    [*_, stopped] = run.handle(Process(130)).poll()
    assert isinstance(stopped, RunEnded) and stopped.reason == "stopped"


def test_that_one_that_told_its_end_and_then_more_before_it_died_has_died(run: Run) -> None:
    run.worker(2**22 + 1, "gone")
    run.tell(END, A)
    assert words(run.handle(Process(1)).poll()) == "It ended by itself, with exit code 1."


def test_that_all_events_come_until_the_end_and_none_is_asked_for_in_vain_without_a_pause(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        run.tell(B if len(slept) == 1 else END)

    monkeypatch.setattr(local, "time", SimpleNamespace(sleep=sleep, time=time.time))
    run.tell(A)
    assert list(run.handle(Process()).events()) == [A, B, END]
    assert slept == [POLL_SECONDS] * 2


def test_that_what_is_asked_of_a_run_lies_in_its_folder(run: Run) -> None:
    handle = run.handle()
    handle.post(PAUSE)
    handle.stop()
    lines = (run.folder / "commands.jsonl").read_bytes().splitlines()
    assert [command_lines.from_line(line) for line in lines] == [PAUSE, Stop()]


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize("gone", [True, False])
def test_that_one_that_is_killed_after_it_was_asked_to_stop_has_been_stopped_once_it_is_gone(
    run: Run, asked: bool, gone: bool
) -> None:
    run.worker(os.getpid(), process_identity.process_started(os.getpid()))
    run.gone = gone
    handle = run.handle(Process())
    if asked:
        handle.stop()
    handle.kill()
    assert run.killed == [PID, os.getpid()]
    assert event_log.has_ended(run.folder) is (asked and gone)
    before = event_log.size(run.folder)
    handle.kill()
    assert event_log.size(run.folder) == before
    found = run.handle()
    found.kill()
    assert run.killed[4:] == [os.getpid()], "its own process is not known"
    run.worker(os.getpid(), "of another")
    found.kill()
    assert len(run.killed) == 5


def test_that_on_a_full_disk_those_who_follow_it_are_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    handle = run.handle(process := Process())
    handle.stop()

    def full(path: Path, line: str) -> None:
        raise OSError

    monkeypatch.setattr(files, "append_line", full)
    handle.kill()
    process.returncode = -9
    (ended,) = handle.poll()
    assert isinstance(ended, RunEnded) and ended.reason == "stopped"


def test_that_a_run_is_alive_while_its_process_is_or_where_it_was_just_asked_for(run: Run) -> None:
    assert run.handle(Process()).alive() and not run.handle(Process(0)).alive()
    assert run.handle().alive(), "its worker takes a moment to say what it is"
    job, asked = run.folder / jobs.JOB, run.folder / jobs.NEXT
    for ago, young in ((START_SECONDS - 5, True), (START_SECONDS + 5, False), (-START_SECONDS - 5, False)):
        os.utime(job, (time.time() - ago,) * 2)
        assert run.handle().alive() is young
    asked.touch()
    assert run.handle().alive()
    job.unlink()
    assert run.handle().alive()
    asked.unlink()
    assert not run.handle().alive()
    run.worker(os.getpid(), process_identity.process_started(os.getpid()))
    assert run.handle().alive()
    run.worker(os.getpid(), "of another")
    assert not run.handle().alive()


class Starting:
    """What is started, with which environment."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun: list[tuple[str, list[str], dict[str, str]]] = []
        for name in ("spawn_bound", "spawn_detached"):
            monkeypatch.setattr(
                system, name, lambda *given, name=name: (self.begun.append((name, *given)), Process())[1]
            )
        monkeypatch.setattr(system, "alone", lambda: "")


@pytest.fixture
def starting(monkeypatch: pytest.MonkeyPatch) -> Starting:
    return Starting(monkeypatch)


@pytest.mark.parametrize("bound", [True, False])
@pytest.mark.parametrize("python", [None, Path("/there/python")])
def test_that_a_worker_is_begun_with_its_python_and_bound_as_its_kind_is(
    starting: Starting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: bool, python: Path | None
) -> None:
    monkeypatch.setattr(registry, "BOUND", {"empty"} if bound else frozenset())
    monkeypatch.setattr(local, "interpreter", lambda kind: python)
    monkeypatch.setenv("RANK", "3")
    handle = local.launch(Job(kind="empty"), folder=tmp_path)
    local.launch(Job(kind="empty", processes=2), folder=tmp_path / "two")
    (one, command, values), (_, of_two, _) = starting.begun
    own = str(python or sys.executable)
    assert one == ("spawn_bound" if bound else "spawn_detached")
    assert command == [own, "-P", "-m", "fullfield.jobs.worker", str(tmp_path)]
    standalone = [own, "-P", "-m", "fullfield.distribution.standalone", "2", "fullfield.jobs.worker"]
    assert of_two == [*standalone, str(tmp_path / "two")]
    theirs = dict(os.environ) if python is None else other_python.environment()
    interpreter.prepare_for_torch(theirs)
    assert values == {name: value for name, value in theirs.items() if name != "RANK"}
    assert handle.alive() and json.loads((tmp_path / "start.json").read_text())["pid"] == PID


def test_that_several_are_refused_where_they_cannot_work_together(
    starting: Starting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "alone", lambda: "Not on this system.")
    with pytest.raises(UsageError, match=r"Cannot start 2 processes.*Not on this system"):
        local.launch(Job(kind="empty", processes=2), folder=tmp_path)
    local.launch(Job(kind="empty"), folder=tmp_path)
    assert len(starting.begun) == 1


def test_that_a_new_start_leaves_nothing_of_the_one_before_but_its_events(starting: Starting, run: Run) -> None:
    left = [run.folder / name for name in ("worker.json", "commands.jsonl", "rank-1.json", "over-0")]
    for path in left:
        path.write_text("x")
    run.tell(A)
    seen: list[bool] = []

    def start(folder: Path) -> Any:
        seen.append(any(path.exists() for path in left))
        assert jobs.asked(folder) == Job(kind="empty", processes=2)
        return Process()

    folder, begin, process = local.begun(Job(kind="empty", processes=2), run.folder, start)
    assert seen == [False] and folder == run.folder and process.pid == PID
    assert begin == event_log.size(run.folder) > 0
    new, begin, _ = local.begun(Job(kind="empty"), None, lambda folder: Process())  # type: ignore[arg-type,return-value]
    assert begin == 0 and new.parent == files.runs_folder() and jobs.load(new) == Job(kind="empty")
    local.begun(Job(kind="empty"), run.folder)
    ((name, command, values),) = starting.begun
    assert (name, command[3:], values) == ("spawn_detached", [local.WORKER, str(run.folder)], local.environment())


@pytest.mark.parametrize("installed", [True, False])
@pytest.mark.parametrize("absent", [True, False])
def test_that_what_a_kind_may_need_is_taken_from_where_it_is_installed(
    monkeypatch: pytest.MonkeyPatch, installed: bool, absent: bool
) -> None:
    kind = registry.Kind(module="x", needs=("os",), may_need=("torchvision" if absent else "sys",))
    monkeypatch.setitem(registry.KINDS, "empty", kind)
    monkeypatch.setattr(place, "python", lambda: Path("python"))
    monkeypatch.setattr(place, "installed", lambda: object() if installed else None)
    monkeypatch.setattr(parts, "is_here", lambda name: name in ("os", "sys"))
    assert local.interpreter("empty") == (Path("python") if installed and absent else None)
    monkeypatch.setitem(registry.KINDS, "empty", replace(kind, may_need=()))
    assert local.interpreter("empty") is None
    assert local.interpreter("nonsense") is None
    monkeypatch.setitem(registry.KINDS, "empty", replace(kind, needs=("torch",), may_need=()))
    with contextlib.nullcontext() if installed else pytest.raises(MissingPart):
        assert local.interpreter("empty") == Path("python")

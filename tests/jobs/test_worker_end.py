"""How a worker begins, what it is given to do, and how each end of that is told: in the process of the test."""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import filelock
import pytest

from fullfield import __version__, files, process_identity
from fullfield.checked import Fields
from fullfield.errors import ExitCode, Interrupted, OutOfMemory, RankLost
from fullfield.jobs import event_log, heartbeat, launch, ranks, registry, worker
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.worker import OWNER_SECONDS, WorkerContext
from fullfield.protocol import event_lines, rank_events
from fullfield.protocol.commands import Stop
from fullfield.protocol.events import Notice, RunEnded, RunFailed, RunStarted
from fullfield.protocol.small import EmptySpec

Does = Callable[[WorkerContext], Fields]
BEGINS = ["offline.stay_offline", "worker.log INFO own", "interpreter.prepare_for_torch", "faulthandler.enable"]


class Left(BaseException):
    """In the place of `os._exit`."""


class Worker:
    """A worker in the process of the test; `does` is its job."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self._patch = folder, monkeypatch
        self.does: Does = lambda context: {"done": 1}
        self.noted: list[Any] = []
        monkeypatch.setattr(registry.Kind, "load", lambda kind: self._run)
        for module, name in ((heartbeat, "beat"), (ranks, "watch"), (ranks, "outlive")):
            monkeypatch.setattr(module, name, lambda *given, name=name: self.noted.append((name, *given)))
        monkeypatch.setattr(os, "_exit", self._leave)
        jobs.save(Job(kind="empty"), folder)

    def begin(self, rank: int = 0, world: int = 1) -> int:
        """Its exit code."""
        event_log.path(self.folder).unlink(missing_ok=True)
        if world > 1:
            self._patch.setenv("RANK", str(rank))
            self._patch.setenv("WORLD_SIZE", str(world))
        return worker.main([str(self.folder)])

    def told(self) -> list[Any]:
        log = event_log.path(self.folder)
        lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        return [replace(event, time=0.0) for line in lines if (event := event_lines.from_line(line)) is not None]

    def _run(self, spec: EmptySpec, context: WorkerContext) -> Fields:
        assert spec == EmptySpec()
        return self.does(context)

    def _leave(self, code: int) -> None:
        raise Left(code)


@pytest.fixture
def one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, did: list[str]) -> Worker:
    for name in ("RANK", "WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)
    return Worker(tmp_path, monkeypatch)


def raising(error: BaseException) -> Does:
    def does(context: WorkerContext) -> Fields:
        raise error

    return does


STARTED = RunStarted(job="empty", pid=os.getpid(), version=__version__)


def test_that_a_worker_says_what_it_is_does_its_job_and_tells_the_end(one: Worker, did: list[str]) -> None:
    jobs.save(Job(kind="empty", owner=(os.getpid(), process_identity.process_started(os.getpid()))), one.folder)
    assert one.begin() == ExitCode.ALL_DONE
    assert one.told() == [STARTED, RunEnded(reason="completed", summary={"done": 1})]
    assert did == BEGINS and (one.folder / "crash.log").exists()
    itself = jobs.worker(one.folder)
    assert itself is not None and itself.world == 1
    assert process_identity.is_alive(itself.pid, itself.started) and itself.pid == os.getpid()
    assert jobs.load(one.folder).owner is not None, "what was asked is accepted"
    assert one.noted[:2] == [("beat", one.folder, 0), ("watch", one.folder, 0, 1)]
    assert not list(one.folder.glob("over-*"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_that_a_signal_or_the_end_of_its_owner_stops_it(
    one: Worker, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    def does(context: WorkerContext) -> Fields:
        signal.raise_signal(number)
        return {"asked": context.stopping()}

    one.does = does
    assert one.begin() == ExitCode.ALL_DONE
    assert one.told()[-1] == RunEnded(reason="stopped", summary={"asked": True})
    monkeypatch.setattr(worker, "OWNER_SECONDS", -1.0)
    assert one.begin() == ExitCode.ALL_DONE
    jobs.save(Job(kind="empty", owner=(os.getpid(), "another")), one.folder)
    assert one.begin() == ExitCode.INTERRUPTED


def test_that_of_several_each_has_its_files_ends_with_its_parent_and_the_first_tells(
    one: Worker, did: list[str]
) -> None:
    for rank in (1, 0):
        did.clear()
        one.noted.clear()
        assert one.begin(rank, 2) == ExitCode.ALL_DONE
        assert did == [BEGINS[0], f"worker{'-1' * rank}.log INFO own", *BEGINS[2:], "end_with_parent"]
        assert [given[:4] for given in one.noted] == [
            ("beat", one.folder, rank),
            ("watch", one.folder, rank, 2),
            ("outlive", one.folder, rank, 2),
        ]
        itself = jobs.worker(one.folder, rank)
        assert itself is not None and (itself.pid, itself.world) == (os.getpid(), 2)
        assert (one.folder / f"over-{rank}").exists(), "it ended as it should"
        assert one.told() == (
            [] if rank else [replace(STARTED, world=2), RunEnded(reason="completed", summary={"done": 1})]
        )


def test_that_a_second_worker_leaves_the_run_to_the_first(one: Worker) -> None:
    with filelock.FileLock(one.folder / "worker.lock", thread_local=False):
        held = filelock.FileLock(one.folder / "worker.lock", is_singleton=False)
        assert not held.is_locked
        assert one.begin() == ExitCode.USAGE
    assert one.told() == [] and one.noted == []


def test_that_one_that_is_left_in_a_library_by_the_others_ends_with_what_is_known(one: Worker) -> None:
    one.begin(1, 2)
    _, _, _, _, give_up = one.noted[-1]
    with pytest.raises(Left) as left:
        give_up(OutOfMemory("No memory."))
    assert left.value.args == (ExitCode.OUT_OF_MEMORY,)
    assert ranks.failure(one.folder, 1) is not None


@pytest.mark.parametrize("kind", ["train", "batch", "empty"])
def test_that_a_worker_gives_way_and_ends_with_its_starter_as_its_kind_says(
    kind: str, one: Worker, did: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.KINDS, "empty", registry.KINDS[kind])
    monkeypatch.setattr(registry, "BOUND", {"empty"} if kind == "batch" else frozenset())
    one.begin()
    assert did == [*BEGINS, *{"train": ["lower_priority"], "batch": ["end_with_starter"], "empty": []}[kind]]


def test_that_the_worker_of_a_run_elsewhere_follows_it_and_tells_nothing_itself(
    one: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs.save(job := Job(kind="empty", place="moon"), one.folder)
    asked: list[Any] = []

    def work(job: Job, context: WorkerContext) -> int:
        asked.append((job, context.folder))
        return 9

    monkeypatch.setattr(launch, "work", work)
    assert one.begin() == 9
    assert asked == [(job, one.folder)] and one.told() == []


def test_that_a_job_of_one_that_was_stopped_before_is_not_begun_and_several_begin_it_to_stop_together(
    one: Worker,
) -> None:
    jobs.save(Job(kind="empty", processes=2), one.folder)
    (one.folder / "commands.jsonl").write_text(f"{Stop().to_line()}\n")
    assert one.begin() == ExitCode.INTERRUPTED
    (_, ended) = one.told()
    assert ended.reason == "stopped" and ended.summary["title"] == "The run was stopped before it began."
    assert jobs.asked(one.folder).processes == 1, "what was asked is refused"
    assert one.begin(0, 2) == ExitCode.ALL_DONE
    assert one.told()[-1] == RunEnded(reason="stopped", summary={"done": 1})


def test_that_one_that_ends_by_itself_as_if_it_was_stopped_was(one: Worker) -> None:
    one.does = raising(Interrupted("Enough."))
    assert one.begin() == ExitCode.INTERRUPTED
    assert one.told()[-1].reason == "stopped"
    (one.folder / "commands.jsonl").write_text(f"{Stop(why='paused').to_line()}\n")
    assert one.begin() == ExitCode.INTERRUPTED and one.told()[-1].reason == "paused"


@pytest.mark.parametrize("refused", [False, True])
def test_that_an_error_is_told_with_its_code_and_whether_anything_was_refused(one: Worker, refused: bool) -> None:
    error = OutOfMemory("No memory.", detail="It took all.", hint="Take less.")
    one.does = raising(error)
    if refused:
        jobs.save(Job(kind="empty"), one.folder)
    assert one.begin() == ExitCode.OUT_OF_MEMORY
    failed = RunFailed(error=error.as_fields(), exit_code=ExitCode.OUT_OF_MEMORY, refused=refused)
    assert one.told() == [STARTED, failed, RunEnded(reason="failed")]


def test_that_another_rank_leaves_its_error_to_the_first_which_tells_whose_it_was(one: Worker) -> None:
    error = OutOfMemory("No memory.")
    one.does = raising(error)
    assert one.begin(1, 2) == ExitCode.OUT_OF_MEMORY
    assert one.told() == [] and not (one.folder / "over-1").exists()
    one.does = raising(RankLost("Another one has ended."))
    assert one.begin(0, 2) == ExitCode.OUT_OF_MEMORY
    assert one.told()[1:] == [
        rank_events.RankLost(rank=1, world=2, how="failed"),
        RunFailed(error=error.as_fields(), exit_code=ExitCode.OUT_OF_MEMORY),
        RunEnded(reason="failed"),
    ]
    assert not (one.folder / "over-0").exists()
    assert not one.told()[2].refused, "the other rank refuses nothing"


def test_that_what_cannot_be_told_is_said_by_the_exit_code(one: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, line: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def does(context: WorkerContext) -> Fields:
        monkeypatch.setattr(files, "append_line", full)
        return {}

    one.does = does
    assert one.begin() == ExitCode.CANNOT_WRITE


def test_that_the_first_of_two_last_words_is_the_last(one: Worker) -> None:
    kept: list[WorkerContext] = []

    def does(context: WorkerContext) -> Fields:
        kept.append(context)
        return {}

    one.does = does
    one.begin()
    assert not kept[0].end_lock.acquire(blocking=False)


def test_that_a_run_ends_with_its_owner_and_not_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked = 100.0, 0

    def is_alive(pid: int, started: str) -> bool:
        nonlocal asked
        asked += 1
        assert (pid, started) == (7, "a")
        return asked < 2

    monkeypatch.setattr(process_identity, "is_alive", is_alive)
    monkeypatch.setattr(time, "monotonic", lambda: now)
    context, free = (WorkerContext(tmp_path, rank=0, world=1) for _ in range(2))
    context.end_with((7, "a"))
    free.end_with(None)
    for seconds, looks in ((1.0, 0), (1.5, 1), (OWNER_SECONDS - 0.5, 1)):
        now += seconds
        assert not context.stopping() and asked == looks
    now += 1.0
    assert context.stopping() and context.stopping() and asked == 2 and context.reason() == "stopped"
    assert not free.stopping()


def test_that_only_one_that_is_alone_begins_anew_and_only_the_first_accepts(one: Worker, did: list[str]) -> None:
    def does(context: WorkerContext) -> Fields:
        context.begin_anew()
        return {"done": 1}

    one.does = does
    assert one.begin() == 0 if os.name == "nt" else one.begin() is None
    assert did[-1] == ("faulthandler.enable" if os.name == "nt" else "interpreter.begin_anew")
    assert one.begin(0, 2) == ExitCode.ALL_DONE
    jobs.save(Job(kind="empty", processes=2), one.folder)
    assert one.begin(1, 2) == ExitCode.ALL_DONE
    assert jobs.load(one.folder).processes == 1
    context = WorkerContext(one.folder, rank=0, world=2)
    assert context.worlds == (2,) and context.nodes == () and context.is_to_regroup() is False


@pytest.mark.parametrize("rank", [0, 1])
def test_that_a_second_signal_ends_it_at_once_and_the_first_tells_that(one: Worker, rank: int) -> None:
    context = WorkerContext(one.folder, rank=rank, world=2)
    context.ask_to_stop(signal.SIGTERM, None)
    assert one.told() == [] and (one.folder / "commands.jsonl").exists() == bool(rank), "the first is asked, too"
    with pytest.raises(Left) as left:
        context.ask_to_stop(signal.SIGTERM, None)
    assert left.value.args == (ExitCode.INTERRUPTED,)
    assert one.told() == ([] if rank else [RunEnded(reason="stopped")])


def test_that_commands_are_taken_once_in_their_order_and_when_they_are_whole(tmp_path: Path) -> None:
    posted = tmp_path / "commands.jsonl"
    context = WorkerContext(tmp_path, rank=0, world=1)
    assert context.commands() == []
    for text, images in (
        ('{"command": "watch", "image": 3}\n{"comm', [3]),
        ("", []),
        ('and": "watch", "image": 4}\n', [4]),
    ):
        with posted.open("a") as stream:
            stream.write(text)
        assert [command.image for command in context.commands()] == images  # type: ignore[attr-defined]
    with posted.open("a") as stream:
        stream.write(f'{Stop(why="paused").to_line()}\n{{"command": "watch", "image": 5}}\n{Stop().to_line()}\n')
    assert context.stopping() and context.reason() == "paused"
    assert [command.image for command in context.commands()] == [5]  # type: ignore[attr-defined]


def test_that_who_was_stopped_is_not_paused_later(tmp_path: Path) -> None:
    context = WorkerContext(tmp_path, rank=0, world=1)
    (tmp_path / "commands.jsonl").write_text(f"{Stop().to_line()}\n{Stop(why='paused').to_line()}\n")
    context.commands()
    assert context.reason() == "stopped"
    context.emit(Notice(text="x"))

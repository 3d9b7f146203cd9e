"""A worker has a last word, and where it cannot write one, an exit code that says so; it may begin anew."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fullfield import files, system
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.launchers.local import WORKER
from fullfield.jobs.post_mortem import Watch
from fullfield.jobs.worker import WorkerContext
from fullfield.protocol import commands, event_lines, events
from fullfield.protocol.events import Notice, RunEnded, RunFailed, RunStarted
from fullfield.runs.run_state import RunState

FULL = Path("/dev/full")
ANEW = """
import sys
from fullfield.protocol.events import Notice
from fullfield.jobs import registry, worker

def run(spec, context):
    context.emit(Notice(text=str(context.commands())))
    first = not (context.folder / "first").exists()
    (context.folder / "first").touch()
    if first:
        context.begin_anew()
    return {}

registry.Kind.load = lambda self: run
sys.exit(worker.main(sys.argv[1:]))
"""
"""A worker whose job begins anew once."""


def work(folder: Path, kind: str = "empty") -> int:
    """The exit code of a worker of this folder."""
    jobs.save(Job(kind=kind), folder)
    return subprocess.run([*system.python_command(WORKER), str(folder)], capture_output=True, check=False).returncode


@pytest.mark.skipif(not FULL.exists(), reason="no device here that is always full")
@pytest.mark.parametrize("kind", ["empty", "nonsense"])
def test_that_a_worker_without_room_for_its_last_word_is_told_as_a_full_disk(tmp_path: Path, kind: str) -> None:
    (tmp_path / "events.jsonl").symlink_to(FULL)
    watch = Watch(tmp_path)
    assert "most often because the disk is full" in watch.explain(work(tmp_path, kind)).detail


def test_that_what_a_worker_says_after_a_line_that_a_full_disk_cut_begins_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = WorkerContext(tmp_path, rank=0, world=1)
    context.emit(Notice(text="first"))

    def full(path: Path, line: str) -> None:
        with path.open("a") as stream:
            stream.write(line[:20])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(files, "append_line", full)
        with pytest.raises(OSError, match="No space"):
            context.emit(Notice(text="second"))
    context.emit(Notice(text="third"))
    lines = [event_lines.from_line(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert [one.text for one in lines if isinstance(one, Notice)] == ["first", "third"]


@pytest.mark.parametrize("hours", [-3, 5], ids=["back", "forward"])
def test_that_a_clock_that_is_set_while_a_worker_is_at_it_changes_no_duration(
    hours: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, passed = time.time, 0.0
    monkeypatch.setattr(time, "monotonic", lambda: 100 + passed)
    monkeypatch.setattr(time, "clock_gettime", lambda clock: 100 + passed, raising=False)
    context = WorkerContext(tmp_path, rank=0, world=1)
    context.emit(RunStarted(job="empty", pid=1))
    passed = 60.0
    monkeypatch.setattr(time, "time", lambda: usual() + 3600 * hours)
    context.emit(RunEnded(reason="completed"))
    state = RunState()
    for line in (tmp_path / "events.jsonl").read_text().splitlines():
        state.apply(event_lines.from_line(line))
    assert state.snapshot().seconds == pytest.approx(60, abs=0.01)
    assert abs(state.snapshot().began - usual()) < 3600


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="there the clock of a process goes on meanwhile")
def test_that_the_time_for_which_the_computer_sleeps_has_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clocks = {time.CLOCK_BOOTTIME: 100.0}
    monkeypatch.setattr(time, "clock_gettime", clocks.get)
    context = WorkerContext(tmp_path, rank=0, world=1)
    context.emit(Notice(text="first"))
    clocks[time.CLOCK_BOOTTIME] += 3600
    context.emit(Notice(text="second"))
    first, second = map(event_lines.from_line, (tmp_path / "events.jsonl").read_text().splitlines())
    assert first is not None and second is not None
    assert second.time - first.time == pytest.approx(3600) and abs(first.time - time.time()) < 600


def test_that_a_worker_that_cannot_say_what_it_is_says_why(tmp_path: Path) -> None:
    (tmp_path / "worker.json").mkdir()
    assert work(tmp_path) == 7
    lines = (tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines()
    failed, ended = map(event_lines.from_line, lines)
    assert isinstance(failed, RunFailed) and failed.error["title"] == "Cannot write a file into the chosen folder."
    assert isinstance(ended, RunEnded) and ended.reason == "failed"


@pytest.mark.parametrize("cut", [b'{"command": "wat', b"7", b'["stop"]', b'"stop"', b"\xff"])
def test_that_a_command_that_was_cut_costs_only_itself(tmp_path: Path, cut: bytes) -> None:
    context = WorkerContext(tmp_path, rank=0, world=1)
    (tmp_path / "commands.jsonl").write_bytes(cut + b'\n{"command": "watch", "image": 3}\n')
    assert context.commands() == [commands.Watch(image=3)]
    assert not context.stopping()


@pytest.mark.skipif(system.WINDOWS, reason="Windows cannot replace a process")
def test_that_a_job_that_begins_anew_is_the_same_process_and_hears_again_what_was_posted(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    jobs.save(Job(kind="empty"), folder)
    (tmp_path / "anew.py").write_text(ANEW)
    (folder / "commands.jsonl").write_text('{"command": "watch", "image": 3}\n')
    worker = subprocess.run([sys.executable, str(tmp_path / "anew.py"), str(folder)], capture_output=True, check=False)
    assert worker.returncode == 0
    lines = (folder / "events.jsonl").read_text(encoding="utf-8").splitlines()
    first, received, second, again, ended = map(event_lines.from_line, lines)
    assert isinstance(first, RunStarted) and isinstance(second, RunStarted) and first.pid == second.pid
    assert isinstance(received, Notice) and "Watch" in received.text
    assert isinstance(again, Notice) and again.text == received.text
    assert isinstance(ended, RunEnded) and ended.reason == "completed"


@pytest.mark.skipif(system.WINDOWS, reason="Windows has no such signals")
def test_that_a_second_signal_ends_a_worker_at_once_with_a_last_word(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom fullfield.jobs.worker import WorkerContext\n"
        "context = WorkerContext(Path(sys.argv[1]), rank=0, world=1)\n"
        "with context._lock:\n    context.ask_to_stop(15, None)\n    context.ask_to_stop(15, None)"
    )
    worker = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False, timeout=120)
    assert worker.returncode == 130
    [ended] = map(event_lines.from_line, (tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines())
    assert isinstance(ended, RunEnded) and ended.reason == "stopped"


def test_that_a_job_that_was_asked_to_stop_while_it_was_imported_is_not_begun(tmp_path: Path) -> None:
    jobs.save(Job(kind="empty"), tmp_path)
    (tmp_path / "commands.jsonl").write_text('{"command": "stop"}\n')
    worker = subprocess.run([sys.executable, "-m", WORKER, str(tmp_path)], check=False, timeout=120)
    assert worker.returncode == 130
    last = event_lines.from_line((tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert isinstance(last, RunEnded) and last.reason == "stopped" and "ranks" not in last.summary


def test_that_a_job_that_was_asked_to_stop_does_not_begin_anew(tmp_path: Path) -> None:
    context = WorkerContext(tmp_path, rank=0, world=1)
    context.ask_to_stop(signal.SIGTERM, None)
    context.begin_anew()
    assert context.stopping()


SEGMENTS = """
import os, sys
from fullfield.protocol.events import Notice
from fullfield.jobs import registry, worker

def run(spec, context):
    names = os.environ["NAMES"].split()
    context.emit(Notice(text=str([os.environ.get(name) for name in names])))
    return {}

registry.Kind.load = lambda self: run
sys.exit(worker.main(sys.argv[1:]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="torch has it on Linux alone")
@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, "['expandable_segments:True', None, '1000', None, ':16:8']"),
        (
            {
                "PYTORCH_CUDA_ALLOC_CONF": "backend:native",
                "OMP_WAIT_POLICY": "active",
                "CUBLAS_WORKSPACE_CONFIG": ":4096:8",
            },
            "[None, 'backend:native', None, 'active', ':4096:8']",
        ),
    ],
)
def test_that_a_worker_says_how_torch_shall_allocate_and_wait_unless_the_user_has_said_it(
    tmp_path: Path, given: dict[str, str], wanted: str
) -> None:
    jobs.save(Job(kind="empty"), tmp_path)
    names = "PYTORCH_ALLOC_CONF PYTORCH_CUDA_ALLOC_CONF GOMP_SPINCOUNT OMP_WAIT_POLICY CUBLAS_WORKSPACE_CONFIG"
    own = {name: value for name, value in os.environ.items() if name not in names.split()}
    environment = own | given | {"NAMES": names}
    subprocess.run([sys.executable, "-c", SEGMENTS, str(tmp_path)], check=True, env=environment)
    reported = [event_lines.from_line(line) for line in (tmp_path / "events.jsonl").read_text().splitlines()]
    assert [one.text for one in reported if isinstance(one, Notice)] == [wanted]


def test_that_what_a_worker_tells_first_does_not_follow_on_a_line_that_a_full_disk_cut(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    before = events.to_line(Notice(text="before"))
    for cut in (f"{before}\n{before[:20]}", f"{before}\n", ""):
        log.write_text(cut)
        context = WorkerContext(tmp_path, rank=0, world=1)
        for text in ("first", "second"):
            context.emit(Notice(text=text))
        found = [event for line in log.read_text().splitlines() if (event := event_lines.from_line(line)) is not None]
        told = [event.text for event in found if isinstance(event, Notice)]
        assert told == [*(["before"] if cut else []), "first", "second"]

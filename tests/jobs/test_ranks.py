"""What ranks of a run do for one another: rank 0 tells what ended another, and one that is frozen is ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fullfield import process_identity, system
from fullfield.errors import CannotWrite, ExitCode, OutOfMemory, RankLost
from fullfield.jobs import frozen, heartbeat, ranks
from fullfield.jobs.job import of_rank

WAITS = "import time; time.sleep(60)"
COMPUTES = "while True: pass"
HOLDS = """
import ctypes, threading, time
held = ctypes.PyDLL(None)
threading.Thread(target=lambda: [time.sleep(0.1) for _ in range(10**6)], daemon=True).start()
time.sleep(0.5)
"""
LOST = RankLost("The training cannot go on.", detail="Another of its processes has ended.")


def test_that_rank_0_tells_the_error_of_the_rank_that_failed(tmp_path: Path) -> None:
    ranks.tell(tmp_path, 2, OutOfMemory("No memory.", detail="It took all.", hint="Take less."))
    found = ranks.cause(tmp_path, 4, LOST)
    assert found.fields == {"title": "No memory.", "detail": "It took all.", "hint": "Take less."}
    assert found.code is ExitCode.OUT_OF_MEMORY
    assert found.lost is not None and (found.lost.rank, found.lost.world, found.lost.how) == (2, 4, "failed")


def test_that_an_error_of_its_own_is_told_whatever_others_say(tmp_path: Path) -> None:
    ranks.tell(tmp_path, 1, OutOfMemory("No memory."))
    own = CannotWrite("Cannot save.", detail="The disk is full.")
    found = ranks.cause(tmp_path, 2, own)
    assert (found.fields, found.code, found.lost) == (own.as_fields(), ExitCode.CANNOT_WRITE, None)


@pytest.mark.parametrize("left", [None, b"{", b'{"title": "a"}', b'{"title":"a","detail":"","hint":"","exit_code":77}'])
def test_that_where_nothing_of_use_was_left_the_loss_itself_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: bytes | None
) -> None:
    monkeypatch.setattr(ranks, "ANSWER_SECONDS", 0.3)
    if left is not None:
        (tmp_path / "failed-1.json").write_bytes(left)
    found = ranks.cause(tmp_path, 2, LOST)
    assert (found.fields, found.code, found.lost) == (LOST.as_fields(), ExitCode.UNEXPECTED, None)


def test_that_of_ranks_that_are_gone_the_one_without_a_word_took_the_others_along(tmp_path: Path) -> None:
    for rank in (1, 2, 3):
        known(tmp_path, rank, 2**22 + 1, "long gone")
    ranks.tell(tmp_path, 1, LOST)
    ranks.end(tmp_path, 3)
    found = ranks.cause(tmp_path, 4, LOST)
    assert found.lost is not None and (found.lost.rank, found.lost.how) == (2, "killed")
    assert "Process 3 of 4 ended without a word" in found.fields["detail"]
    assert found.fields["hint"] == RankLost.HINT


def test_that_a_rank_that_is_left_alone_gives_up_and_one_whose_others_are_through_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranks, "GONE_SECONDS", 0.2)
    monkeypatch.setattr(heartbeat, "BEAT_SECONDS", 0.02)
    known(tmp_path, 1, 2**22 + 1, "long gone")
    ranks.end(tmp_path, 1)
    given: list[RankLost] = []
    ranks.outlive(tmp_path, 0, 2, given.append)
    time.sleep(0.6)
    assert given == []
    (tmp_path / "over-1").unlink()
    ends = time.monotonic() + 10
    while not given and time.monotonic() < ends:
        time.sleep(0.02)
    assert given
    (tmp_path / "worker-1.json").unlink()


def test_that_a_rank_that_lost_another_tells_nothing_of_itself(tmp_path: Path) -> None:
    ranks.tell(tmp_path, 1, LOST)
    assert [path.name for path in tmp_path.iterdir()] == ["over-1"]


def test_that_a_new_start_forgets_the_ranks_before_and_nothing_else(tmp_path: Path) -> None:
    kept = {"worker.json", "pulse", "failed.txt", "events.jsonl"}
    for name in (*kept, "worker-1.json", "pulse-3", "failed-1.json", "over-0", "rank-2.json", ".rank-2.json.part"):
        (tmp_path / name).touch()
    ranks.forget(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == kept


def known(folder: Path, rank: int, pid: int, started: str) -> None:
    """A rank that has given its first sign of life."""
    (folder / of_rank("worker.json", rank)).write_text(f'{{"pid": {pid}, "started": "{started}", "world": 4}}')
    (folder / of_rank(heartbeat.FILE, rank)).touch()


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot be a rank")
def test_that_a_rank_that_is_stopped_is_ended_and_one_that_has_ended_or_computes_is_left_in_peace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frozen, "FROZEN_SECONDS", 2.5)
    over, stopped, busy = (subprocess.Popen([sys.executable, "-c", code]) for code in ("", WAITS, COMPUTES))
    try:
        for rank, process in enumerate((over, stopped, busy), 1):
            known(tmp_path, rank, process.pid, process_identity.process_started(process.pid) or "gone")
        over.wait()
        stopped.send_signal(signal.SIGSTOP)
        ranks.watch(tmp_path, 0, 4)
        assert stopped.wait(30) == -signal.SIGKILL
        assert busy.poll() is None
        assert [path.name for path in tmp_path.glob("failed-*")] == ["failed-2.json"]
        assert "Process 3 of 4 has given no sign of life" in ranks.cause(tmp_path, 4, LOST).fields["detail"]
        monkeypatch.setattr(frozen, "HELD_SECONDS", 0.5)
        assert busy.wait(30) == -signal.SIGKILL
    finally:
        for process in (over, stopped, busy):
            process.kill()
            process.wait()


@pytest.mark.skipif(not system.LINUX, reason="other systems do not tell what a thread has done")
def test_that_of_silent_ranks_the_one_in_which_a_library_only_waits_is_frozen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frozen, "FROZEN_SECONDS", 3.0)
    monkeypatch.setattr(frozen, "IDLE_SECONDS", 2.0)
    both = [subprocess.Popen([sys.executable, "-c", HOLDS + code]) for code in ("held.sleep(60)", "sum(range(10**12))")]
    try:
        for rank, process in enumerate(both):
            known(tmp_path, rank, process.pid, process_identity.process_started(process.pid))
        held, computes = (frozen.Watched(tmp_path, rank) for rank in range(2))
        ends = time.monotonic() + 60
        while not held.frozen_seconds() and time.monotonic() < ends:
            assert not computes.frozen_seconds()
            time.sleep(0.1)
        assert held.frozen_seconds() > 3.0 and held.pid == both[0].pid
        known(tmp_path, 0, os.getpid(), process_identity.process_started(os.getpid()))
        assert held.frozen_seconds() == 0.0, "the silence of one process counted as the next one's"
    finally:
        for process in both:
            process.kill()
            process.wait()

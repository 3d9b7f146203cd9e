"""What ranks of a run do for one another: rank 0 tells what ended another, and one that is frozen is ended."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fullfield import process_identity
from fullfield.errors import CannotWrite, ExitCode, OutOfMemory, RankLost
from fullfield.jobs import heartbeat, ranks
from fullfield.jobs.job import of_rank

LOST = RankLost("The training cannot go on.", detail="Another of its processes has ended.")


def test_that_rank_0_tells_the_error_of_the_rank_that_failed(tmp_path: Path) -> None:
    ranks.tell(tmp_path, 2, OutOfMemory("No memory.", detail="It took all.", hint="Take less."))
    fields, code = ranks.cause(tmp_path, LOST)
    assert fields == {"title": "No memory.", "detail": "It took all.", "hint": "Take less."}
    assert code is ExitCode.OUT_OF_MEMORY


def test_that_an_error_of_its_own_is_told_whatever_others_say(tmp_path: Path) -> None:
    ranks.tell(tmp_path, 1, OutOfMemory("No memory."))
    own = CannotWrite("Cannot save.", detail="The disk is full.")
    assert ranks.cause(tmp_path, own) == (own.as_fields(), ExitCode.CANNOT_WRITE)


@pytest.mark.parametrize("left", [None, b"{", b'{"title": "a"}', b'{"title":"a","detail":"","hint":"","exit_code":77}'])
def test_that_where_nothing_of_use_was_left_the_loss_itself_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: bytes | None
) -> None:
    monkeypatch.setattr(ranks, "ANSWER_SECONDS", 0.3)
    if left is not None:
        (tmp_path / "failed-1.json").write_bytes(left)
    assert ranks.cause(tmp_path, LOST) == (LOST.as_fields(), ExitCode.UNEXPECTED)


def test_that_a_rank_that_lost_another_tells_nothing_of_itself(tmp_path: Path) -> None:
    ranks.tell(tmp_path, 1, LOST)
    assert list(tmp_path.iterdir()) == []


def test_that_a_new_start_forgets_the_ranks_before_and_nothing_else(tmp_path: Path) -> None:
    kept = {"worker.json", "pulse", "failed.txt", "events.jsonl"}
    for name in (*kept, "worker-1.json", "pulse-3", "failed-1.json"):
        (tmp_path / name).touch()
    ranks.forget(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == kept


@pytest.mark.skipif(os.name == "nt", reason="Windows cannot be a rank")
def test_that_a_silent_rank_that_lives_is_ended_and_one_that_has_ended_is_left_in_peace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranks, "FROZEN_SECONDS", 0.5)
    over = subprocess.Popen([sys.executable, "-c", ""])
    started = process_identity.process_started(over.pid)
    over.wait()
    frozen = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    for rank, (pid, since) in {1: (over.pid, started), 2: (frozen.pid, None)}.items():
        since = process_identity.process_started(pid) if since is None else since
        values = f'{{"pid": {pid}, "started": "{since or "gone"}", "world": 3}}'
        (tmp_path / of_rank("worker.json", rank)).write_text(values)
        (tmp_path / of_rank(heartbeat.FILE, rank)).touch()
    ranks.watch(tmp_path, 0, 3)
    assert frozen.wait(30) < 0
    assert [path.name for path in tmp_path.glob("failed-*")] == ["failed-2.json"]
    fields, _ = ranks.cause(tmp_path, LOST)
    assert "Process 3 of 3" in fields["detail"] and "sign of life" in fields["detail"]

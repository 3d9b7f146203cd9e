"""A process that waits for what never comes is told from one that works, however little of a core that one is given."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from fullfield import process_activity, system
from fullfield.process_activity import Reading, Thread

BEFORE = Thread(state="S", faults=3, run_ns=10**9, wait_ns=10**9, turns=1000)
MS = 1_000_000


@pytest.mark.parametrize(
    ("worked", "changes"),
    [
        (False, {}),
        (False, {"run_ns": 3 * MS, "wait_ns": 10 * MS, "turns": 195}),  # waits for Python's lock
        (False, {"run_ns": MS, "wait_ns": 220 * MS, "turns": 150, "state": "R"}),  # the same, nice 10 at a load of 20
        (True, {"run_ns": 10 * MS, "wait_ns": 200 * MS, "turns": 3}),  # computes, at such a load
        (True, {"run_ns": 2 * MS, "wait_ns": 900 * MS, "turns": 300}),  # computes, and gives way again and again
        (True, {"state": "R"}),  # computes, and had no core in this time
        (True, {"state": "D"}),  # waits for a disk
        (True, {"faults": 1, "turns": 1, "run_ns": 1000}),  # has read a page from it
    ],
)
def test_that_a_thread_worked_where_it_ran_long_or_waited_for_a_core_or_a_disk(
    worked: bool, changes: dict[str, object]
) -> None:
    grown = {
        name: value if isinstance(value, str) else getattr(BEFORE, name) + value for name, value in changes.items()
    }
    assert replace(BEFORE, **grown).worked(BEFORE, 1.0) is worked  # type: ignore[arg-type]


def test_that_a_process_that_read_a_file_or_began_a_thread_worked() -> None:
    before = Reading(1.0, "rchar: 5", {"1": BEFORE})
    assert not replace(before, moment=2.0).worked(before)
    assert replace(before, moment=2.0, files="rchar: 6").worked(before)
    assert replace(before, moment=2.0, threads={"1": BEFORE, "2": BEFORE}).worked(before)


@pytest.mark.skipif(not system.LINUX, reason="other systems do not tell what a thread has done")
def test_that_linux_tells_what_this_process_has_done_and_nothing_of_one_that_is_not_there() -> None:
    before = process_activity.read(os.getpid())
    assert before is not None and str(os.getpid()) in before.threads
    sum(range(3_000_000))
    after = process_activity.read(os.getpid())
    assert after is not None and after.worked(before)
    assert process_activity.read(2**22 + 1) is None


@pytest.mark.skipif(not system.LINUX, reason="other systems do not tell what a thread has done")
def test_that_nothing_is_told_of_a_process_that_uses_a_card_for_its_driver_may_keep_it_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_activity, "CARDS", (str(tmp_path / "nvidia"),))
    assert process_activity.read(os.getpid()) is not None
    with (tmp_path / "nvidia0").open("w"):
        assert process_activity.read(os.getpid()) is None
    assert process_activity.read(os.getpid()) is not None

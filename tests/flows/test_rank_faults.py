"""Whatever goes wrong in one process of a training, all end in words with the right code, none is left, and the same
run goes on afterwards."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from flows.faulty import EARLY, outcomes
from fullfield.errors import ExitCode
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.protocol import event_lines
from fullfield.protocol.events import Event, Notice, RunEnded, RunFailed
from fullfield.protocol.rank_events import RankLost, RanksSampled, RankStarted
from fullfield.protocol.training import from_json
from training import prepared_phantoms, settings

pytestmark = [
    pytest.mark.training,
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="torch has no gloo for Windows that works"),
]
SIDE = 192
KILLED = -9

FAULTS: dict[str, tuple[tuple[int, int], str, tuple[int, str] | None]] = {
    EARLY: ((ExitCode.UNEXPECTED, KILLED), "Process 2 of 2 ended without a word", (1, "killed")),
    "killed": ((ExitCode.UNEXPECTED, KILLED), "Process 2 of 2 ended without a word", (1, "killed")),
    "no memory": ((ExitCode.OUT_OF_MEMORY, ExitCode.OUT_OF_MEMORY), "needs more than the computer has", (1, "failed")),
    "no number": ((ExitCode.MODEL, ExitCode.MODEL), "5 steps in a row", None),
    "full disk": ((ExitCode.CANNOT_WRITE, ExitCode.UNEXPECTED), "(ulimit -f)", None),
    "frozen": ((ExitCode.UNEXPECTED, KILLED), "Process 2 of 2 has given no sign of life", (1, "frozen")),
    "held": ((ExitCode.UNEXPECTED, KILLED), "Process 2 of 2 has given no sign of life", (1, "frozen")),
    "interrupt": ((ExitCode.ALL_DONE, ExitCode.ALL_DONE), "", None),
    "stop": ((ExitCode.ALL_DONE, ExitCode.ALL_DONE), "", None),
}
"""By name: the codes of both, words of the error, and which one is told to be lost and how. The last ones show that the
run goes on after those before."""


def test_that_every_fault_of_a_process_ends_the_run_in_words_and_leaves_none_and_it_goes_on(tmp_path: Path) -> None:
    folder, data = tmp_path / "run", prepared_phantoms(tmp_path / "data", 3, rows=SIDE, columns=SIDE)
    given = {"batch": 2, "validation": 0.3, "l1_steps": 0, "loss": "ms_ssim+l1", "epochs": 100}
    flat = {"schedule": "constant", "warm_up": 0.0, "techniques": ["data_parallel"]}
    jobs.save(Job.of(from_json(settings(data, **given, **flat)), processes=2), folder)
    found = outcomes(folder, list(FAULTS))
    assert [one.fault for one in found] == list(FAULTS)
    starts = reported(folder)
    assert len(starts) == len(FAULTS)
    step = 0
    for one, events in zip(found, starts, strict=True):
        codes, words, lost = FAULTS[one.fault]
        assert (one.codes, one.left) == (codes, 0), one
        failed = [event for event in events if isinstance(event, RunFailed)]
        assert bool(failed) is bool(words), one
        if failed:
            assert words in failed[0].error["detail"] and failed[0].exit_code == codes[0], failed
        named = [(event.rank, event.how) for event in events if isinstance(event, RankLost)]
        assert named == ([lost] if lost else []), one
        last = events[-1]
        assert isinstance(last, RunEnded) and last.reason == ("failed" if words else "stopped"), one
        if one.fault == EARLY:
            continue
        started = [event.rank for event in events if isinstance(event, RankStarted)]
        sampled = {one.rank for event in events if isinstance(event, RanksSampled) for one in event.ranks}
        assert sorted(started) == [0, 1] and sampled == {0, 1}, one
        going = [re.search(r"Going on after step (\d+)", event.text) for event in events if isinstance(event, Notice)]
        steps = [int(match[1]) for match in going if match]
        assert (steps and steps[0] > step) or one is found[1], f"{one.fault} went on from {steps}, after {step}"
        step = steps[0] if steps else 0


def reported(folder: Path) -> list[list[Event]]:
    """The events of each start."""
    starts: list[list[Event]] = []
    for line in (folder / "events.jsonl").read_text().splitlines():
        event = event_lines.from_line(line)
        assert event is not None
        if type(event).__name__ == "RunStarted":
            starts.append([])
        starts[-1].append(event)
    return starts

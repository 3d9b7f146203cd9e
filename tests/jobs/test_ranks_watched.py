"""How ranks look after one another, turn by turn: who is frozen is ended, and who is left alone gives up."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import ClassVar

import pytest

from fullfield import process_identity
from fullfield.errors import CannotWrite, ExitCode, RankLost
from fullfield.jobs import heartbeat, ranks
from fullfield.jobs.job import of_rank
from jobs.turns import Turn, Turns

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows cannot be a rank")
LOST = RankLost("The training cannot go on.", detail="Another of its processes has ended.")
OWN = (os.getpid(), process_identity.process_started(os.getpid()))
GONE = (2**22 + 1, "long gone")


class Watched:
    """A rank that is silent for so long as is said."""

    silent: ClassVar[dict[int, float]] = {}

    def __init__(self, folder: Path, rank: int) -> None:
        assert folder.is_dir()
        self._rank, self.pid = rank, 4000 + rank

    def frozen_seconds(self) -> float:
        return self.silent.get(self._rank, 0.0)


class Looks(Turns):
    """Of ranks at one another, `now`."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(ranks, folder, monkeypatch, monotonic=lambda: self.now, time=time.time)
        self.now = 100.0
        monkeypatch.setattr(ranks, "Watched", Watched)
        monkeypatch.setattr(Watched, "silent", {})

    def known(self, rank: int, process: tuple[int, str]) -> None:
        path = self.folder / of_rank("worker.json", rank)
        path.write_text(f'{{"pid": {process[0]}, "started": "{process[1]}", "world": 4}}')


@pytest.fixture
def looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Looks:
    return Looks(tmp_path, monkeypatch)


def test_that_who_is_frozen_is_ended_by_the_others_with_what_is_known(looks: Looks) -> None:
    def freeze() -> None:
        assert looks.killed == []
        Watched.silent = {0: 70.0, 1: 80.0, 2: 12.4}

    looks.turns = [lambda: None, freeze]
    ranks.watch(looks.folder, 1, 3)
    assert sorted(looks.killed) == [(4000, signal.SIGKILL), (4002, signal.SIGKILL)], "not itself"
    assert set(looks.slept) == {ranks.LOOK_SECONDS} and looks.begun == ["watch"]
    found = ranks.failure(looks.folder, 2)
    assert found is not None and found[0] == "frozen" and found[1].code is ExitCode.UNEXPECTED
    assert found[1].fields["detail"] == "Process 3 of 3 has given no sign of life for 12 seconds."
    assert "--resume" in found[1].fields["hint"]
    ranks.watch(looks.folder, 0, 1)
    assert looks.begun == ["watch"], "one that is alone watches nobody"


def test_that_one_that_has_ended_meanwhile_or_a_full_disk_keeps_nobody_from_looking_on(
    looks: Looks, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(pid: int, number: int) -> None:
        looks.killed.append((pid, number))
        raise ProcessLookupError

    def full(path: Path, text: str) -> None:
        raise OSError

    monkeypatch.setattr(os, "kill", gone)
    monkeypatch.setattr("fullfield.files.write_text", full)
    Watched.silent = {1: 9.0}
    looks.turns = [lambda: None] * 2
    ranks.watch(looks.folder, 0, 2)
    assert len(looks.killed) == 2


def test_that_who_waits_for_one_that_is_gone_gives_up_after_some_seconds_in_a_row(looks: Looks) -> None:
    given: list[RankLost] = []
    counts: list[int] = []

    def turn(process: tuple[int, str], seconds: float) -> Turn:
        def do() -> None:
            counts.append(len(given))
            looks.now += seconds
            looks.known(1, process)

        return do

    looks.known(2, OWN)
    looks.turns = [
        *(turn(OWN, 9.0), turn(GONE, 1.0), turn(GONE, 4.0), turn(OWN, 1.0)),
        *(turn(GONE, 1.0), turn(GONE, 5.0), turn(GONE, 0.5), turn(GONE, 0.0)),
    ]
    ranks.outlive(looks.folder, 0, 3, given.append)
    assert counts == [0] * 7 + [1] and given[0].detail == "Another of its processes has ended."
    assert set(looks.slept) == {heartbeat.BEAT_SECONDS} and looks.begun == ["outlive"]
    looks.known(0, GONE)
    looks.known(1, OWN)
    looks.turns = [lambda: None, lambda: setattr(looks, "now", 999.0), lambda: None]
    given.clear()
    ranks.outlive(looks.folder, 0, 3, given.append)
    assert given == [], "of itself it does not wait"
    ranks.outlive(looks.folder, 0, 1, given.append)
    assert len(looks.begun) == 2


def test_that_why_another_one_ended_is_waited_for_and_an_end_as_it_should_be_is_none(looks: Looks) -> None:
    def tells() -> None:
        ranks.tell(looks.folder, 2, CannotWrite("No room."), how="failed")

    looks.known(1, GONE)
    ranks.end(looks.folder, 1)
    looks.known(2, OWN)
    pulse = looks.folder / "pulse-2"
    pulse.touch()
    os.utime(pulse, (time.time() - 7,) * 2)
    looks.turns = [lambda: None, tells]
    found = ranks.cause(looks.folder, 3, LOST)
    assert found.code is ExitCode.CANNOT_WRITE and found.fields["title"] == "No room."
    assert found.lost is not None and (found.lost.rank, found.lost.world, found.lost.how) == (2, 3, "failed")
    assert 6.9 <= found.lost.after_seconds < 60 and found.lost.after_seconds == round(found.lost.after_seconds, 1)
    assert looks.slept == [ranks.LOOK_SECONDS] * 2


def test_that_it_is_waited_for_a_moment_and_no_longer(looks: Looks) -> None:
    def later() -> None:
        looks.now += 1.4

    looks.known(1, OWN)
    looks.turns = [later] * 9
    found = ranks.cause(looks.folder, 2, LOST)
    assert (found.fields, found.lost) == (LOST.as_fields(), None)
    assert len(looks.slept) == 3, "three seconds in all"


def test_that_the_pulse_of_one_that_never_gave_any_or_whose_clock_is_ahead_is_no_silence(looks: Looks) -> None:
    looks.known(1, GONE)
    for ahead in (None, 60.0):
        if ahead is not None:
            (looks.folder / "pulse-1").touch()
            os.utime(looks.folder / "pulse-1", (time.time() + ahead,) * 2)
        found = ranks.cause(looks.folder, 2, LOST)
        assert found.lost is not None and (found.lost.how, found.lost.after_seconds) == ("killed", 0.0)
        assert found.fields["detail"].startswith("Process 2 of 2 ended without a word")

"""When a rank that gives no sign of life counts as frozen, whatever it does meanwhile: second by second."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from fullfield import process_activity, process_identity
from fullfield.jobs import frozen, heartbeat
from fullfield.jobs.frozen import FROZEN_SECONDS, HELD_SECONDS, IDLE_SECONDS, Watched
from fullfield.jobs.heartbeat import BEAT_SECONDS, Listener
from fullfield.process_activity import Reading

LOOK = 0.5  # seconds
Until = Callable[[float], bool]


class Rank:
    """A rank that has given a sign of life, and is looked at by a clock that is moved by hand. `works`: whether it
    does, by the seconds since."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.now, self._done = folder, 0.0, 0
        self.works: Until = lambda seconds: False
        self.is_stopped = self.unknown = False
        self.alive = {7: "a"}
        self.readings = self._signs = 0
        self.process(7, "a")
        self.sign()
        monkeypatch.setattr(heartbeat, "Listener", functools.partial(Listener, clock=lambda: self.now))
        monkeypatch.setattr(frozen, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(process_activity, "read", self._read)
        monkeypatch.setattr(process_identity, "is_alive", lambda pid, started: self.alive.get(pid) == started)
        monkeypatch.setattr(process_identity, "is_stopped", lambda pid: pid == 7 and self.is_stopped)
        self.watched = Watched(folder, 2)

    def process(self, pid: int, started: str) -> None:
        (self.folder / "worker-2.json").write_text(json.dumps({"pid": pid, "started": started}))

    def sign(self) -> None:
        path = self.folder / "pulse-2"
        path.write_text("")
        self._signs += 1
        os.utime(path, (self._signs, self._signs))

    def frozen_from(self, most: float) -> float | None:
        """After how many more seconds it is said to be frozen, and so long silent; None where it is not."""
        begin = self.now
        while self.now - begin < most:
            if (silent := self.watched.frozen_seconds()) != 0.0:
                assert silent == self.now - begin
                return silent
            self._done += self.works(self.now - begin)
            self.now += LOOK
        return None

    def _read(self, pid: int) -> Reading | None:
        assert pid == 7
        self.readings += 1
        return None if self.unknown else Reading(moment=self.now, files=str(self._done), threads={})


@pytest.fixture
def rank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rank:
    return Rank(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("works", "found"),
    [
        (lambda seconds: False, FROZEN_SECONDS + LOOK),
        (lambda seconds: seconds < 2.5, FROZEN_SECONDS + LOOK),
        (lambda seconds: seconds < 6.0, 6.0 + IDLE_SECONDS + LOOK),
        (lambda seconds: seconds < 20.0, 20.0 + IDLE_SECONDS + LOOK),
        (lambda seconds: seconds % 4.0 == 0, HELD_SECONDS + LOOK),
        (lambda seconds: True, HELD_SECONDS + LOOK),
    ],
    ids=["idle", "idle soon", "idle later", "idle late", "now and then", "at work"],
)
def test_that_it_is_frozen_that_has_done_nothing_for_the_last_seconds_of_its_silence(
    rank: Rank, works: Until, found: float
) -> None:
    rank.works = works
    said = rank.frozen_from(200.0)
    assert said is not None and found <= said <= found + frozen.READ_SECONDS
    assert rank.watched.pid == 7
    assert rank.readings <= said / frozen.READ_SECONDS, "it is not read at every look"


def test_that_one_that_is_stopped_is_frozen_whatever_it_did_before(rank: Rank) -> None:
    rank.works, rank.is_stopped = lambda seconds: True, True
    assert rank.frozen_from(200.0) == FROZEN_SECONDS + LOOK


def test_that_one_of_which_the_system_tells_nothing_has_as_long_as_one_at_work(rank: Rank) -> None:
    rank.unknown = True
    assert rank.frozen_from(200.0) == HELD_SECONDS + LOOK


def test_that_what_was_read_before_a_time_of_which_nothing_is_known_does_not_count(rank: Rank) -> None:
    assert rank.frozen_from(6.0) is None
    rank.unknown = True
    rank.frozen_from(1.5)
    assert rank.watched.frozen_seconds() == 0.0
    rank.unknown = False
    assert rank.watched.frozen_seconds() == 0.0


def test_that_one_that_gives_signs_of_life_is_not_frozen_and_its_idle_time_ends_with_each(rank: Rank) -> None:
    for _ in range(3):
        assert rank.frozen_from(FROZEN_SECONDS - 1) is None
        rank.sign()
        assert rank.watched.frozen_seconds() == 0.0
    assert rank.frozen_from(200.0) == FROZEN_SECONDS + LOOK
    readings = rank.readings
    rank.sign()
    for _ in range(int(BEAT_SECONDS / LOOK)):
        rank.now += LOOK
        assert rank.watched.frozen_seconds() == 0.0
    assert rank.readings == readings, "who gives signs of life is not read"


@pytest.mark.parametrize("left", [{}, {8: "a"}, {7: "another"}], ids=["gone", "not it", "its number used again"])
def test_that_a_process_that_is_gone_is_not_frozen(rank: Rank, left: dict[int, str]) -> None:
    rank.alive = left
    assert rank.frozen_from(200.0) is None and rank.watched.pid == 0


def test_that_one_that_has_not_said_what_it_is_is_not_frozen(rank: Rank) -> None:
    (rank.folder / "worker-2.json").unlink()
    assert rank.frozen_from(200.0) is None


def test_that_the_silence_of_one_process_is_not_that_of_the_next(rank: Rank) -> None:
    assert rank.frozen_from(7.0) is None
    rank.process(7, "b")
    rank.alive = {7: "b"}
    assert rank.watched.frozen_seconds() == 0.0
    rank.now += LOOK
    assert rank.frozen_from(200.0) == FROZEN_SECONDS + LOOK

"""What ranks tell reaches the run's events through rank 0: nothing twice, no peak lost, and as often as memory is."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from fullfield.jobs import ranks
from fullfield.jobs.rank_news import Joining, Leaving
from fullfield.jobs.worker import WorkerContext
from fullfield.protocol import event_lines
from fullfield.protocol.events import Event, MemorySampled, Notice, RunEnded, RunFailed, StepProfiled
from fullfield.protocol.rank_events import RankLost, RanksSampled, RankStarted, RankState

PROFILED = StepProfiled(
    step=2, before_bytes=5, forward_bytes=6, backward_bytes=7, peak_phase="backward", peak_operation="aten::add"
)


def state(rank: int, host: int, *, seconds: float = 1.0, waiting: float = 0.0, at: float = 1.0) -> RanksSampled:
    one = RankState(rank=rank, seconds=seconds, phase=f"phase {host}", host_bytes=host, waiting=waiting)
    return RanksSampled(seconds=at, step=3, ranks=(one,))


def started(rank: int) -> RankStarted:
    return RankStarted(rank=rank, world=3, device="cpu", title="the CPU", free_bytes=9)


def test_that_rank_0_tells_the_states_of_all_in_one_event(tmp_path: Path) -> None:
    Leaving(tmp_path, 2).leave(state(2, 70))
    Leaving(tmp_path, 1).leave(state(1, 60))
    (reported,) = Joining(tmp_path, 3).joined(state(0, 50))
    assert isinstance(reported, RanksSampled)
    assert [(one.rank, one.host_bytes) for one in reported.ranks] == [(0, 50), (1, 60), (2, 70)]


def test_that_a_rank_of_which_nothing_is_new_is_left_out(tmp_path: Path) -> None:
    Leaving(tmp_path, 1).leave(state(1, 60))
    joining = Joining(tmp_path, 2)
    joining.joined(state(0, 50, at=1.0))
    (reported,) = joining.joined(state(0, 50, at=2.0))
    assert isinstance(reported, RanksSampled) and [one.rank for one in reported.ranks] == [0]


def test_that_late_in_a_training_states_are_joined_the_highest_and_waiting_by_its_time(tmp_path: Path) -> None:
    leaving, joining = Leaving(tmp_path, 1), Joining(tmp_path, 2)
    reported: list[Event] = []
    for at, host, seconds, waiting in ((3600.0, 60, 1.0, 0.9), (3603.0, 90, 1.0, 1.0), (3606.0, 40, 3.0, 0.0)):
        leaving.leave(state(1, host, seconds=seconds, waiting=waiting))
        reported += joining.joined(state(0, 5, at=at))
    first, later = (event for event in reported if isinstance(event, RanksSampled))
    assert (first.seconds, first.ranks[1].host_bytes) == (3600.0, 60)
    assert (later.seconds, later.ranks[1].host_bytes, later.ranks[1].phase) == (3606.0, 90, "phase 40")
    assert (later.ranks[1].waiting, later.ranks[1].seconds) == (0.25, 4.0)


def test_that_a_part_of_the_training_that_begins_anew_is_told_from_its_begin(tmp_path: Path) -> None:
    joining = Joining(tmp_path, 2)
    assert [len(joining.joined(state(0, 5, at=at))) for at in (0.5, 3600.0, 3600.5, 1.0, 1.5, 2.0)] == [
        0,
        1,
        0,
        1,
        0,
        1,
    ]


def test_that_what_was_told_before_rank_0_told_anything_is_of_the_begin(tmp_path: Path) -> None:
    Leaving(tmp_path, 1).leave(state(1, 60))
    (reported,) = Joining(tmp_path, 2).rest()
    assert isinstance(reported, RanksSampled) and (reported.seconds, reported.step) == (0.0, 0)


def test_that_what_is_told_once_is_told_once_and_not_lost_at_the_end(tmp_path: Path) -> None:
    leaving, joining = Leaving(tmp_path, 1), Joining(tmp_path, 2)
    leaving.leave(started(1))
    assert joining.joined(state(0, 50, at=0.1)) == [started(1)]
    leaving.leave(state(1, 60))
    leaving.leave(PROFILED)
    leaving.leave(MemorySampled(seconds=1.0, step=1, phase="", border=False, host_bytes=99))
    rest = joining.rest()
    assert rest[0] == PROFILED and isinstance(rest[1], RanksSampled) and len(rest) == 2
    assert [one.host_bytes for one in rest[1].ranks] == [50, 60]
    assert joining.rest() == []


def test_that_what_is_told_once_is_told_also_where_there_was_nothing_but_states_before(tmp_path: Path) -> None:
    leaving, joining = Leaving(tmp_path, 1), Joining(tmp_path, 2)
    leaving.leave(state(1, 60))
    joining.joined(state(0, 50))
    leaving.leave(PROFILED)
    assert joining.joined(state(0, 50, at=1.1)) == [PROFILED]


@pytest.mark.parametrize("left", [b"", b"{", b'{"number": 3, "state": {"rank": "MUELLER"}}', b'{"once": ["{"]}'])
def test_that_a_file_that_says_nothing_of_use_is_passed_over(tmp_path: Path, left: bytes) -> None:
    (tmp_path / "rank-1.json").write_bytes(left)
    (reported,) = Joining(tmp_path, 2).joined(state(0, 50))
    assert isinstance(reported, RanksSampled) and [one.rank for one in reported.ranks] == [0]


def test_that_the_events_of_a_run_hold_what_every_rank_told_before_its_end(tmp_path: Path) -> None:
    first, other = (WorkerContext(tmp_path, rank=rank, world=2) for rank in (0, 1))
    other.emit(started(1))
    other.emit(state(1, 60))
    first.emit(state(0, 50))
    first.emit(RunEnded(reason="completed"))
    lines = (tmp_path / "events.jsonl").read_text().splitlines()
    reported = [event_lines.from_line(line) for line in lines]
    assert [type(event) for event in reported] == [RankStarted, RanksSampled, RunEnded]
    assert isinstance(reported[1], RanksSampled) and [one.rank for one in reported[1].ranks] == [0, 1]
    assert all(event is not None and event.time > 0 for event in reported)
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / "rank-1.json").stat().st_mode) == 0o600
    ranks.forget(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["events.jsonl"]


@pytest.mark.parametrize(
    "last", [RunEnded(reason="completed"), RunFailed(error={}), RankLost(rank=1, world=2, how="x")]
)
def test_that_what_ranks_told_last_comes_before_any_end_and_with_no_other_event(tmp_path: Path, last: Event) -> None:
    first, other = (WorkerContext(tmp_path, rank=rank, world=2) for rank in (0, 1))
    other.emit(started(1))
    for event in (Notice(text="x"), last, last):
        first.emit(event)
    lines = (tmp_path / "events.jsonl").read_text().splitlines()
    kinds = [type(event_lines.from_line(line)) for line in lines]
    assert kinds == [Notice, RankStarted, type(last), type(last)]


def test_that_one_that_is_alone_leaves_and_joins_nothing(tmp_path: Path) -> None:
    WorkerContext(tmp_path, rank=0, world=1).emit(state(0, 50))
    assert [path.name for path in tmp_path.iterdir()] == ["events.jsonl"]


def test_that_a_signal_to_one_rank_asks_all_and_the_run_is_said_to_be_stopped(tmp_path: Path) -> None:
    first, other = (WorkerContext(tmp_path, rank=rank, world=2) for rank in (0, 1))
    assert not first.stopping() and first.reason() == "completed"
    other.ask_to_stop(2, None)
    assert other.stopping() and first.stopping() and first.reason() == "stopped"

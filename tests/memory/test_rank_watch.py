"""One rank of several, told once a second: the highest that it held, and what part of the time it waited."""

from __future__ import annotations

import time

import pytest

from fullfield.distribution.team import Team
from fullfield.distribution.traffic import Traffic
from fullfield.hardware.meter import CPU, Meter, Reading
from fullfield.memory.rank_watch import RankWatch
from fullfield.memory.watch import Watch
from fullfield.protocol.events import Event, MemorySampled
from fullfield.protocol.rank_events import RanksSampled, RankState


class Clock:
    """Is what it is set to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def told_by(rank: int) -> tuple[RankWatch, Team, Clock, list[RanksSampled]]:
    team, clock, reported = Team(rank, 2), Clock(), list[RanksSampled]()
    team.traffic = Traffic(timed=True)
    return RankWatch(team, reported.append, clock=clock), team, clock, reported


@pytest.mark.parametrize(("rank", "span"), [(0, 0.5), (1, 1.0)])
def test_that_a_rank_tells_the_highest_since_it_told_last(rank: int, span: float) -> None:
    watch, _, clock, reported = told_by(rank)
    for count in (5, 9, 7):
        watch.see("forward", Reading(host_bytes=count, reserved_bytes=2 * count, peak_bytes=count))
    clock.now += span - 0.01
    watch.look(3)
    assert reported == []
    clock.now += 0.02
    watch.look(3)
    watch.see("backward", Reading(host_bytes=4, process_bytes=6, reserved_bytes=5))
    clock.now += span
    watch.look(4)
    states = [one for event in reported for one in event.ranks]
    assert [(one.host_bytes, one.device_bytes, one.peak_bytes, one.phase) for one in states] == [
        (9, 18, 9, "forward"),
        (4, 6, None, "backward"),
    ]
    assert [(event.step, one.rank) for event, one in zip(reported, states, strict=True)] == [(3, rank), (4, rank)]


def test_that_waiting_is_the_share_of_the_time_in_messages_of_which_one_may_be_in_hand() -> None:
    watch, team, clock, reported = told_by(1)
    with team.traffic.waiting():
        time.sleep(0.05)
    watch.see("", Reading(host_bytes=1))
    clock.now += 1.0
    watch.look(0)
    with team.traffic.waiting():
        time.sleep(0.05)
        watch.see("", Reading(host_bytes=1))
        clock.now += 1.0
        watch.look(0)
    watch.see("", Reading(host_bytes=1))
    clock.now += 1.0
    watch.look(0)
    first, second, third = (event.ranks[0].waiting for event in reported)
    assert first is not None and second is not None and third is not None
    assert first >= 0.05 and second >= 0.05 and third < min(first, second)


def test_that_what_a_rank_has_said_and_how_long_it_looked_is_told() -> None:
    watch, team, clock, reported = told_by(1)
    team.traffic.sent, team.traffic.messages, team.traffic.shared, team.traffic.collectives = 11, 12, 13, 14
    watch.see("update", Reading(host_bytes=1, reserved_bytes=9, process_bytes=8))
    clock.now += 1.23456
    watch.look(7)
    watch.look(7)
    assert len(reported) == 1, "nothing was seen since"
    watch.see("update", Reading(host_bytes=1))
    clock.now += 0.5
    watch.look(8)
    assert len(reported) == 1
    watch.look(8, last=True)
    first, last = (event.ranks[0] for event in reported)
    said = (first.sent_bytes, first.messages, first.shared_bytes, first.collectives)
    assert (said, first.device_bytes, first.seconds) == ((11, 12, 13, 14), 9, 1.235)
    assert (last.seconds, last.waiting, last.device_bytes) == (0.5, 0.0, None)
    assert [(event.seconds, event.step) for event in reported] == [(1.235, 7), (1.735, 8)]


def test_that_nobody_waits_longer_than_the_time_or_in_no_time() -> None:
    watch, team, clock, reported = told_by(1)
    team.traffic._waited += 5.0
    watch.see("", Reading(host_bytes=1))
    clock.now += 2.0
    watch.look(0)
    watch.see("", Reading(host_bytes=1))
    watch.look(0, last=True)
    assert [event.ranks[0].waiting for event in reported] == [1.0, 0.0]
    team.traffic._waited += 0.5
    watch.see("", Reading(host_bytes=1))
    clock.now += 2.0
    watch.look(0)
    assert reported[-1].ranks[0].waiting == 0.25


def test_that_where_the_host_does_not_wait_nothing_is_said_of_it() -> None:
    watch, team, clock, reported = told_by(1)
    team.traffic.timed = False
    watch.see("", Reading(host_bytes=1))
    clock.now += 1.0
    watch.look(0)
    assert reported[0].ranks[0].waiting is None


def test_that_states_joined_are_the_highest_and_the_latest() -> None:
    before = RankState(rank=1, seconds=1.0, phase="forward", host_bytes=9, device_bytes=3, waiting=1.0, messages=2)
    later = RankState(rank=1, seconds=3.0, phase="backward", host_bytes=5, device_bytes=None, waiting=0.0, messages=7)
    joined = later.after(before)
    assert joined == RankState(
        rank=1, seconds=4.0, phase="backward", host_bytes=9, device_bytes=3, waiting=0.25, messages=7
    )
    assert (joined.held_bytes, later.held_bytes, later.after(None)) == (3, 5, later)


def test_that_a_watch_lends_what_it_reads_and_what_is_left_is_told_at_its_end() -> None:
    team, reported = Team(1, 2), list[Event]()
    with Watch(Meter(CPU), reported.append, rank=1, ranks=RankWatch(team, reported.append)) as watch:
        watch.step = 5
        with watch.phase("forward"):
            pass
    states = [event for event in reported if isinstance(event, RanksSampled)]
    most = max(event.host_bytes for event in reported if isinstance(event, MemorySampled))
    assert states[-1].step == 5 and max(one.host_bytes for event in states for one in event.ranks) >= most * 0.99

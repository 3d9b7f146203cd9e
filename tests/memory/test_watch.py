"""What is told of a training's memory. Time and memory are played."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from fullfield.hardware.meter import Meter, Reading
from fullfield.memory.watch import QUIET_SPANS, SAMPLE_SECONDS, SPANS, Watch, span
from fullfield.protocol import events
from fullfield.protocol.events import MemorySampled


class FakeMeter(Meter):
    """Memory that a test sets. On its card a peak begins anew with the figure of that moment."""

    def __init__(self) -> None:
        super().__init__("cpu")
        self.now = Reading(host_bytes=100)
        self.peak: int | None = None

    def read(self) -> Reading:
        return replace(self.now, peak_bytes=self.peak)

    def begin_peak(self) -> None:
        self.peak = self.now.allocated_bytes

    def take(self, count: int, *, card: bool = False) -> None:
        """So much is taken from now on."""
        if card:
            self.now = replace(self.now, allocated_bytes=count)
            self.peak = max(count, self.peak or 0)
        else:
            self.now = replace(self.now, host_bytes=count)


class Played:
    """A watch without its thread: time passes when a test says so, and the looks are made meanwhile."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Watch, "_run", lambda watch: None)
        self.meter, self.reported, self.time = FakeMeter(), list[MemorySampled](), 1000.0
        self.watch = Watch(self.meter, self.reported.append, clock=lambda: self.time)

    def passes(self, seconds: float) -> None:
        for _ in range(round(seconds / SAMPLE_SECONDS)):
            self.time += SAMPLE_SECONDS
            self.watch.look()

    def step(self, **seconds: float) -> None:
        """One step whose phases take so long."""
        for name, count in seconds.items():
            with self.watch.phase(name):
                self.passes(count)
        self.watch.step += 1


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Iterator[Played]:
    one = Played(monkeypatch)
    with one.watch:
        one.reported.clear()  # what there was at the begin
        yield one


def test_that_every_step_of_a_quarter_of_a_second_tells_one_border_of_each_phase(played: Played) -> None:
    for _ in range(20):
        played.step(forward=0.1, backward=0.2, update=0.0)
    borders = [(event.step, event.phase) for event in played.reported if event.border]
    assert borders == [(step, phase) for step in range(20) for phase in ("forward", "backward", "update")]


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.3, 2.0])
def test_that_no_more_is_told_than_a_window_can_draw_and_a_disk_can_hold(played: Played, seconds: float) -> None:
    began = played.time
    while played.time - began < 20:
        played.meter.take(played.meter.now.host_bytes * 3 % 1009 + 100)
        played.step(forward=seconds, backward=seconds, update=0.0)
        played.passes(SAMPLE_SECONDS)
    assert len(played.reported) <= 16 * 20


def test_that_a_day_of_short_steps_and_restless_memory_is_below_30_mb(played: Played) -> None:
    card = dict.fromkeys(("device_bytes", "process_bytes", "allocated_bytes", "reserved_bytes"), 70123456789)
    played.meter.now = Reading(host_bytes=10**10, **card)
    began, reported = played.time, 0.0
    for (begin, _), end in zip(SPANS, [*(begin for begin, _ in SPANS[1:]), 86400.0]):
        played.time = began + begin
        played.reported.clear()
        while played.time < began + begin + 60:
            played.meter.take(played.meter.now.host_bytes * 3 % 10**11 + 10**10)
            for phase in ("forward", "backward", "update", "evaluation"):
                played.step(**{phase: SAMPLE_SECONDS})
        size = sum(len(events.to_line(replace(event, time=1.7e9))) + 1 for event in played.reported)
        reported += size / 60 * (end - begin)
    assert 1e6 < reported < 30e6


def test_that_no_maximum_is_lost_where_spans_are_long(played: Played) -> None:
    played.time += SPANS[-1][0]
    highest = 0
    for number in range(300):
        played.meter.take(1000 + number * 7919 % 5003)
        highest = max(highest, played.meter.now.host_bytes)
        played.step(forward=SAMPLE_SECONDS)
        played.meter.take(100)
    played.watch.__exit__()
    assert max(event.host_bytes for event in played.reported if event.phase == "forward") == highest
    assert len(played.reported) < 300 * SAMPLE_SECONDS


def test_that_the_highest_of_a_span_is_told_and_nothing_of_it_lost(played: Played) -> None:
    highest: dict[str, int] = {}
    for number in range(200):
        for phase in ("forward", "backward"):
            with played.watch.phase(phase):
                count = 1000 + 7919 * number % 5003
                played.meter.take(count)
                played.watch.look()  # a spike that this look alone sees
                highest[phase] = max(highest.get(phase, 0), count)
                played.meter.take(100)
                played.time += 0.01
    played.watch.__exit__()
    reported = {phase: max(e.host_bytes for e in played.reported if e.phase == phase) for phase in highest}
    assert reported == highest


def test_that_a_steady_training_is_told_once_a_second_between_borders(played: Played) -> None:
    played.step(forward=10.0)
    steady = [event for event in played.reported if event.phase == "forward"]
    assert [event.border for event in steady] == [False] * 9 + [True]
    assert steady[5].seconds - steady[4].seconds == pytest.approx(QUIET_SPANS * span(0.0), abs=2 * SAMPLE_SECONDS)


@pytest.mark.parametrize(("hours", "most"), [(0, 1.0), (0.5, 8.0), (1, 24.0), (20, 24.0)])
def test_that_a_steady_training_is_never_silent_for_half_a_minute(played: Played, hours: float, most: float) -> None:
    played.time += hours * 3600
    played.passes(100.0)
    reported = [event.seconds for event in played.reported]
    longest = max(after - before for before, after in pairwise(reported))
    assert longest == pytest.approx(most, abs=2 * SAMPLE_SECONDS)


def test_that_what_there_is_before_the_first_phase_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Played(monkeypatch)
    with one.watch, one.watch.phase("forward"):
        assert [(event.phase, event.host_bytes) for event in one.reported] == [("", 100)]


def test_that_the_peak_around_a_phase_is_not_lost_where_the_phase_begins_it_anew(played: Played) -> None:
    played.meter.take(900, card=True)
    played.meter.take(10, card=True)
    with played.watch.phase("forward"):
        pass
    played.passes(2.0)
    assert max(event.peak_bytes or 0 for event in played.reported if event.phase == "") == 900


def test_that_a_change_is_told_within_a_quarter_of_a_second(played: Played) -> None:
    with played.watch.phase("forward"):
        played.passes(3.0)
        steady = len(played.reported)
        while len(played.reported) == steady:
            played.passes(SAMPLE_SECONDS)  # so that a memory that stays as it is has been told this moment
        count = len(played.reported)
        played.meter.take(200)
        played.passes(span(0.0) + SAMPLE_SECONDS)
        assert len(played.reported) > count and played.reported[-1].host_bytes == 200


def test_that_a_border_tells_the_peak_of_its_own_phase(played: Played) -> None:
    played.meter.take(50, card=True)
    with played.watch.phase("forward"):
        played.meter.take(900, card=True)
        played.meter.take(400, card=True)
    with played.watch.phase("backward"):
        played.meter.take(700, card=True)
        played.meter.take(60, card=True)
    assert [(event.phase, event.peak_bytes) for event in played.reported] == [("forward", 900), ("backward", 700)]
    assert played.reported[-1].allocated_bytes == 60


def test_that_a_phase_that_fails_is_told_and_ends(played: Played) -> None:
    with pytest.raises(MemoryError), played.watch.phase("forward"):
        raise MemoryError
    assert [(event.phase, event.border) for event in played.reported] == [("forward", True)]
    played.watch.look()
    played.passes(2.0)
    assert played.reported[-1].phase == ""


def test_that_the_thread_looks_until_the_training_ends_however_it_ends() -> None:
    looked, reported = threading.Event(), list[MemorySampled]()

    class Looked(FakeMeter):
        def look_at_card(self) -> None:
            looked.set()

    watch = Watch(Looked(), reported.append)
    with pytest.raises(KeyboardInterrupt), watch:
        assert looked.wait(30)
        raise KeyboardInterrupt
    assert "memory" not in [thread.name for thread in threading.enumerate()]
    count = len(reported)
    assert count > 0
    assert not threading.Event().wait(3 * SAMPLE_SECONDS) and len(reported) == count


def test_that_a_full_disk_ends_the_watch_and_not_the_training() -> None:
    tried = threading.Event()

    def full(event: MemorySampled) -> None:
        tried.set()
        raise OSError(28, "No space left on device")

    with Watch(FakeMeter(), full):
        assert tried.wait(30)


@pytest.mark.parametrize(
    ("seconds", "wanted"), [(0.0, 0.25), (119.9, 0.25), (120.0, 2.0), (3599.0, 2.0), (3600.0, 6.0), (1e6, 6.0)]
)
def test_that_a_span_grows_with_the_time_that_a_training_takes(seconds: float, wanted: float) -> None:
    assert span(seconds) == wanted


@pytest.mark.parametrize(
    ("figures", "looked"),
    [
        ({"host_bytes": 10_100}, False),  # a hundredth
        ({"host_bytes": 10_101}, True),
        ({"host_bytes": 9_900}, False),
        ({"host_bytes": 9_899}, True),
        ({"reserved_bytes": 5}, True),  # a card that has begun to tell
    ],
    ids=str,
)
def test_that_between_borders_a_figure_is_told_that_has_moved_by_more_than_a_hundredth(
    played: Played, figures: dict[str, int], looked: bool
) -> None:
    played.meter.now = Reading(host_bytes=10_000)
    with played.watch.phase("forward"):
        played.passes(1.5)  # it has been told
        played.reported.clear()
        played.meter.now = replace(played.meter.now, **figures)
        played.watch._gathered.clear()
        played.time += span(0.0)
        played.watch.look()
        assert bool(played.reported) is looked


def test_that_what_is_told_says_whose_and_of_which_step_and_when_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Watch, "_run", lambda watch: None)
    reported, clock = list[MemorySampled](), [50.0]
    with Watch(FakeMeter(), reported.append, rank=3, clock=lambda: clock[0]) as watch:
        watch.step = 7
        clock[0] += 1.23456
        with watch.phase("forward"):
            pass
    assert [(event.rank, event.step, event.seconds, event.phase) for event in reported[:2]] == [
        (3, 0, 0.0, ""),
        (3, 7, 1.235, "forward"),
    ]


def test_that_the_card_is_looked_at_at_every_look_and_let_go_of_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Watch, "_run", lambda watch: None)
    asked: list[str] = []

    class Asked(FakeMeter):
        def look_at_card(self) -> None:
            asked.append("look")

        def close(self) -> None:
            asked.append("close")

    with Watch(Asked(), lambda event: None) as watch:
        assert asked == ["look"]
        watch.look()
    assert asked == ["look", "look", "close"]

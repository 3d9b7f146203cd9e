"""How fast the queue goes, told from its own clock."""

from __future__ import annotations

import pytest

from fullfield_app.gui.enhance.pace import Pace


class Clock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_that_rate_and_time_left_are_of_this_batch() -> None:
    clock = Clock()
    pace = Pace(clock)
    pace.begin()
    clock.now += 30
    assert pace.per_minute(10) == pytest.approx(20)
    assert pace.seconds_left(10, 30) == pytest.approx(60)


def test_that_nothing_is_told_before_the_first_and_after_the_last_image() -> None:
    pace = Pace(Clock())
    pace.begin()
    assert pace.per_minute(0) is None and pace.seconds_left(0, 5) is None and pace.seconds_left(5, 5) is None


def test_that_a_pause_does_not_count() -> None:
    clock = Clock()
    pace = Pace(clock)
    pace.begin()
    clock.now += 10
    pace.pause()
    clock.now += 1000
    pace.resume()
    clock.now += 10
    assert pace.per_minute(10) == pytest.approx(30)

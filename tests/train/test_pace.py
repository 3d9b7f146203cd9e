"""How many steps are told."""

from __future__ import annotations

from fullfield.train.pace import ALL, Pace


def reported(seconds: float, *, steps: int, epoch: int = 10**9) -> int:
    """How many of so many steps are told."""
    now = 0.0
    pace = Pace(lambda: now)
    count = 0
    for step in range(1, steps + 1):
        now += seconds
        count += pace.due(last=step % epoch == 0)
    return count


def test_that_every_step_is_told_where_steps_take_long() -> None:
    assert reported(1.5, steps=5000) == 5000


def test_that_of_quick_steps_one_a_second_is_told_after_the_first() -> None:
    assert ALL <= reported(0.01, steps=ALL + 1000) <= ALL + 11


def test_that_the_last_step_of_an_epoch_is_always_told() -> None:
    assert reported(0.001, steps=ALL + 1000, epoch=100) >= ALL + 10


def test_that_after_a_thousand_each_is_told_that_comes_a_second_after_the_last_that_was() -> None:
    assert reported(0.5, steps=1000) == ALL == 1000
    assert reported(0.5, steps=1009) == 1000 + 4
    assert reported(0.5, steps=1010) == 1000 + 5
    assert reported(0.5, steps=1009, epoch=1001) == 1000 + 1 + 4

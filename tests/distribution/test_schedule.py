"""The order in which ranks take micro-batches."""

from __future__ import annotations

from fractions import Fraction

import pytest

from fullfield.distribution.schedule import GPIPE, ONE_F_ONE_B, Action, actions, bubble, ranks_of
from fullfield.memory.account import PartPlan

CASES = [(schedule, ranks, count) for schedule in (GPIPE, ONE_F_ONE_B) for ranks in (2, 3, 5) for count in (1, 2, 6)]


@pytest.mark.parametrize(("schedule", "ranks", "count"), CASES)
def test_that_every_rank_runs_all_forwards_and_backwards_in_the_order_of_micro_batches(
    schedule: str, ranks: int, count: int
) -> None:
    for rank in range(ranks):
        found = actions(schedule, rank, ranks, count)
        assert [one.micro for one in found if one.forward] == list(range(count))
        assert [one.micro for one in found if not one.forward] == list(range(count))
        for place, one in enumerate(found):
            before = found[:place]
            alive = {each.micro for each in before if each.forward} - {
                each.micro for each in before if not each.forward
            }
            assert one.forward or one.micro in alive
            assert one.others == len(alive - {one.micro})
            assert one.added == any(not each.forward for each in before)


@pytest.mark.parametrize(("ranks", "count"), [(2, 6), (3, 6), (5, 2)])
def test_that_gpipe_keeps_all_and_1f1b_no_more_than_the_ranks_behind_need(ranks: int, count: int) -> None:
    def most(schedule: str, rank: int) -> int:
        return max(one.others + 1 for one in actions(schedule, rank, ranks, count))

    assert [most(GPIPE, rank) for rank in range(ranks)] == [count] * ranks
    assert [most(ONE_F_ONE_B, rank) for rank in range(ranks)] == [min(ranks - rank, count) for rank in range(ranks)]


@pytest.mark.parametrize(("schedule", "ranks", "count"), CASES)
def test_that_no_rank_waits_for_ever_and_each_as_long_as_is_said(schedule: str, ranks: int, count: int) -> None:
    left = [actions(schedule, rank, ranks, count) for rank in range(ranks)]
    done: dict[tuple[int, bool, int], int] = {}
    clocks = [0] * ranks

    def begins(rank: int, action: Action) -> int | None:
        """When all is there that it needs: of the rank before, or behind; None where that is not done yet."""
        others = rank - 1 if action.forward else rank + 1
        return done.get((others, action.forward, action.micro)) if 0 <= others < ranks else 0

    while any(left):
        ready = [rank for rank in range(ranks) if left[rank] and begins(rank, left[rank][0]) is not None]
        assert ready, "all wait for one another"
        for rank in ready:
            action = left[rank].pop(0)
            clocks[rank] = max(clocks[rank], begins(rank, action) or 0) + 1
            done[rank, action.forward, action.micro] = clocks[rank]
    waits = Fraction(max(clocks) - 2 * count, max(clocks))
    assert float(waits) == pytest.approx(bubble(ranks, count))


def test_that_a_part_of_several_stages_lies_with_the_first_of_them() -> None:
    parts = [PartPlan(name=name, takes=(), stages=stages) for name, stages in (("b", ("a", "b")), ("c", ("c",)))]
    assert ranks_of(parts, [("a",), ("b", "c")]) == [0, 1]

"""What ranks decide, they decide together; one that is alone is a team of one."""

from __future__ import annotations

import math

import pytest

from fullfield.distribution.team import ALONE, Team
from fullfield.errors import CannotWrite, RankLost
from teams import Member, outcome, together


def test_that_a_rank_that_is_alone_agrees_with_itself_to_the_bit() -> None:
    numbers = [0.1, -0.0, math.inf, 5e-324]
    assert ALONE.agree(numbers) == numbers and math.copysign(1, ALONE.agree(numbers)[1]) == -1
    assert math.isnan(ALONE.agree([math.nan])[0])
    assert ALONE.any(True) and not ALONE.any(False)
    assert ALONE.writes and ALONE.in_turn(lambda: 7) == 7
    with pytest.raises(CannotWrite):
        ALONE.in_turn(lambda: fail(CannotWrite("full")))


def fail(error: Exception) -> None:
    raise error


def test_that_ranks_agree_on_sums_and_one_that_is_not_finite_is_so_for_all() -> None:
    found = together(3, lambda team: team.agree([0.1 * (team.rank + 1), math.nan if team.rank == 1 else 0.0]))
    assert {first for first, _ in found} == {0.1 + 0.2 + 0.30000000000000004}
    assert all(math.isnan(second) for _, second in found)


@pytest.mark.parametrize("asking", range(3))
def test_that_what_one_rank_says_all_know(asking: int) -> None:
    assert together(3, lambda team: team.any(team.rank == asking)) == [True] * 3
    assert together(3, lambda team: team.any(False)) == [False] * 3


def test_that_rank_0_writes_alone_and_works_before_the_others() -> None:
    done: list[int] = []

    def work(team: Member) -> tuple[bool, int]:
        team.in_turn(lambda: done.append(team.rank))
        return team.writes, done[0]

    assert together(3, work) == [(True, 0), (False, 0), (False, 0)]
    assert sorted(done) == [0, 1, 2]


def test_that_none_waits_for_a_rank_0_that_has_failed() -> None:
    def work(team: Team) -> object:
        return outcome(lambda: team.in_turn(lambda: fail(CannotWrite("full"))))

    first, second = together(2, work)
    assert isinstance(first, CannotWrite) and type(second) is RankLost

"""Rows of a map that is divided among ranks: who owns them, and how those of others come."""

from __future__ import annotations

import random

import pytest
import torch
from torch import Tensor

from fullfield.distribution import share
from fullfield.distribution.counting import Counting
from fullfield.distribution.share import Span
from fullfield.distribution.team import ALONE, Team
from teams import outcome, together


@pytest.mark.parametrize(("height", "ranks"), [(13, 1), (352, 3), (7, 7), (134, 5)])
def test_that_every_row_has_one_owner_and_the_owners_come_in_order(height: int, ranks: int) -> None:
    team = Team(0, ranks)
    spans = [team.own(height, rank) for rank in range(ranks)]
    assert [row for span in spans for row in range(*span)] == list(range(height))
    assert max(last - first for first, last in spans) - min(last - first for first, last in spans) <= 1


@pytest.mark.parametrize("seed", range(12))
def test_that_what_is_pulled_is_what_lies_beyond_the_own_rows(seed: int) -> None:
    chance = random.Random(seed)
    ranks, height = chance.randint(2, 5), chance.randint(6, 40)
    cuts = sorted(chance.randint(0, height) for _ in range(ranks - 1))
    have = list(zip([0, *cuts], [*cuts, height]))  # some have none
    want = [
        (chance.randint(0, first), chance.randint(last, height)) if chance.random() < 0.9 else None
        for first, last in have
    ]
    whole = torch.arange(2 * 3 * height * 4, dtype=torch.float64).view(2, 3, height, 4)

    def read(rank: int, first: int, last: int) -> Tensor:
        assert have[rank][0] <= first and last <= have[rank][1], "only rows that a rank has are read of it"
        return whole[:, :, first:last]

    found = together(ranks, lambda team: team.pull(lambda *span: read(team.rank, *span), have, want))
    for span, wanted, pulled in zip(have, want, found, strict=True):
        for side, (first, last) in zip(pulled, beyond(span, wanted), strict=True):
            if first == last:
                assert side is None
            else:
                assert side is not None and torch.equal(side, whole[:, :, first:last])


def beyond(have: Span, want: Span | None) -> tuple[Span, Span]:
    """What is wanted above and below of what is there."""
    return ((0, 0), (0, 0)) if want is None else ((want[0], have[0]), (have[1], want[1]))


def test_that_a_rank_that_is_alone_pulls_and_sends_nothing() -> None:
    def read(first: int, last: int) -> Tensor:
        raise AssertionError("nothing is read")

    assert ALONE.pull(read, [(0, 9)], [(0, 9)]) == (None, None)
    one = torch.rand(3)
    assert ALONE.sum([one])[0] is one and ALONE.gather(one)[0] is one and ALONE.heights([5, 7]) == [5, 7]


def test_that_ranks_learn_how_high_a_map_is_and_notice_a_share_that_is_none() -> None:
    assert together(3, lambda team: team.heights([[4, 4, 5][team.rank], 2])) == [[13, 6]] * 3
    for found in together(3, lambda team: outcome(lambda: team.heights([[5, 4, 4][team.rank]]))):
        assert isinstance(found, ValueError) and "of which they own" in str(found)


def test_that_what_a_rank_gives_is_what_the_others_take() -> None:
    have = [(0, 4), (4, 5), (5, 5), (5, 9)]
    want = [(0, 7), None, (4, 6), (2, 9)]
    for rank in range(4):
        for peer, span in share.given(have, want, rank).items():
            assert share.taken(have, want, peer)[rank] == span
    assert share.given(have, want, 1) == {0: (4, 5), 2: (4, 5), 3: (4, 5)}


def test_that_a_rank_whose_others_are_not_there_counts_what_it_would_send() -> None:
    team, rows = Counting(1, (1,) * 3, 12), torch.empty(1, 2, 4, 5, device="meta")
    have, want = [(0, 4), (4, 8), (8, 12)], [(0, 6), (3, 9), (8, 12)]
    above, below = team.pull(lambda first, last: rows[:, :, first - 4 : last - 4], have, want)
    assert above is not None and below is not None and (above.shape[2], below.shape[2]) == (1, 1)
    assert (team.traffic.sent, team.traffic.messages) == (2 * 2 * 5 * 4, 1)
    assert team.heights([4]) == [12]

"""Which rows of a map, divided among ranks, go from whom to whom, and who has which images. Arithmetic alone; rows are
numbered as in the map."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

Span = tuple[int, int]
"""Rows [first, last)."""

Spans = Sequence[Span | None]
"""One of each rank, in their order; None: no row at all."""


def own(height: int, rank: int, portions: Sequence[int]) -> Span:
    """The rows of a map of `height` rows that a rank owns: as near to its portion as whole rows can be, in the order of
    ranks. `portions`: of each rank, such as (3, 1)."""
    whole, first = sum(portions), sum(portions[:rank])
    return first * height // whole, (first + portions[rank]) * height // whole


def in_portions(weights: Sequence[float], most: int) -> tuple[int, ...]:
    """Whole numbers, of a sum of at most `most`, that stand to one another as `weights` do, as nearly as they can: of
    those by which the one that has most for its weight has least, the smallest."""
    tried = []
    for whole in range(len(weights), most + 1):
        portions = tuple(max(1, round(whole * weight / sum(weights))) for weight in weights)
        for one in {portions, (1,) * len(weights)}:
            if sum(one) <= most:
                share = max(portion / weight for portion, weight in zip(one, weights, strict=True)) / sum(one)
                tried.append((round(share * sum(weights), 3), sum(one), one))
    return min(tried)[2]


def dealt(count: int, portions: Sequence[int]) -> list[int]:
    """The rank of each of so many images of a batch: each goes to the rank that then has least for its portion, of
    several to the first; in turn where portions are alike."""
    given = [0] * len(portions)
    found = []
    for _ in range(count):
        rank = min(range(len(portions)), key=lambda one: ((given[one] + 1) / portions[one], one))
        given[rank] += 1
        found.append(rank)
    return found


def beside(ranks: int, count: int) -> list[list[int]]:
    """Each so many ranks that follow one another. Raises ValueError where some are left over."""
    if ranks % count:
        raise ValueError(f"{ranks} ranks cannot be divided into groups of {count}")
    return [list(range(first, first + count)) for first in range(0, ranks, count)]


def across(ranks: int, count: int) -> list[list[int]]:
    """The ranks that have the same place in each of those groups."""
    return [list(place) for place in zip(*beside(ranks, count), strict=True)]


def behind(counts: Sequence[float]) -> list[Span]:
    """The spans of so many rows each, one behind the other."""
    ends = [round(end) for end in accumulate(counts, initial=0)]
    return list(pairwise(ends))


def overlap(one: Span | None, other: Span | None) -> Span | None:
    """The rows that are in both."""
    if one is None or other is None:
        return None
    first, last = max(one[0], other[0]), min(one[1], other[1])
    return (first, last) if first < last else None


def given(have: Spans, want: Spans, rank: int) -> dict[int, Span]:
    """By rank, what `rank` gives to each of the others that wants of what it has."""
    met = {peer: overlap(have[rank], wanted) for peer, wanted in enumerate(want) if peer != rank}
    return {peer: span for peer, span in met.items() if span}


def taken(have: Spans, want: Spans, rank: int) -> dict[int, Span]:
    """By rank, what each of the others gives to `rank`, in their order."""
    met = {peer: overlap(there, want[rank]) for peer, there in enumerate(have) if peer != rank}
    return {peer: span for peer, span in met.items() if span}

"""Where to cut a chain of parts among ranks, so that the fullest rank is least full.

A rank has consecutive parts. What it holds at its highest depends on its parts, and on how many micro-batches it has
alive, which its place decides. So the best division of the first parts among the first ranks is made of the best one of
fewer of them: dynamic programming over the cuts (the linear partition problem). Of divisions that are equally full the
one is taken whose busiest rank has least to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from fullfield.memory import account
from fullfield.memory.account import MemoryEstimate
from fullfield.memory.costs import Costs

Load = tuple[int, int]
"""Bytes at the peak, FLOPs of convolutions."""


def balanced(estimate: MemoryEstimate, costs: Costs, groups: Sequence[tuple[int, int]]) -> list[int]:
    """How many parts each rank has. `groups`: so many parts for so many ranks, one group behind the other.

    Raises ValueError where a group has fewer parts than ranks, KeyError where a cost is missing.
    """
    ranks = sum(size for _, size in groups)
    names = [part.name for part in estimate.parts]

    @cache
    def load(first: int, last: int, rank: int) -> Load:
        around = {rank - 1: names[:first], rank: names[first:last], rank + 1: names[last:]}
        placed = tuple(tuple(around.get(one, ())) for one in range(ranks))
        device, work = account.of_rank(estimate.divided(placed, costs.facts.weights), costs, rank)
        return device.peak, work.flops

    @cache
    def best(first: int, last: int, rank: int, size: int) -> tuple[Load, list[int]]:
        """Of parts `first` … `last` on `size` ranks from `rank` on: the largest loads, and how many each has."""
        if size == 1:
            return load(first, last, rank), [last - first]
        found = []
        for cut in range(first + 1, last - size + 2):
            own, (others, counts) = load(first, cut, rank), best(cut, last, rank + 1, size - 1)
            found.append(((max(own[0], others[0]), max(own[1], others[1])), [cut - first, *counts]))
        return min(found, key=lambda one: one[0])

    counts: list[int] = []
    for parts, size in groups:
        if parts < size:
            raise ValueError(f"{parts} parts cannot be divided among {size} ranks")
        first = sum(counts)
        counts += best(first, first + parts, len(counts), size)[1]
    return counts

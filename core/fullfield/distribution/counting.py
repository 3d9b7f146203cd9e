"""A rank whose others are not there, for traces on tensors without values: what it would send is counted.

Tensors are made and let go of as `distribution.processes` does it, so their bytes are seen where they will be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from fullfield.distribution.processes import bundled
from fullfield.distribution.share import Span
from fullfield.distribution.team import Team
from fullfield.distribution.traffic import Traffic

if TYPE_CHECKING:
    from torch import Tensor

HALVED = 5  # how often a network halves its images


class Counting(Team):
    """`portions`: of all ranks. `height`: of the images; maps are as high, or a half, a quarter … of it. `traffic`: in
    which what it would send is counted, where it is not counted by itself."""

    def __init__(self, rank: int, portions: Sequence[int], height: int, traffic: Traffic | None = None) -> None:
        super().__init__(rank, len(portions))
        self.portions, self.traffic = tuple(portions), traffic or self.traffic
        self._heights = [height >> halved for halved in range(HALVED + 1)]

    def agree(self, numbers: Sequence[float]) -> list[float]:
        """See Team. Nobody knows what the others would say."""
        raise NotImplementedError("ranks that are not there agree on nothing")

    def divided(self, rows: Sequence[int]) -> list[list[Span]]:
        """See Team. Others would say in one message how many rows they have."""
        import torch

        self.traffic.tell_all(torch.empty(self.size * len(rows), dtype=torch.float64, device="meta"))
        every = {height: [self.own(height, rank) for rank in range(self.size)] for height in self._heights}
        counts = {spans[self.rank][1] - spans[self.rank][0]: spans for spans in every.values()}
        return [counts[count] for count in rows]

    def sum(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """See Team."""
        messages, opened = bundled(tensors)
        for one in messages:
            self.traffic.tell_all(one)
        return opened()

    def gather(self, tensor: Tensor) -> list[Tensor]:
        """See Team."""
        self.traffic.tell_all(tensor)
        return [tensor.new_empty(tensor.shape) for _ in range(self.size)]

    def exchange(self, give: Mapping[int, Tensor], take: Mapping[int, Tensor]) -> None:
        """See Team."""
        for one in [one.contiguous() for one in give.values()]:
            self.traffic.tell(one)


def alike(portions: Sequence[int], height: int) -> dict[int, list[int]]:
    """Ranks that compute the same: by the first of them, all whose rows of every map are as many, and which have
    others above and below as it has."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for rank in range(len(portions)):
        groups.setdefault(tuple(_described(rank, portions, height)), []).append(rank)
    return {ranks[0]: ranks for ranks in groups.values()}


def _described(rank: int, portions: Sequence[int], height: int) -> Iterable[object]:
    team = Team(rank, len(portions)).portioned(portions)
    yield rank == 0, rank == len(portions) - 1
    for halved in range(HALVED + 1):
        first, last = team.own(height >> halved)
        yield last - first, first % 2

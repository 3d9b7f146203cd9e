"""The ranks of a run, as one of them sees the others: what they decide together, which of them writes, and how maps
whose rows are divided among them are computed.

A rank is never a special case: one that is alone is a team of one, for which all of this is free.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Self, TypeVar

from fullfield.distribution import share
from fullfield.distribution.share import Span, Spans
from fullfield.distribution.traffic import Traffic
from fullfield.errors import RankLost

if TYPE_CHECKING:
    from torch import Tensor

T = TypeVar("T")
Later = Callable[[], "list[Tensor]"]
"""Waits for what has been started, and returns it."""


class Team:
    """One rank of `size`. This class is a rank that is alone; one that can talk to others overrides `agree`, and for
    what is divided among ranks the methods that send tensors. One whose messages travel while it computes overrides
    `sum_later` and `gather_later`, too.

    Methods are called by all ranks, in the same order and equally often. `traffic`: what this one has sent.
    """

    portions: tuple[int, ...]
    """Of the rows of every map, or of the images of a batch, by rank: alike, unless `portioned` says otherwise."""
    alike = True
    """Whether ranks that compute the same of the same numbers find the same bits: not on a card and on the CPU."""

    def __init__(self, rank: int = 0, size: int = 1) -> None:
        self.rank, self.size, self.portions = rank, size, (1,) * size
        self.traffic = Traffic()

    @property
    def writes(self) -> bool:
        """Whether this rank alone writes into the run's folder."""
        return self.rank == 0

    def agree(self, numbers: Sequence[float]) -> list[float]:
        """Each number summed over all ranks, with the same bits on each: what ranks could decide differently is decided
        by these. A number that is not finite on one rank is finite on none."""
        return list(numbers)

    def any(self, flag: bool) -> bool:
        """Whether any rank says so."""
        return self.agree([float(flag)])[0] > 0.0

    def in_turn(self, work: Callable[[], T]) -> T:
        """What `work` returns on this rank, after rank 0 has done it: the others find what it has left.

        Where it raises on rank 0, which tells it, the others raise RankLost.
        """
        if not self.writes:
            if self.any(False):
                raise RankLost("The first process of this run has ended.")
            return work()
        try:
            done = work()
        except BaseException:
            self.any(True)
            raise
        self.any(False)
        return done

    # batches of which each rank has some images

    def counts(self, count: int) -> list[int]:
        """How many of the images of a batch of so many each rank has."""
        dealt = share.dealt(count, self.portions)
        return [dealt.count(rank) for rank in range(self.size)]

    def images(self, count: int) -> list[int]:
        """The places of this rank's."""
        return [place for place, rank in enumerate(share.dealt(count, self.portions)) if rank == self.rank]

    # maps of which each rank has some rows

    def own(self, height: int, rank: int | None = None) -> Span:
        """The rows of a map of `height` rows that a rank owns, this one where none is named."""
        return share.own(height, self.rank if rank is None else rank, self.portions)

    def portioned(self, portions: Sequence[int]) -> Self:
        """The same rank of the same team, of which each rank owns so many parts of all rows, or images: (3, 1) is three
        quarters and one."""
        same = copy.copy(self)
        same.portions = tuple(portions)
        return same

    def beside(self, count: int) -> Team:
        """This rank among each so many that follow one another: of four, 0 and 1, 2 and 3 are teams of two. All ranks
        call it together, and `count` divides their number; what is sent in it counts as this one's."""
        return self if count == self.size else self.grouped(share.beside(self.size, count))

    def across(self, count: int) -> Team:
        """This rank among those that have its place in the teams of `beside`: of four, 0 and 2, 1 and 3. Likewise."""
        return self if count == 1 else self.grouped(share.across(self.size, count))

    def grouped(self, groups: Sequence[Sequence[int]]) -> Team:
        """This rank among those of its group; each rank is in one of them."""
        raise ValueError(f"rank {self.rank} of {self.size} cannot be divided into {groups}")

    def shares(self, height: int) -> list[Span]:
        """The rows of a map that each rank owns. Raises ValueError where it has fewer rows than there are portions."""
        if height < sum(self.portions):
            portions = f" of portions {self.portions}" if len(set(self.portions)) > 1 else ""
            raise ValueError(f"a map of {height} rows cannot be divided among {self.size} ranks{portions}")
        return [self.own(height, rank) for rank in range(self.size)]

    def divided(self, rows: Sequence[int]) -> list[list[Span]]:
        """Of maps of which this rank has so many rows, perhaps none: the rows that each rank has, in their order."""
        counts = [0.0] * (self.size * len(rows))
        counts[self.rank :: self.size] = rows
        found = self.agree(counts)
        return [share.behind(found[place : place + self.size]) for place in range(0, len(found), self.size)]

    def heights(self, rows: Sequence[int]) -> list[int]:
        """The heights of maps of which this rank has so many rows. Raises ValueError, on all ranks, where one has
        others than it owns."""
        found = []
        for spans in self.divided(rows):
            height = spans[-1][1]
            owned = [self.own(height, rank) for rank in range(self.size)]
            if spans != owned:
                raise ValueError(f"ranks have rows {spans} of a map of {height}, of which they own {owned}")
            found.append(height)
        return found

    def sum(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Each tensor summed over all ranks, with the same bits on each. All are of one dtype, and are used up."""
        return list(tensors)

    def gather(self, tensor: Tensor) -> list[Tensor]:
        """That of every rank, in their order; they are of one shape."""
        return [tensor]

    def sum_later(self, tensors: Sequence[Tensor]) -> Later:
        """`sum`, which begins here and is waited for there."""
        found = self.sum(tensors)
        return lambda: found

    def gather_later(self, tensor: Tensor) -> Later:
        """`gather`, likewise."""
        found = self.gather(tensor)
        return lambda: found

    def reduce(self, tensor: Tensor, to: int) -> None:
        """Sum `tensor` over all ranks, in place, on the rank `to`; on others it is used up. All have it in one layout,
        without gaps."""

    def broadcast(self, tensors: Sequence[Tensor], source: int) -> None:
        """Fill `tensors` with those of the rank `source`, which are in the same layout, without gaps."""

    def exchange(self, give: Mapping[int, Tensor], take: Mapping[int, Tensor]) -> None:
        """Send tensors to other ranks, by rank, and fill the tensors `take` with what others send to this one."""

    def pull(
        self, read: Callable[[int, int], Tensor], have: Sequence[Span], want: Spans
    ) -> tuple[Tensor | None, Tensor | None]:
        """Rows of a map (N, C, H, W) that this rank wants beyond those that it has: above them and below them, None
        where there are none.

        `have`, `want`: of every rank; together they have all rows, in the order of ranks. `read`: gives rows
        [first, last) of those that this rank has.
        """
        if self.size == 1:
            return None, None
        import torch

        spans = share.taken(have, want, self.rank)
        take: dict[int, Tensor] = {}
        if spans:
            first, last = have[self.rank]
            like = read(first, min(first + 1, last))
            take = {
                peer: like.new_empty((*like.shape[:2], last - first, like.shape[3]))
                for peer, (first, last) in spans.items()
            }
        give = {peer: read(*span) for peer, span in share.given(have, want, self.rank).items()}
        self.exchange(give, take)
        sides = ([take[peer] for peer in take if (peer < self.rank) is above] for above in (True, False))
        above, below = (torch.cat(parts, dim=2) if parts else None for parts in sides)
        return above, below

    # whole maps that go from one rank to another

    def send(self, tensor: Tensor, peer: int) -> Callable[[], None]:
        """Begin to send a tensor without gaps to another rank, and go on at once. What is returned waits until it has
        left: until then nobody may write on it. What a rank sends to another arrives in that order."""
        raise ValueError(f"rank {self.rank} of {self.size} cannot send to rank {peer}")

    def receive(self, room: Tensor, peer: int) -> None:
        """Wait until a tensor without gaps is filled with the next that another rank sends here."""
        raise ValueError(f"rank {self.rank} of {self.size} cannot receive from rank {peer}")


ALONE = Team()

"""The ranks of a run, as one of them sees the others: what they decide together, and which of them writes.

A rank is never a special case: one that is alone is a team of one, for which all of this is free.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from fullfield.errors import FullfieldError

T = TypeVar("T")


class Team:
    """One rank of `size`. This class is a rank that is alone; one that can talk to others overrides `agree`.

    Methods are called by all ranks, in the same order and equally often.
    """

    def __init__(self, rank: int = 0, size: int = 1) -> None:
        self.rank, self.size = rank, size

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

        Where it raises on rank 0, which tells it, the others raise FullfieldError.
        """
        if not self.writes:
            if self.any(False):
                raise FullfieldError("The first process of this run has ended.")
            return work()
        try:
            done = work()
        except BaseException:
            self.any(True)
            raise
        self.any(False)
        return done


ALONE = Team()

"""What one of several ranks keeps: of weights, gradients and what the optimizer remembers. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Owned:
    """Of each rank, bytes of the weights that it alone updates and remembers something for, by stage.

    `gradients`: others do not keep those of these weights once they are summed. `weights`: nor the weights themselves,
    but while the part of the network that has them is run.
    """

    by_rank: tuple[Mapping[str, int], ...]
    gradients: bool = False
    weights: bool = False


class Kept:
    """Bytes on a rank: `remembered` weights have something in the optimizer, `gradients` and `weights` stay."""

    def __init__(self, owned: Owned | None, rank: int, weights: Mapping[str, int]) -> None:
        self._all, self._own = weights, owned.by_rank[rank] if owned else weights
        whole, own = sum(weights.values()), sum(self._own.values())
        self._gradients, self._weights = bool(owned and owned.gradients), bool(owned and owned.weights)
        self.remembered = own
        self.gradients = own if self._gradients else whole
        self.weights = own if self._weights else whole

    def gathered(self, stages: Sequence[str]) -> int:
        """Of the weights of `stages`, what is not kept but there while they run."""
        return sum(self._all[stage] - self._own[stage] for stage in stages) if self._weights else 0

    def share(self, stages: Sequence[str]) -> float:
        """Of the gradients that `stages` make, what stays."""
        whole = sum(self._all[stage] for stage in stages) if self._gradients else 0
        return sum(self._own[stage] for stage in stages) / whole if whole else 1.0

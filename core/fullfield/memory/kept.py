"""What one of several ranks keeps: of weights, gradients and what the optimizer remembers. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fullfield.distribution.processes import SMALL_BYTES
from fullfield.memory.costs import Facts, Work


@dataclass(frozen=True, kw_only=True)
class Moved:
    """Bytes of a stage of which each rank keeps pieces, beside its own. `whole`: of its weights while it runs, and of a
    message with them, which is there until they are. `going`: of its gradients and what takes them away, when its
    backward is over and its weights are gone."""

    whole: int
    going: int


@dataclass(frozen=True, kw_only=True)
class Owned:
    """Of each rank, bytes of the weights that it alone updates and remembers something for, by stage.

    `gradients`: others do not keep those of these weights once they are summed. `weights`: nor the weights themselves,
    but while the part of the network that has them is run. `order`: by stage, bytes and rank of each of its weights, in
    the order in which backward has their gradients; where a stage is no rank's alone. `moved`: of stages whose weights
    come, and whose gradients go, together.
    """

    by_rank: tuple[Mapping[str, int], ...]
    gradients: bool = False
    weights: bool = False
    order: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    moved: Mapping[str, Moved] = field(default_factory=dict)


class Kept:
    """Bytes on a rank: `remembered` weights have something in the optimizer, `gradients` and `weights` stay."""

    def __init__(self, owned: Owned | None, rank: int, weights: Mapping[str, int]) -> None:
        self._all, self._own = weights, owned.by_rank[rank] if owned else weights
        self._moved = owned.moved if owned else {}
        self._order, self._rank = owned.order if owned else {}, rank
        whole, own = sum(weights.values()), sum(self._own.values())
        self._gradients, self._weights = bool(owned and owned.gradients), bool(owned and owned.weights)
        self.remembered = own
        self.gradients = own if self._gradients else whole
        self.weights = own if self._weights else whole

    def gathered(self, stages: Sequence[str]) -> int:
        """Of the weights of `stages`, what is not kept but there while they run."""
        if self._moved:
            return self.message(stages)
        return sum(self._all[stage] - self._own[stage] for stage in stages) if self._weights else 0

    def message(self, stages: Sequence[str]) -> int:
        """In which the weights of `stages` come, all together."""
        return sum(self._moved[stage].whole for stage in stages if stage in self._moved)

    def going(self, stages: Sequence[str]) -> int:
        """Of gradients of `stages`, and of messages, when these go together."""
        return sum(self._moved[stage].going for stage in stages if stage in self._moved)

    def others(self, stages: Sequence[str], gradients: int, *, last: bool = False) -> int:
        """Of the first bytes of gradients that `stages` make, those that go to other ranks. `last`: their backward is
        over."""
        if not self._gradients or (self._moved and not last):
            return 0
        found, left = 0, gradients
        for size, rank in (one for stage in reversed(stages) for one in self._order.get(stage, ())):
            found += min(size, left) if rank != self._rank else 0
            left -= min(size, left)
        return found


def brought(sizes: Mapping[str, int], owner: Mapping[str, int]) -> Work:
    """What brings weights of such bytes from their owners to all: of each owner one message with what is small."""
    small = {owner[name] for name, size in sizes.items() if size <= SMALL_BYTES}
    large = sum(size > SMALL_BYTES for size in sizes.values())
    return Work(shared=sum(sizes.values()) // 2, collectives=len(small) + large)


def led(facts: Facts, ranks: int) -> tuple[Owned, Work]:
    """What ranks keep of which the first one updates all weights, and what brings these, and what forwards have
    counted, to the others."""
    own = facts.by_stage(facts.parameters)
    owned = Owned(by_rank=(own, *[dict.fromkeys(own, 0)] * (ranks - 1)))
    return owned, brought(facts.parameters, dict.fromkeys(facts.parameters, 0)) + Work(
        shared=facts.buffers // 2, collectives=1
    )

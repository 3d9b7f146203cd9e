"""In which order ranks that hold parts of one network take the micro-batches of a step: GPipe and 1F1B.

Arithmetic alone. Both make the same gradients: every rank runs the forwards in the order of micro-batches, and the
backwards too. Huang et al. 2019, GPipe, section 2.3; Narayanan et al. 2021, Memory-Efficient Pipeline-Parallel DNN
Training, section 3.2 (1F1B with a flush at the end of a step).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

GPIPE, ONE_F_ONE_B = "gpipe", "1f1b"


@dataclass(frozen=True, kw_only=True)
class Action:
    """The forward or the backward of a micro-batch. `others`: how many others have had their forward and not their
    backward. `added`: gradients of weights are there, of micro-batches whose backward is done."""

    micro: int
    forward: bool
    others: int = 0
    added: bool = False


def actions(schedule: str, rank: int, ranks: int, count: int) -> list[Action]:
    """What a rank does in a step of `count` micro-batches: of GPipe all forwards come first; of 1F1B no more than the
    ranks behind it need to begin."""
    ahead = count if schedule == GPIPE else min(ranks - rank - 1, count)
    order = [(True, micro) for micro in range(ahead)]
    for micro in range(count - ahead):
        order += [(True, ahead + micro), (False, micro)]
    order += [(False, micro) for micro in range(count - ahead, count)]
    return [_action(order, place) for place in range(len(order))]


def _action(order: Sequence[tuple[bool, int]], place: int) -> Action:
    forward, micro = order[place]
    begun = sum(one for one, _ in order[:place])
    done = place - begun
    return Action(micro=micro, forward=forward, others=begun - done - (not forward), added=done > 0)


class Staged(Protocol):
    """A part of a chain, or its plan."""

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages of the network whose work it does."""


def ranks_of(parts: Iterable[Staged], stages: Sequence[Sequence[str]]) -> list[int]:
    """The rank of each part, where `stages` are divided so among ranks. A part that does the work of several stages
    lies where the first of them does."""
    ranks = {stage: rank for rank, own in enumerate(stages) for stage in own}
    return [ranks[part.stages[0]] for part in parts]


def bubble(ranks: int, count: int) -> float:
    """The share of a step in which a rank waits, at the least: where all of them have equally much to do."""
    return (ranks - 1) / (count + ranks - 1)

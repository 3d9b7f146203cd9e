"""Which parts of a step a rank runs, where each of several has other parts, and in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from fullfield.distribution import schedule
from fullfield.distribution.schedule import Action


class Named(Protocol):
    """A part of a step."""

    @property
    def name(self) -> str:
        """Of the map that it makes."""

    @property
    def takes(self) -> tuple[str, ...]:
        """The maps that it makes it of."""


@dataclass(frozen=True, kw_only=True)
class Own:
    """`places`: of this rank's parts. `actions`: forwards and backwards of a step. `given`: the maps that other ranks
    take, and how many do. `taken`: the maps that it takes of others, or none at all: the image.
    """

    places: range
    actions: tuple[Action, ...]
    given: Mapping[str, int]
    taken: frozenset[str]


def whole(parts: Sequence[Named], *, added: bool) -> Own:
    """Of a rank that runs all parts; `added`: gradients of weights are there already."""
    actions = tuple(Action(micro=0, forward=forward, added=added) for forward in (True, False))
    return Own(places=range(len(parts)), actions=actions, given={}, taken=frozenset())


def of_rank(parts: Sequence[Named], placed: Sequence[Sequence[str]], rank: int, count: int, order: str) -> Own:
    """Of the parts, whose names are `placed` by rank; those behind all of them, such as the loss, lie with the last.

    `count`: micro-batches of a step; `order`: of `fullfield.distribution.schedule`.
    """
    ranks = {name: its for its, names in enumerate(placed) for name in names}
    of = [ranks.get(part.name, len(placed) - 1) for part in parts]
    places = [place for place, its in enumerate(of) if its == rank]
    mine = {parts[place].name for place in places}
    takers = {name: {its for part, its in zip(parts, of, strict=True) if name in part.takes} - {rank} for name in mine}
    return Own(
        places=range(places[0], places[-1] + 1),
        actions=tuple(schedule.actions(order, rank, len(placed), count)),
        given={name: len(others) for name, others in takers.items() if others},
        taken=frozenset({name for place in places for name in parts[place].takes} - mine),
    )

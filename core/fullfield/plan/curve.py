"""The curve of memory against work: the plans of a ladder that no other one beats in both. No torch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from fullfield.protocol.plan import Plan


class Point(Protocol):
    """What a plan is judged by: bytes of memory, and its FLOPs by those of the plain step."""

    @property
    def memory(self) -> int:
        """In bytes."""

    @property
    def work(self) -> float:
        """1 is the plain step's."""


P = TypeVar("P", bound=Point)


def unbeaten(points: Iterable[P]) -> tuple[P, ...]:
    """Those that no other one beats in both, by rising memory; of equal ones the first."""
    found: list[P] = []
    for one in sorted(points, key=lambda one: (one.memory, one.work)):
        if not found or one.work < found[-1].work:
            found.append(one)
    return tuple(found)


class PlanPoint:
    """A plan's. `memory`: of the process, which a budget is held against."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.memory, self.work = plan, plan.process_bytes, plan.flop_factor


def curve(plans: Sequence[Plan]) -> tuple[Plan, ...]:
    """The plans that no other one beats in memory and work, by rising memory."""
    return tuple(point.plan for point in unbeaten(map(PlanPoint, plans)))

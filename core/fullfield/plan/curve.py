"""The curve of memory against work: of all plans that were looked at, those that no other one beats in both."""

from __future__ import annotations

from collections.abc import Iterable

from fullfield.protocol.plan import CurvePoint, Plan


def curve(plans: Iterable[Plan]) -> tuple[CurvePoint, ...]:
    """By rising memory; of equal ones the plainest. Whether they fit a budget does not count: who sees what more memory
    would save can decide about a budget, or a card."""
    found: list[CurvePoint] = []
    for one in sorted(plans, key=_order):
        if not found or one.flop_factor < found[-1].flop_factor:
            point = CurvePoint(techniques=one.techniques, process_bytes=one.process_bytes, flop_factor=one.flop_factor)
            found.append(point)
    return tuple(found)


def _order(plan: Plan) -> tuple[int, float, int, tuple[str, ...]]:
    return plan.process_bytes, plan.flop_factor, len(plan.techniques), plan.techniques


__all__ = ["curve"]

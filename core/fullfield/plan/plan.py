"""A plan's ladder, and plans in words for people. No torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from fullfield.errors import UsageError
from fullfield.protocol.plan import ESTIMATED, GIVEN, MEASURED, AlonePlan, CurvePoint, DevicePlan, FewerPlan, Plan
from fullfield.units import format_bytes

D = TypeVar("D", bound=DevicePlan)
ABSENT_SHARE = 0.10  # of the peak, for a card that is not here: kernels choose workspaces of their own
ABSENT = f"an estimate for a card that is not here, ± {ABSENT_SHARE:.0%}"
LESS = "What is not exact may shorten them: --approximate."
PAYS_NOT = "More of them do not pay here."
HERE = "an estimate for this card, as long as nobody has measured on one"


class NothingFits(UsageError):
    """Of plans that were made none keeps the budget."""


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """The fastest plan that fits a budget, and where to go from it.

    `plan`: chosen. `next`: slower ones that take less, each a rung down. `refused`: sentences on faster plans that do
    not fit and on techniques that are impossible here. `budget`: bytes that the plans were held against; 0: none were.
    `curve`: memory against work, of all plans that were looked at.
    """

    plan: Plan
    next: tuple[Plan, ...]
    refused: tuple[str, ...]
    budget: int = 0
    curve: tuple[CurvePoint, ...] = ()

    def with_more(self, count: int) -> Ladder:
        """The plans, and the budget, of a process that holds so many bytes more."""

        def more(one: D) -> D:
            return replace(one, library_bytes=one.library_bytes + count, process_bytes=one.process_bytes + count)

        def raised(plan: Plan) -> Plan:
            return replace(more(plan), devices=tuple(map(more, plan.devices)))

        budget = self.budget and self.budget + count
        curve = tuple(replace(one, process_bytes=one.process_bytes + count) for one in self.curve)
        return replace(self, plan=raised(self.plan), next=tuple(map(raised, self.next)), budget=budget, curve=curve)


def nothing_fits(budget: int, least: Plan, more: Sequence[int] = ()) -> NothingFits:
    """The error for a budget that no plan keeps; names the smallest plan. `more`: by rank, what its device has beyond
    the budget: those that are too small are named."""
    takes = format_bytes(least.process_bytes)
    detail = f"At {least.size[0]}×{least.size[1]} the least is {takes}; the budget is {format_bytes(budget)}."
    if more:
        detail = " ".join(too_small(least, [budget + one for one in more]))
    return NothingFits(
        "No plan fits this budget.",
        detail=detail,
        hint="Allow more memory, choose a smaller size, or take techniques that are not exact, such as precision where "
        "the device has it."
        if least.exact
        else "Allow more memory, or choose a smaller size.",
    )


def too_small(plan: Plan, limits: Sequence[int]) -> list[str]:
    """A sentence, with both figures, on each device that has less than its part of a plan takes. `limits`: what they
    have, by rank."""
    at, said = f"{plan.size[0]}×{plan.size[1]}", []
    for one, limit in zip(plan.devices, limits, strict=True):
        if one.process_bytes > limit:
            takes, has = format_bytes(one.process_bytes), format_bytes(limit)
            said.append(f"At {at} a process takes {takes} on {one.name}, which has {has} for it.")
    return list(dict.fromkeys(said))


def names(one: Plan | AlonePlan | FewerPlan) -> str:
    """The techniques of a plan as people read them."""
    return " + ".join(one.techniques) or "no technique"


def of_several(plan: Plan) -> list[str]:
    """What several devices make of a plan, in sentences: what is between them, and what one alone would do."""
    reported = []
    if plan.link is not None:
        rate, delay = f"{plan.link.bytes_per_second / 1e9:.3g} GB/s", f"{plan.link.seconds * 1e6:.0f} µs a message"
        waits = max((one.waiting_seconds for one in plan.devices), default=0.0)
        found = f"link    {_SOURCES[plan.link.source]}: {rate}, {delay}; {waits:.2g} s of a step for it"
        reported.append(found if plan.waiting or not waits else f"{found}, which the time below leaves out")
    if plan.waits_long and plan.exact:
        reported.append(f"The link is the limit: a rank waits {plan.waiting:.0%} of a step for messages. {LESS}")
    alone = plan.alone
    if alone is not None and alone.times:
        reported.append(f"One {alone.name} alone takes {alone.times:.2f} times as long ({names(alone)}).")
    elif alone is not None:
        reported.append(f"No plan for one {alone.name} alone fits.")
    if alone is not None and not alone.pays:
        reported.append(PAYS_NOT)
    for one in plan.fewer:
        count, times = one.computers, one.times
        text = f"{count} of them, by those with least memory, take {times:.2f} times as long as all ({names(one)})."
        reported.append(text if times else f"No plan for {count} of them fits.")
    return reported


_SOURCES = {MEASURED: "measured here", ESTIMATED: "an estimate", GIVEN: "as it is given"}


def describe(plan: Plan) -> str:
    """One line for people."""
    kind = "exact" if plan.exact else "not exact"
    on, of_all = "", ""
    if len(plan.devices) > 1:
        on, of_all = f" on {plan.device}, the fullest of {len(plan.devices)} devices,", " of all processes together"
    host = f", {format_bytes(plan.moved_bytes)} of host memory{of_all}" if plan.moved_bytes else ""
    most, tensors = format_bytes(plan.process_bytes), format_bytes(plan.allocator_bytes)
    return (
        f"{names(plan)}: the process{on} will hold at most {most} (of it the training's tensors {tensors}){host}, "
        f"{plan.time_factor:.2f} × time, {kind}"
    )

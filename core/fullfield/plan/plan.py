"""A plan: chosen techniques with what they will take, and why. A value that is shown, saved and replayed. No torch."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from fullfield.errors import UsageError
from fullfield.units import format_bytes

ABSENT_SHARE = 0.10  # of the peak, for a card that is not here: kernels choose workspaces of their own
ABSENT = f"an estimate for a card that is not here, ± {ABSENT_SHARE:.0%}"
HERE = "an estimate for this card, as long as nobody has measured on one"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How a training will be run, and what it takes.

    `size`: (height, width) in pixels, multiples of 32; `batch`: images per step. `techniques`: in the order of
    application. `exact`: gradients are those of the plain step. `process_bytes`: what the process holds of the device's
    memory at its highest, over the whole training: the bytes that a budget is held against, and that are shown. On a
    card they are `peak_bytes`; on a CPU, whose memory is the process's, `library_bytes` (what the process holds beside
    tensors) and `loader_bytes` (batches that wait) come to them, and an evaluation may be higher than a step.
    `peak_bytes`: the step's part of it: what torch's allocator gives out (`allocator_bytes`), what it keeps besides
    (`reserved_bytes`; on a CPU the heap), and the context of a card (`context_bytes`); on a CPU the host tier too,
    which is the same memory there, and for a card that is not here the doubt of the estimate. `optimizer_bytes`: of
    it, the optimizer's. `host_bytes`: in the host tier; the loader's batches are the computer's memory too.
    `flop_factor`, `time_factor`: by the plain step. `estimate`: how sure the figures are, of any card (`HERE`,
    `ABSENT`), and where the libraries of a CPU's process could not be measured; else "". `by_kind`: bytes at the peak.
    `reason`: why it was chosen, a sentence. `notes`: sentences on what the figures hold.
    """

    size: tuple[int, int]
    batch: int
    techniques: tuple[str, ...]
    exact: bool
    process_bytes: int
    peak_bytes: int
    allocator_bytes: int
    reserved_bytes: int = 0
    context_bytes: int = 0
    library_bytes: int = 0
    loader_bytes: int = 0
    optimizer_bytes: int
    host_bytes: int
    flop_factor: float
    time_factor: float
    estimate: str = ""
    by_kind: dict[str, int]
    peak_at: str
    reason: str = ""
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        lists = {name: list(getattr(self, name)) for name in ("size", "techniques", "notes")}
        return {**asdict(self), **lists}


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """The fastest plan that fits a budget, and where to go from it.

    `plan`: chosen. `next`: slower ones that take less, each a rung down. `refused`: sentences on faster plans that do
    not fit and on techniques that are impossible here. `budget`: bytes that the plans were held against; 0: none were.
    """

    plan: Plan
    next: tuple[Plan, ...]
    refused: tuple[str, ...]
    budget: int = 0

    def with_more(self, count: int) -> Ladder:
        """The plans, and the budget, of a process that holds so many bytes more."""

        def raised(plan: Plan) -> Plan:
            return replace(plan, library_bytes=plan.library_bytes + count, process_bytes=plan.process_bytes + count)

        budget = self.budget and self.budget + count
        return replace(self, plan=raised(self.plan), next=tuple(map(raised, self.next)), budget=budget)


def padded(size: int) -> int:
    """The multiple of 32 that a side of `size` pixels is padded to (and masked in the loss)."""
    return -(-size // 32) * 32


def nothing_fits(budget: int, least: Plan) -> UsageError:
    """The error for a budget that no plan keeps; names the smallest plan, and a size that works."""
    takes = format_bytes(least.process_bytes)
    return UsageError(
        "No plan fits this budget.",
        detail=f"At {least.size[0]}×{least.size[1]} the least is {takes}; the budget is {format_bytes(budget)}.",
        hint="Allow more memory, choose a smaller size, or take techniques that are not exact, such as precision.",
    )


def names(one: Plan) -> str:
    """The techniques of a plan as people read them."""
    return " + ".join(one.techniques) or "no technique"


def describe(plan: Plan) -> str:
    """One line for people."""
    kind = "exact" if plan.exact else "not exact"
    host = f", {format_bytes(plan.host_bytes)} of host memory" if plan.host_bytes else ""
    most, tensors = format_bytes(plan.process_bytes), format_bytes(plan.allocator_bytes)
    return (
        f"{names(plan)}: the process will hold at most {most} (of it the training's tensors {tensors}){host}, "
        f"{plan.time_factor:.2f} × time, {kind}"
    )

"""A plan as the page shows it: its memory by kind, whether it fits, its time, and what to know of it. No widget."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from fullfield.protocol.plan import AlonePlan, FewerPlan, LinkPlan, Plan, RankPlan
from fullfield.protocol.setup_events import PlanReady

ROOM_SHARE = 0.9  # of what is free: up to there a plan fits with room
KINDS = ("weights", "gradients", "optimizer", "activations", "loss", "workspace", "input")
LEAST = 2**16  # bytes: less is not worth a word
HOST, LIBRARIES, LOADER, RESERVE = "host", "libraries", "loader", "reserve"


class Light(StrEnum):
    """How a plan fits."""

    ROOM = "fits with room"
    TIGHT = "tight"
    NO = "does not fit"


@dataclass(frozen=True, kw_only=True)
class Facts:
    """`parts`: bytes by kind in the order of `KINDS`, then `host`, `libraries` and `loader` where they are the same
    memory, then `reserve`. `total`: of the process at its highest; `tensors`: of it, the training's tensors.

    `limit`: bytes that are free on the device, or all of a card that is not here; `budget`: what was asked for, or 0.
    `host_bytes`: in the computer's own memory beside a card, of all devices together. `time`: by the plain step.
    `size`: (height, width) in pixels, `batch`: images of a step. `step_seconds`: of a step on this computer, roughly;
    0: not known. Of several devices, `ranks`: what each takes, `limits`: what each has free, `link`: what is between
    them, `alone`: what the best of them would do alone, `fewer`: a smaller number of machines, `waiting`: the share of
    a step that ranks wait for messages, `waits_long`: the link is the limit.
    """

    techniques: tuple[str, ...]
    parts: tuple[tuple[str, int], ...]
    total: int
    limit: int
    tensors: int = 0
    budget: int = 0
    host_bytes: int = 0
    time: float = 1.0
    exact: bool = True
    estimate: str = ""
    notes: tuple[str, ...] = ()
    reason: str = ""
    size: tuple[int, int] = field(default=(0, 0))
    batch: int = 1
    step_seconds: float = 0.0
    ranks: tuple[RankPlan, ...] = ()
    limits: tuple[int, ...] = ()
    link: LinkPlan | None = None
    alone: AlonePlan | None = None
    fewer: tuple[FewerPlan, ...] = ()
    waiting: float = 0.0
    waits_long: bool = False

    @property
    def elsewhere(self) -> bool:
        """The figures are of a card that is not here: all of it counts as free."""
        return bool(self.estimate) and LIBRARIES not in dict(self.parts)

    @property
    def cards(self) -> int:
        """How many of several devices are cards, where the processor is one of them; else 0."""
        cards = sum(not one.library_bytes for one in self.ranks)  # libraries are counted on the processor alone
        return cards if cards < len(self.ranks) else 0

    @property
    def light(self) -> Light:
        """By what is free, or by the budget where that is less; of several devices by the fullest."""
        held = [(self.total, self.limit)]
        if len(self.limits) == len(self.ranks) > 1:
            held = [(one.process_bytes, limit) for one, limit in zip(self.ranks, self.limits, strict=True)]
        allowed = [(takes, min(limit, self.budget or limit)) for takes, limit in held]
        if all(takes <= ROOM_SHARE * most for takes, most in allowed):
            return Light.ROOM
        return Light.TIGHT if all(takes <= most for takes, most in allowed) else Light.NO


def of(event: PlanReady, *, on_cpu: bool) -> Facts:
    """The facts of an answer."""
    of_each = zip(event.plan.devices, event.limits, strict=False)
    _, limit = max(((one.process_bytes, limit) for one, limit in of_each), default=(0, event.free_bytes))
    facts = _facts(event.plan, limit=limit, budget=event.asked_bytes, on_cpu=on_cpu)
    return replace(facts, step_seconds=event.step_seconds, limits=event.limits)


def there(facts: Facts, free_bytes: int) -> Facts:
    """The same on another machine with so much free memory, of which nobody knows how fast it is."""
    return replace(facts, limit=free_bytes, step_seconds=0.0)


def rungs(event: PlanReady, *, on_cpu: bool) -> tuple[Facts, ...]:
    """The plans below the chosen one, likewise."""
    ladder = event.ladder
    return tuple(_facts(plan, limit=event.free_bytes, budget=event.asked_bytes, on_cpu=on_cpu) for plan in ladder)


def _facts(plan: Plan, *, limit: int, budget: int, on_cpu: bool) -> Facts:
    known = [(kind, plan.by_kind.get(kind, 0)) for kind in KINDS]
    # The most that is there may be there at another moment than the peak: of that, the host's share is what is left.
    total = plan.process_bytes
    own = {HOST: plan.host_bytes, LIBRARIES: plan.library_bytes, LOADER: plan.loader_bytes} if on_cpu else {}
    beside = list(own.items())
    over = max(0, sum(count for _, count in (*known, *beside)) - total)
    beside = [(kind, count - over if kind == HOST else count) for kind, count in beside]
    rest = total - sum(count for _, count in (*known, *beside))
    return Facts(
        techniques=plan.techniques,
        parts=tuple(part for part in (*known, *beside, (RESERVE, max(rest, 0))) if part[1] >= LEAST),
        total=total,
        tensors=plan.allocator_bytes,
        limit=limit,
        budget=budget,
        host_bytes=0 if on_cpu else plan.moved_bytes,
        time=plan.time_factor,
        exact=plan.exact,
        estimate=plan.estimate,
        notes=plan.notes,
        reason=plan.reason,
        size=plan.size,
        batch=plan.batch,
        ranks=plan.devices,
        link=plan.link,
        alone=plan.alone,
        fewer=plan.fewer,
        waiting=plan.waiting,
        waits_long=plan.waits_long,
    )

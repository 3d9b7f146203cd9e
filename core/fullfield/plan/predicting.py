"""From a question to a plan: the site, its costs, and what every set of techniques takes there."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from fullfield.errors import UsageError
from fullfield.hardware import compiler, devices
from fullfield.image import resample
from fullfield.memory.account import Account, MemoryEstimate, Shape
from fullfield.memory.costs import NotTraced
from fullfield.plan import fewer, libraries, planner, step_time, together, totals, where
from fullfield.plan.plan import Ladder
from fullfield.plan.question import Question
from fullfield.plan.sets import Set
from fullfield.protocol.plan import Plan
from fullfield.techniques import compose
from fullfield.techniques.site import Site
from fullfield.units import format_bytes

if TYPE_CHECKING:
    from fullfield.techniques.costing import Costing


def ladder(question: Question) -> Ladder:
    """The plan that was asked for, with its ladder. Raises UsageError: impossible here, or nothing fits."""
    resident = libraries.resident() if question.trains_here else 0  # before anything is made for the plan
    predictor = Predictor(question)
    return answer(question, predictor, resident)


def answer(question: Question, predictor: Predictor, resident: int = 0) -> Ladder:
    """See `ladder`; `predictor` is of the same site. `resident`: bytes of this process, where it is to be the training:
    what it holds beyond libraries belongs to every plan, and so is taken from the budget first."""
    site = predictor.site
    budget, card = question.budget or predictor.free_bytes, min(site.devices, key=lambda one: one.total_bytes)
    try:
        more = libraries.more(question.named, resident) if question.trains_here and site.kind == devices.CPU else 0
        first = predictor.trace if predictor.measuring else None
        asked, beyond = predictor.within(question, more)
        found = planner.plan(asked, site, predictor.plan, first, beyond)
        if site.ranks > 1 and (question.techniques is None or not question.trains_here):
            alone = predictor.alone()
            of_one, _ = alone.within(question, more)  # not a rank's share
            found = together.compared(found, of_one, alone.site, alone.free_bytes, alone.plan)
        if site.computers > 2 and not question.trains_here and not question.together:
            found = replace(found, plan=replace(found.plan, fewer=fewer.of(question, predictor, found.plan)))
    finally:
        predictor.keep()
        if question.trains_here:
            devices.free_cached()  # of the planning
    found = found.with_more(more) if more else found
    if question.techniques is not None or budget <= card.total_bytes:
        return found
    has = f"The budget, {format_bytes(budget)}, is more than {card.title} has: {format_bytes(card.total_bytes)}."
    return replace(found, plan=replace(found.plan, notes=(*found.plan.notes, has)))


class Predictor:
    """What any set of techniques takes at one site. `costing`: of the same network and device, `of_cpu`: of a CPU that
    is beside cards. Predictors share both: of two costings on one file, the last to be kept would replace the other.

    `limits`: what a training may take, by rank, of what the devices had free when they were last looked at;
    `free_bytes`: the least of it. `measuring`: what libraries hold is measured meanwhile.
    """

    def __init__(self, question: Question, costing: Costing | None = None, of_cpu: Costing | None = None) -> None:
        targets = where.targets(question)
        self.free_bytes = min(target.free_bytes for target in targets)
        self.limits = tuple(target.free_bytes for target in targets)
        on_cpu = any(target.card.kind == devices.CPU for target in targets)
        self.measuring = on_cpu and libraries.prepare()  # beside the tracing
        from fullfield.techniques import costing as costings

        self._costing = costing or costings.kept(question.encoder, targets[0].device)
        beside = of_cpu or costings.kept(question.encoder, devices.CPU) if where.mixed(targets) else self._costing
        self._of_cpu = beside
        height, width = resample.padded((question.height, question.width))
        shape = Shape(height=height, width=width, batch=question.batch, encoder=question.encoder)
        self.site = Site(
            devices=tuple(target.card for target in targets),
            shape=shape,
            costs=self._costing.costs,
            compiler=compiler.missing(),
            link=where.link(question),
            computers=max(1, question.computers),
            lowest=resample.padded((question.lowest, question.width))[0],
        )

    @property
    def fixed_bytes(self) -> int:
        """Weights, their gradients and Adam's moments: the same at any image size."""
        plain = MemoryEstimate(shape=self.site.shape)
        return round(sum(self._costing.costs.facts.weights.values()) * (2 + plain.state))

    @property
    def plain_flops(self) -> int:
        """FLOPs of a step without techniques."""
        return self._costing.account((), self.site)[1].flops

    @property
    def plain_seconds(self) -> float:
        """Of a step without techniques on the fastest of several computers alone, roughly; 0 on a card."""
        fastest = max(card.flops_per_second for card in self.site.devices)
        return self.plain_flops / fastest if self.site.kind == devices.CPU else 0.0

    def renew(self, question: Question) -> None:
        """Look anew at what the devices have free, and what is between them."""
        targets = where.targets(question)
        cards = tuple(target.card for target in targets)
        self.site = replace(self.site, devices=cards, link=where.link(question))  # measured meanwhile, perhaps
        self.free_bytes = min(target.free_bytes for target in targets)
        self.limits = tuple(target.free_bytes for target in targets)

    def within(self, question: Question, more: int = 0) -> tuple[Question, tuple[int, ...]]:
        """The question with its budget, `more` bytes less, and by rank what each device has beyond it; nothing where
        all have as much."""
        budget = question.budget or self.free_bytes
        beyond = () if question.budget else tuple(limit - budget for limit in self.limits)
        each = bool(question.nodes and beyond) or any(beyond)
        return replace(question, budget=max(1, budget - more)), beyond if each else ()

    def alone(self) -> Predictor:
        """Of the fastest of the devices alone, which one rank then has as a whole; of those that are as fast, that with
        most memory."""
        same = copy.copy(self)
        best = max(self.site.devices, key=lambda card: (card.alone.speed, card.free_bytes))
        same.site = replace(self.site, devices=(best.alone,), computers=1)
        same._costing = self._of_cpu if best.kind == devices.CPU else self._costing
        limit = self.limits[self.site.devices.index(best)] + best.free_bytes - best.share_bytes
        same.free_bytes, same.limits = limit, (limit,)
        return same

    def of(self, question: Question) -> Predictor:
        """Of another question about the same network on devices of the same kind."""
        return Predictor(question, self._costing, self._of_cpu if self.site.mixed else None)

    def seconds(self, plan: Plan) -> float:
        """Of a step by a plan, in a unit that all devices of this kind share."""
        estimate, account = self.account(compose.read(plan.techniques))
        return plan.time_factor * step_time.alone(estimate, account, self.site)

    def known(self, techniques: Set) -> Plan | None:
        """The plan of these techniques, or None where a part of it would have to be traced first."""
        with self._costing.untraced(), self._of_cpu.untraced():
            try:
                return self.plan(techniques)
            except NotTraced:
                return None

    def trace(self, techniques: Set) -> None:
        """Trace what a plan of these techniques needs, if they are possible here."""
        if not compose.refusals(techniques, self.site):
            self.account(techniques)

    def found(self, techniques: Set) -> Set:
        """With the plans that some of them look for, as a training has them."""
        return self._costing.with_plans(techniques, self.site)

    def account(self, techniques: Set) -> tuple[MemoryEstimate, Account]:
        """What a step with these techniques takes, which are possible here."""
        estimate, account = self._costing.account(techniques, self.site)
        if not self.site.mixed:
            return estimate, account
        _, of_cpu = self._of_cpu.account(self.found(techniques), self.site)
        on_cpu = [card.kind == devices.CPU for card in self.site.devices]
        found = zip(on_cpu, account.devices, of_cpu.devices, strict=True)
        works = zip(on_cpu, account.works, of_cpu.works, strict=True)
        return estimate, replace(
            account,
            devices=tuple(other if cpu else own for cpu, own, other in found),
            works=tuple(other if cpu else own for cpu, own, other in works),
        )

    def plan(self, techniques: Set) -> Plan:
        """The plan of these techniques. Raises UsageError where they are impossible here."""
        refused = compose.refusals(techniques, self.site)
        if refused:
            raise UsageError("These techniques are impossible here.", detail=" ".join(refused))
        estimate, account = self.account(techniques)
        return totals.plan_of(techniques, estimate, account, self.site)

    def keep(self) -> None:
        """Keep what was traced for the next time."""
        self._costing.keep()
        if self._of_cpu is not self._costing:
            self._of_cpu.keep()

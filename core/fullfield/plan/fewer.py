"""What fewer of several computers would do, beside the plan of all.

Nearly all that a plan takes is tracing: parts of a step in the portions of so many ranks. Who plans for fewer so traces
no more than it has to. First comes what the plan of all does, by so many; where that takes clearly longer than their
speeds let expect, other ways in which ranks share a step; and the whole search only where none of them fits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, Self

from fullfield.errors import UsageError
from fullfield.plan import planner
from fullfield.plan.plan import NothingFits
from fullfield.plan.question import Question
from fullfield.plan.sets import Set, Sets
from fullfield.protocol.plan import FewerPlan, Plan
from fullfield.techniques import compose
from fullfield.techniques.base import Stage, Tier
from fullfield.techniques.site import Site

MOST = 8  # computers of which every smaller number is told
ENOUGH = 1.1  # times what the speeds of those that are left let expect


class Predicts(Protocol):
    """See `predicting.Predictor`."""

    site: Site
    limits: tuple[int, ...]

    def of(self, question: Question) -> Self:
        """Of another question about the same network."""

    def plan(self, techniques: Set) -> Plan:
        """Raises UsageError where these are impossible here."""

    def seconds(self, plan: Plan) -> float:
        """Of a step, in a unit of all of them."""

    def within(self, question: Question) -> tuple[Question, tuple[int, ...]]:
        """With its budget, and by rank what there is beyond it."""


def numbers(computers: int) -> tuple[int, ...]:
    """Of how many it is told: of each smaller number from 2; of many computers of one less, and of halves."""
    if computers <= MOST:
        return tuple(range(computers - 1, 1, -1))
    halves = (computers >> times for times in range(1, computers.bit_length() - 1))
    return computers - 1, *halves


def of(question: Question, all_of_them: Predicts, plan: Plan) -> tuple[FewerPlan, ...]:
    """What fewer of the computers would do beside the `plan` of all. Where so many have no plan that fits, still fewer
    have none: each has more to hold, and at no place is there more memory."""
    made: list[FewerPlan] = []
    for count in numbers(all_of_them.site.computers):
        lacking = bool(made) and not made[-1].times
        found = FewerPlan(computers=count) if lacking else _of(replace(question, together=count), all_of_them, plan)
        if found is not None:
            made.append(found)
    return tuple(made)


def _of(question: Question, all_of_them: Predicts, plan: Plan) -> FewerPlan | None:
    """Of one number; None where nothing can be said of so few: the techniques that are named are not for them, say."""
    lacking = FewerPlan(computers=question.together)
    try:
        predictor = all_of_them.of(question)
        if compose.refusals(question.named, predictor.site):
            return None
        found = _found(question, predictor, all_of_them, plan)
    except NothingFits:
        return lacking
    except UsageError:
        return None
    held = zip(found.devices, predictor.limits, strict=True)  # techniques that are named are not held against it
    if any(one.process_bytes > min(limit, question.budget or limit) for one, limit in held):
        return lacking
    times = predictor.seconds(found) / all_of_them.seconds(plan)
    return FewerPlan(computers=question.together, times=round(times, 4), techniques=found.techniques)


def _found(question: Question, predictor: Predicts, all_of_them: Predicts, plan: Plan) -> Plan:
    """The plan of so many. Raises NothingFits, and UsageError where none is possible."""
    asked, beyond = predictor.within(question)
    if question.techniques is None:
        speeds = [sum(card.speed for card in one.site.devices) for one in (all_of_them, predictor)]
        enough = ENOUGH * all_of_them.seconds(plan) * (speeds[0] / speeds[1])
        made: list[Plan] = []
        for techniques in _alike(asked, predictor, plan):
            try:
                one = predictor.plan(techniques)
            except UsageError:
                continue
            if planner.fits(one, asked.budget, beyond):
                made.append(one)
                if predictor.seconds(one) <= enough:
                    break
        if made:
            return planner.choose(made, asked.budget, more=beyond).plan
    return planner.plan(asked, predictor.site, predictor.plan, None, beyond).plan


def _alike(question: Question, predictor: Predicts, plan: Plan) -> list[Set]:
    """The usual sets that differ from the plan's in what ranks share, and in the layout, which is the fastest there;
    those that share as it does come first."""
    before = compose.read(plan.techniques)
    sets = [one for one in Sets(question, predictor.site).of(Tier.USUAL) if _own(one) == _own(before)]
    return sorted(sets, key=lambda one: _shared(one) != _shared(before))


def _own(techniques: Set) -> list[str]:
    """What does not say what ranks share, nor how maps are laid out."""
    return [str(one) for one in techniques if not one.stage.of_ranks and one.stage is not Stage.LAYOUT]


def _shared(techniques: Set) -> list[str]:
    return [one.name for one in techniques if one.stage.of_ranks]

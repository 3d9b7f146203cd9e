"""The job "plan": which techniques make a training fit a budget. It takes a second or two, and little memory."""

from __future__ import annotations

from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.hardware import devices
from fullfield.interpreter import uncollected
from fullfield.plan import libraries, predicting, where
from fullfield.plan.plan import Ladder
from fullfield.plan.question import judged
from fullfield.protocol.events import PlanMade
from fullfield.protocol.planning import PlanSpec


def run(spec: PlanSpec, context: Context) -> Fields:
    """Find the plan and tell it. Raises UsageError for an impossible set, size or budget."""
    with uncollected():
        question = judged(spec)
        if question.device == devices.CPU and not question.gpu:
            libraries.prepare()  # at once: beside the import of torch, too
        devices.compute_with(where.threads(question))  # as trainings do
        ladder = predicting.ladder(question)
    context.emit(made(ladder))
    plan = ladder.plan
    return {"techniques": list(plan.techniques), "process_bytes": plan.process_bytes, "peak_bytes": plan.peak_bytes}


def made(ladder: Ladder) -> PlanMade:
    """The event of a plan."""
    return PlanMade(
        plan=ladder.plan,
        ladder=ladder.next,
        refused=list(ladder.refused),
        curve=ladder.curve,
    )

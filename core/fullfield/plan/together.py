"""Whether several devices pay: their plan beside that of one of them alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fullfield.errors import UsageError
from fullfield.hardware import devices
from fullfield.plan import planner
from fullfield.plan.plan import Ladder, names
from fullfield.plan.question import Question

if TYPE_CHECKING:
    from fullfield.plan.predicting import Predictor

SLOW_LINK = 0.5  # of a step's time


def compared(found: Ladder, question: Question, predictor: Predictor) -> Ladder:
    """The ladder of several devices, of whose plan a note says what the best of them would do alone."""
    alone = predictor.alone()
    card = alone.site.devices[0]
    of_one = "one process" if card.kind == devices.CPU else f"one {card.title}"
    budget = min(question.budget, alone.free_bytes) if question.budget else alone.free_bytes
    try:
        single = planner.plan(replace(question, budget=budget, cards="", processes=1), alone.site, alone.plan).plan
    except UsageError:
        note = f"No plan for {of_one} alone fits."
    else:
        times = single.time_factor / found.plan.time_factor
        note = f"{of_one[:1].upper()}{of_one[1:]} alone takes {times:.2f} times as long ({names(single)})."
        if times <= 1.0:
            note += " More of them do not pay here."
    return replace(found, plan=replace(found.plan, notes=(*found.plan.notes, note)))

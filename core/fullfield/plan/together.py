"""Whether several devices pay: their plan beside that of one of them alone."""

from __future__ import annotations

from dataclasses import replace

from fullfield.errors import UsageError
from fullfield.hardware import devices
from fullfield.plan import planner
from fullfield.plan.plan import Ladder, names
from fullfield.plan.planner import Predict
from fullfield.plan.question import Question
from fullfield.techniques.site import Site


def compared(found: Ladder, question: Question, alone: Site, free_bytes: int, predict: Predict) -> Ladder:
    """The ladder of several devices, of whose plan a note says what the best of them would do `alone`."""
    (card,) = alone.devices
    of_one = "one process" if card.kind == devices.CPU else f"one {card.title}"
    budget = min(question.budget, free_bytes)
    try:
        single = planner.plan(replace(question, budget=budget, cards="", processes=1), alone, predict).plan
    except UsageError:
        note = f"No plan for {of_one} alone fits."
    else:
        times = single.time_factor / found.plan.time_factor
        note = f"{of_one[:1].upper()}{of_one[1:]} alone takes {times:.2f} times as long ({names(single)})."
        if times <= 1.0:
            note += " More of them do not pay here."
    return replace(found, plan=replace(found.plan, notes=(*found.plan.notes, note)))

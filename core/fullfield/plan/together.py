"""Whether several devices pay: their plan beside that of one of them alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fullfield.errors import UsageError
from fullfield.hardware import devices
from fullfield.plan import planner
from fullfield.plan.plan import Ladder
from fullfield.plan.planner import Predict
from fullfield.plan.question import Question
from fullfield.protocol.plan import AlonePlan
from fullfield.techniques import compose
from fullfield.techniques.site import Site

PROCESS = "process"


def compared(found: Ladder, question: Question, alone: Site, free_bytes: int, predict: Predict) -> Ladder:
    """The ladder of several devices, whose plan tells what the best of them would do `alone`: by the planner's choice,
    or by the techniques that are named, without what ranks share. `question`: with the budget of one that is alone."""
    (card,) = alone.devices
    budget = min(question.budget, free_bytes)
    always, named = _of_one(question.always), question.techniques
    techniques = None if named is None else _of_one(named)
    asked = replace(question, budget=budget, cards="", processes=1, nodes=(), together=0)
    asked = replace(asked, always=always, techniques=techniques)
    name = PROCESS if card.kind == devices.CPU else card.title
    if question.nodes:
        name = f"of them ({card.title})"
    try:
        single = planner.plan(asked, alone, predict).plan
    except UsageError:
        reported = AlonePlan(name=name)
    else:
        times = single.time_factor / found.plan.time_factor if single.process_bytes <= budget else 0.0
        reported = AlonePlan(name=name, times=round(times, 4), techniques=single.techniques)
    return replace(found, plan=replace(found.plan, alone=reported))


def _of_one(techniques: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(one) for one in compose.read(techniques) if not one.stage.of_ranks)

"""Whether several devices pay: their plan beside that of one of them alone."""

from __future__ import annotations

from dataclasses import replace

from fullfield.errors import UsageError
from fullfield.hardware import devices
from fullfield.plan import planner
from fullfield.plan.plan import Ladder, names
from fullfield.plan.planner import Predict
from fullfield.plan.question import Question
from fullfield.techniques import compose
from fullfield.techniques.site import Site

PAYS_NOT = "More of them do not pay here."


def compared(found: Ladder, question: Question, alone: Site, free_bytes: int, predict: Predict) -> Ladder:
    """The ladder of several devices, of whose plan a note says what the best of them would do `alone`."""
    (card,) = alone.devices
    one = "process" if card.kind == devices.CPU else card.title
    always = tuple(str(technique) for technique in compose.read(question.always) if not technique.stage.of_ranks)
    asked = replace(question, budget=min(question.budget, free_bytes), cards="", processes=1, always=always)
    try:
        single = planner.plan(asked, alone, predict).plan
    except UsageError:
        notes: tuple[str, ...] = (f"No plan for one {one} alone fits.",)
    else:
        times = single.time_factor / found.plan.time_factor
        notes = (f"One {one} alone takes {times:.2f} times as long ({names(single)}).",)
        if times <= 1.0:
            notes += (PAYS_NOT,)
    return replace(found, plan=replace(found.plan, notes=(*found.plan.notes, *notes)))

"""The engine's sentences in the user's language, where they enter the window: errors, notices, reasons."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from fullfield.protocol.events import Event, ItemWarned, Notice, PhaseStarted
from fullfield.protocol.setup_events import MachineTold, PlanTold, TechniquesJudged
from fullfield_app.gui.translation import say_core

E = TypeVar("E", bound=Event)


def in_words(event: E) -> E:
    """The event with what it says to people translated; nothing else of it is touched. From any thread."""
    told: Any = event
    error = getattr(event, "error", None)
    if isinstance(error, dict):
        said = {key: say_core(text) if isinstance(text, str) else text for key, text in error.items()}
        told = replace(told, error=said)
    match event:
        case Notice() | ItemWarned():
            told = replace(told, text=say_core(event.text))
        case PhaseStarted():
            told = replace(told, name=say_core(event.name))
        case MachineTold():
            told = replace(told, why=say_core(event.why))
        case PlanTold():
            reason, notes = say_core(event.plan.reason), tuple(map(say_core, event.plan.notes))
            told = replace(told, plan=replace(event.plan, reason=reason, notes=notes))
        case TechniquesJudged():
            told = replace(told, refused={name: say_core(why) for name, why in event.refused.items()})
    return told  # type: ignore[no-any-return]

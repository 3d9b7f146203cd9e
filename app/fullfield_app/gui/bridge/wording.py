"""The engine's sentences in the user's language, where they enter the window: errors, notices, reasons."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from fullfield.protocol.events import Event, ItemWarned, Notice, PhaseStarted
from fullfield.protocol.setup_events import MachineProbed, PlanReady, TechniquesJudged
from fullfield_app.gui.bridge.hints import in_the_window
from fullfield_app.gui.translation import say_core

E = TypeVar("E", bound=Event)


def in_words(event: E) -> E:
    """The event with what it says to people translated; nothing else of it is touched. From any thread."""
    reported: Any = event
    error = getattr(event, "error", None)
    if isinstance(error, dict):
        said = {key: in_the_window(text) if isinstance(text, str) else text for key, text in error.items()}
        reported = replace(reported, error=said)
    match event:
        case Notice() | ItemWarned():
            reported = replace(reported, text=say_core(event.text))
        case PhaseStarted():
            reported = replace(reported, name=say_core(event.name))
        case MachineProbed():
            reported = replace(reported, why=say_core(event.why))
        case PlanReady():
            reason, notes = say_core(event.plan.reason), tuple(map(say_core, event.plan.notes))
            reported = replace(reported, plan=replace(event.plan, reason=reason, notes=notes))
        case TechniquesJudged():
            reported = replace(reported, refused={name: say_core(why) for name, why in event.refused.items()})
    return reported  # type: ignore[no-any-return]

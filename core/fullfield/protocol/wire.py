"""How an event goes over the wire: one JSON object per line, whose `kind` is the name of the event's class.

`event_lines` reads such a line, and has the list of all events.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any

from fullfield.checked import Fields, Seconds


@dataclass(frozen=True, kw_only=True)
class Event:
    """What all events share: `time`, seconds since the epoch when it was written (0: not written yet)."""

    time: Seconds = 0.0


def to_fields(event: Event) -> Fields:
    """The event as a JSON object; a number that is not finite becomes null, for JSON has none."""
    return {"kind": type(event).__name__, **{key: _finite(value) for key, value in asdict(event).items()}}


def to_line(event: Event) -> str:
    """One line of JSON, without the line's end. Control characters in texts are escaped by JSON itself."""
    return json.dumps(to_fields(event), ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value

"""How an event goes over the wire: one JSON object per line, whose `kind` is the name of the event's class.

A line is written by `to_line` and read by `from_line`; an unknown kind or field (a newer worker) is passed over, not
fatal, and so is a line with a value of another type (see `fullfield.checked`). The events themselves are in
`fullfield.protocol.events`.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import Any

from fullfield import checked
from fullfield.checked import Seconds

_KINDS: dict[str, type[Event]] = {}


@dataclass(frozen=True, kw_only=True)
class Event:
    """What all events share: `time`, seconds since the epoch when it was written (0: not written yet)."""

    time: Seconds = 0.0

    def __init_subclass__(cls) -> None:
        _KINDS[cls.__name__] = cls


def to_fields(event: Event) -> dict[str, Any]:
    """The event as a JSON object; a number that is not finite becomes null, for JSON has none."""
    return {"kind": type(event).__name__, **{key: _finite(value) for key, value in asdict(event).items()}}


def to_line(event: Event) -> str:
    """One line of JSON, without the line's end. Control characters in texts are escaped by JSON itself."""
    return json.dumps(to_fields(event), ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def from_line(line: str) -> Event | None:
    """The event of a line; None for a line that is not whole (a writer died), of a kind not known here, or with a field
    of another type than the event's.

    A kind is known once its module is imported, as every reader does that asks for it by its class: beside those of
    `fullfield.protocol.events` there are `fullfield.protocol.setup_events` and `fullfield.diagnosis.check`.
    """
    try:
        values = checked.parse(line)
        kind = _KINDS.get(str(values.get("kind"))) if isinstance(values, dict) else None
        return None if kind is None else checked.make(kind, values)
    except ValueError:
        return None


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value

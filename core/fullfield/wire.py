"""How an event goes over the wire: one JSON object per line, whose `kind` is the name of the event's class.

A line is written by `to_line` and read by `from_line`; an unknown kind or field (a newer worker) is passed over, not
fatal. The events themselves are in `fullfield.events`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

_KINDS: dict[str, type[Event]] = {}


@dataclass(frozen=True, kw_only=True)
class Event:
    """What all events share: `time`, seconds since the epoch when it was written (0: not written yet)."""

    time: float = 0.0

    def __init_subclass__(cls) -> None:
        _KINDS[cls.__name__] = cls


def to_fields(event: Event) -> dict[str, Any]:
    """The event as a JSON object; a number that is not finite becomes null, for JSON has none."""
    return {"kind": type(event).__name__, **{key: _finite(value) for key, value in asdict(event).items()}}


def to_line(event: Event) -> str:
    """One line of JSON, without the line's end. Control characters in texts are escaped by JSON itself."""
    return json.dumps(to_fields(event), ensure_ascii=True, allow_nan=False, separators=(",", ":"))


def from_line(line: str) -> Event | None:
    """The event of a line; None for a line that is not whole (a writer died) or of a kind not known here.

    A kind is known once its module is imported, as every reader does that asks for it by its class: beside those of
    `fullfield.events` there are `fullfield.setup_events` and `fullfield.diagnosis.check`.
    """
    try:
        values = json.loads(line)
    except ValueError:
        return None
    if not isinstance(values, Mapping):
        return None
    kind = _KINDS.get(str(values.get("kind")))
    if kind is None:
        return None
    known = {item.name: item.type for item in fields(kind)}
    given = {
        key: math.nan if value is None and known[key] == "float" else value
        for key, value in values.items()
        if key in known
    }
    try:
        return kind(**given)
    except TypeError:
        return None


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value

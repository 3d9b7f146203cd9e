"""One check of a diagnosis, as the event that tells it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from fullfield.protocol.wire import Event


class Verdict(StrEnum):
    """Good; works, with less than could be had; or does not work."""

    GOOD = "good"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True, kw_only=True)
class CheckMade(Event):
    """Something was checked. `title`: what; `text`: what was found, a sentence; `hint`: what to do, where something is.

    `key` names the check for programs, `verdict` is a `Verdict`. Paths are told from the user's home ("~") on.
    """

    key: str
    title: str
    verdict: str
    text: str
    hint: str = ""

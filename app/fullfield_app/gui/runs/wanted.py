"""Which run another page, or a message, asks the page of runs to show."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

RESUME, REPORT = "resume", "report"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """`then`: what to do with it as soon as it is shown: `RESUME` it, make and open its `REPORT`, or nothing."""

    folder: Path
    then: str = ""

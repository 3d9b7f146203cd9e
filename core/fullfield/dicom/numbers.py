"""Decimal strings of a data set as numbers that can be trusted: finite, or none at all."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any


def decimals(value: Any) -> tuple[float, ...]:
    """All values of a DS or IS attribute; empty where one of them is no finite number, or there is none."""
    if value is None or value == "":
        return ()
    parts = value if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
    try:
        found = tuple(float(part) for part in parts)
    except (TypeError, ValueError):
        return ()
    return found if all(math.isfinite(number) for number in found) else ()


def decimal(value: Any) -> float | None:
    """The first value, or None."""
    found = decimals(value)
    return found[0] if found else None

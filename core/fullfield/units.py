"""Bytes and seconds as people write and read them."""

from __future__ import annotations

import re

from fullfield.errors import UsageError

_FACTORS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_FACTORS |= {"kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40}


def parse_bytes(text: str) -> int:
    """`"4GiB"`, `"512 MiB"`, `"8GB"` or a plain number, as bytes. Raises UsageError."""
    match = re.fullmatch(r"\s*(\d{1,18}(?:\.\d+)?)\s*([a-zA-Z]*)\s*", text)
    factor = _FACTORS.get(match[2].lower()) if match else None
    if match is None or factor is None:
        raise UsageError(
            f"Cannot read {text[:40]!r} as an amount of memory.",
            hint="Write for instance 4GiB, 512MiB or 8GB.",
        )
    return int(float(match[1]) * factor)


def format_bytes(count: float) -> str:
    """`1536` → `"1.5 KiB"`."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(count) < 1024 or unit == "GiB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    raise AssertionError


def format_seconds(seconds: float) -> str:
    """`75.2` → `"1 min 15 s"`; below ten seconds one decimal is kept."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"

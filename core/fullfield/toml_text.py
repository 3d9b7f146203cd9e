"""Writes the small TOML of our own files: texts, numbers, truths, lists and tables. `tomllib` reads it back."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Mapping
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SHORT = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def write(table: Mapping[str, Any], *, heading: str = "") -> str:
    """`table` as TOML; `heading`: a comment of one line above it. Raises TypeError for what TOML cannot say."""
    return "\n".join([*([f"# {heading}"] if heading else []), *_lines(table, ())]) + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> list[str]:
    """Its plain values first: below a table's name they would belong to that table."""
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in plain.items()]
    for key, value in table.items():
        if isinstance(value, Mapping):
            inner = (*path, key)
            lines += ["", f"[{'.'.join(map(_key, inner))}]", *_lines(value, inner)]
    return lines


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case str():
            return _text(value)
        case int():
            return str(value)
        case float():
            return repr(value) if math.isfinite(value) else str(value)  # inf, -inf and nan are TOML's words too
        case datetime.datetime() | datetime.date() | datetime.time():
            return value.isoformat()
        case list() | tuple():
            return f"[{', '.join(map(_value, value))}]"
        case Mapping():
            return "{ " + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + " }"
    raise TypeError(f"TOML has no {type(value).__name__}.")


def _text(text: str) -> str:
    return '"' + "".join(_SHORT.get(sign) or (sign if _printable(sign) else _escape(sign)) for sign in text) + '"'


def _printable(sign: str) -> bool:
    return ord(sign) >= 0x20 and ord(sign) != 0x7F


def _escape(sign: str) -> str:
    return f"\\u{ord(sign):04x}"

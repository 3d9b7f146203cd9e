"""What a card may hold: the types, lengths and ranges of its fields, checked before any of them is used or shown.

A model file may come from anywhere, and its card is shown in lists, reports and files. Imports no torch.
"""

from __future__ import annotations

import math
import re
from dataclasses import fields
from typing import Any

from fullfield.checked import Fields

LONGEST_NAME = 200  # characters
LONGEST_TEXT = 4096
LONGEST_SIDE = 100_000  # pixels; the largest radiographs have 20,000
MOST_VALUES = 500_000  # of all fields together: a SHA-256 of every training image is among them
DEEPEST = 12
_LARGEST = 1 << 63

_TEXTS = ("name", "input_kind", "size", "licence", "reviewed_by", "start", "created")
_LISTS_OF_TEXTS = ("modalities", "data_sha256", "members")
_TABLES = ("network", "normalisation", "plan", "metrics", "baselines", "versions", "seeds", "comparison")
_NUMBERS = ("mm_per_pixel", "long_side", "halo", "images")
_SIZE = re.compile(r"native|[0-9]{1,6}")


def check(values: Fields) -> None:
    """Raises ValueError for a card whose fields are not of their types, or longer, larger or deeper than any of ours.

    Fields that are not known (of a newer version) are held to the bounds alone.
    """
    _bounded(values)
    for kind, names in ((str, _TEXTS), (list | tuple, _LISTS_OF_TEXTS), (dict, _TABLES)):
        for name in names:
            if name in values and not isinstance(values[name], kind):
                raise ValueError(f"{name}: of another type")
    for name in _LISTS_OF_TEXTS:
        if not all(isinstance(value, str) for value in values.get(name, ())):
            raise ValueError(f"{name}: wanted texts")
    for name in _NUMBERS:
        if isinstance(values.get(name), bool) or not isinstance(values.get(name), int | float | None):
            raise ValueError(f"{name}: wanted a number")
    for name in ("long_side", "halo", "images"):
        if isinstance(values.get(name), float):
            raise ValueError(f"{name}: wanted a whole number")
    for name in ("metrics", "baselines", "versions", "seeds"):
        wanted = str if name == "versions" else int | float | None
        if not all(isinstance(value, wanted) for value in values.get(name, {}).values()):
            raise ValueError(f"{name}: a value is of another type")
    if not isinstance(values.get("for_tests", False), bool):
        raise ValueError("for_tests: wanted true or false")
    name = values.get("name", "")
    if not name.strip() or len(name) > LONGEST_NAME or "\n" in name:
        raise ValueError(f"name: wanted 1 to {LONGEST_NAME} characters on one line")
    if (values.get("long_side") or 0) > LONGEST_SIDE:
        raise ValueError(f"long_side: wanted at most {LONGEST_SIDE} pixels")
    if not _SIZE.fullmatch(values.get("size", "native")):
        raise ValueError("size: wanted “native” or a number of pixels")
    from fullfield.image.normalise import Normalisation  # numpy: the command line names encoders without it

    way_in = {item.name for item in fields(Normalisation)}  # a field that is none of these is told where it is needed
    Normalisation.from_json({key: value for key, value in values.get("normalisation", {}).items() if key in way_in})


def fits(text: str) -> bool:
    """Whether a card may hold this text: of some length, and without tabs or other signs that cannot be printed."""
    return len(text) <= LONGEST_TEXT and text.replace("\n", "").isprintable()


def _bounded(value: Any) -> None:
    """Every value at any depth: texts without control signs and of some length, numbers that fit 64 bits, so many."""
    waiting, count = [(value, 0)], 0
    while waiting:
        item, depth = waiting.pop()
        count += 1
        if count > MOST_VALUES or depth > DEEPEST:
            raise ValueError("more values, or deeper ones, than any card has")
        match item:
            case str():
                if not fits(item):
                    raise ValueError("a text that is too long, or holds control signs")
            case bool() | None:
                pass
            case int():
                if abs(item) >= _LARGEST:
                    raise ValueError("a number that is too large")
            case float():
                if math.isinf(item):
                    raise ValueError("a number that is not finite")
            case dict():
                waiting += [(part, depth + 1) for pair in item.items() for part in pair]
            case list() | tuple():
                waiting += [(part, depth + 1) for part in item]
            case _:
                raise ValueError("a value of another type")

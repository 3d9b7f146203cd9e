"""The engine's sentences with values in them: known again by their words, so that the sentence can be translated.

`packaging/translate.py` lists them in `sentences.txt`, the one with most words first. Who says them brings the look-up:
the window Qt's translators, a report `fullfield.translation`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from fullfield import files
from fullfield.errors import FullfieldError

Find = Callable[[str], str]  # the translation of a text; "" where there is none
Write = Callable[[str], str]  # a value with its numbers as the language writes them

_PLACE = re.compile(r"\{\d+\}")
_END = re.compile(r"(?<=[.?!]) (?=[A-ZÁÉÍÓÚ0-9])")
# Numbers of amounts: 1.5, 12,345.6; no versions (2.15.0) and nothing within a name (glibc2.36).
_NUMBER = re.compile(
    r"(?<![\w.,-])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?![\w.,]*\d)(?=$|[,.)]*$|[\u00a0 ]?[%A-Za-z])"
)

# What a version is told after: it stays as it is also where it looks like an amount (Python 3.13).
_OF = r"\b(?:Python|CUDA(?: up to)?|Fullfield|PySide6|torch|PyTorch|glibc|driver|version|capability) $"
_NAMED = re.compile(_OF)
_VERSIONED = re.compile(rf"{_OF}|(?:needed|needs|this is|this computer has) $")  # within a sentence, of a bare value
_BARE = re.compile(r"\d+(?:\.\d+)+")
_PRESET = re.compile(r"\S+ \d+(?:\.\d+)+")  # its name and version, after the word


def say(text: str, *, find: Find, write: Write) -> str:
    """`text` in another language, with values in it or without. What is not known stays as it is."""
    return _said(text, find, write) or text


def written(value: str, *, decimal: str, thousands: str) -> str:
    """A value of the engine with its numbers in these signs."""
    signs = {",": thousands, ".": decimal}

    def sign(found: re.Match[str]) -> str:
        version = _NAMED.search(value, 0, found.start())
        return found[0] if version else "".join(signs.get(one, one) for one in found[0])

    return _NUMBER.sub(sign, value)


def _said(text: str, find: Find, write: Write) -> str:
    """Empty where nothing of it is known."""
    said = find(text)
    if said or " " not in text:
        return said
    several = _END.split(text)
    parts = [_said(part, find, write) for part in several] if len(several) > 1 else []
    if parts and all(parts):  # before the whole, in which a value could swallow a sentence
        return " ".join(parts)
    found = _taken_apart(text)
    if found is not None:
        sentence, values = found
        return (find(sentence) or sentence).format(
            *(one if version else _said(one, find, write) or write(one) for one, version in values)
        )
    return " ".join(part or write(one) for part, one in zip(parts, several, strict=True)) if any(parts) else ""


def _taken_apart(text: str) -> tuple[str, list[tuple[str, bool]]] | None:
    """The sentence that `text` is, with its places as "{0}", and what stands in them, with whether that is a version;
    None: it is none of ours."""
    for sentence, pattern in _known():
        found = pattern.fullmatch(text)
        if found is not None:
            return sentence, [
                (one, _is_version(one, text[: found.start(n)])) for n, one in enumerate(found.groups(), 1)
            ]
    return None


def _is_version(value: str, before: str) -> bool:
    of_preset = before.endswith("preset ") and _PRESET.fullmatch(value)
    return bool(of_preset or (_BARE.fullmatch(value) and _VERSIONED.search(before)))


@cache
def _known() -> tuple[tuple[str, re.Pattern[str]], ...]:
    try:
        texts = files.resource("translations/sentences.txt").read_text(encoding="utf-8").splitlines()
    except (FullfieldError, OSError):  # not shipped: these sentences stay English, and nothing else is amiss
        return ()
    return tuple((text, _pattern(text)) for text in texts)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("(.*?)".join(map(re.escape, _PLACE.split(text))), re.DOTALL)

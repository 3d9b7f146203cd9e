"""The engine's sentences with values in them: known again by their words, so that the sentence can be translated.

`packaging/translate.py` lists them in `sentences.txt`, the one with most words first.
"""

from __future__ import annotations

import re
from functools import cache

from PySide6.QtCore import QLocale

from fullfield import files
from fullfield.errors import FullfieldError

_PLACE = re.compile(r"\{\d+\}")
_END = re.compile(r"(?<=[.?!]) (?=[A-ZÁÉÍÓÚ0-9])")
# Numbers of amounts: 1.5, 12,345.6; no versions (2.15.0) and nothing within a name (glibc2.36).
_NUMBER = re.compile(
    r"(?<![\w.,-])(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+)(?![\w.,]*\d)(?=$|[,.)]*$|[\u00a0 ]?[%A-Za-z])"
)


def taken_apart(text: str) -> tuple[str, tuple[str, ...]] | None:
    """The sentence that `text` is, with its places as "{0}", and what stands in them; None: it is none of ours."""
    for sentence, pattern in _known():
        found = pattern.fullmatch(text)
        if found is not None:
            return sentence, found.groups()
    return None


def split(text: str) -> list[str]:
    """Several sentences, one by one."""
    return _END.split(text)


def localised(value: str) -> str:
    """A value of the engine with its numbers as the user's language writes them."""
    locale = QLocale()
    signs = {",": locale.groupSeparator(), ".": locale.decimalPoint()}
    return _NUMBER.sub(lambda found: "".join(signs.get(sign, sign) for sign in found[0]), value)


@cache
def _known() -> tuple[tuple[str, re.Pattern[str]], ...]:
    try:
        texts = files.resource("translations/sentences.txt").read_text(encoding="utf-8").splitlines()
    except (FullfieldError, OSError):  # not shipped: these sentences stay English, and nothing else is amiss
        return ()
    return tuple((text, _pattern(text)) for text in texts)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("(.*?)".join(map(re.escape, _PLACE.split(text))), re.DOTALL)

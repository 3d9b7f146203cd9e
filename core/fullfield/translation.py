"""A language that people read, without Qt: what is written for them outside of the window, such as a report, speaks it.

The window looks the same texts up by Qt's translators; both read what `packaging/translate.py` has collected, Qt the
`.qm`, this the `.ts` that it is made of.
"""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from fullfield import files, sentences
from fullfield.errors import FullfieldError, UsageError

ENGLISH = "en"  # the language of the sources
LANGUAGES = {ENGLISH: "English", "es": "Español"}
"""Each by the name that its speakers look for; never translated."""
_SIGNS = {ENGLISH: (".", ","), "es": (",", ".")}  # as most of its countries write them
_ENGINE = ("core", "techniques")  # the contexts of what the engine says


def marked(text: str) -> str:
    """`text` as it is; it is translated where it is shown. The translators get what stands in this call."""
    return text


@dataclass(frozen=True, kw_only=True)
class Language:
    """`code`: of `LANGUAGES`. `decimal`, `thousands`: the signs in its numbers."""

    code: str = ENGLISH
    decimal: str = "."
    thousands: str = ","

    def translate(self, context: str, text: str) -> str:
        """A text of one context; as it is where it has no translation."""
        return _texts(self.code).get(context, {}).get(text) or text

    def say(self, text: str) -> str:
        """What the engine says, with values in it or without. A sentence that is not known stays as it is."""
        return text if self.code == ENGLISH else sentences.say(text, find=self._find, write=self.written)

    def written(self, value: str) -> str:
        """`"1,234.5 s"` with its numbers in the signs of this language."""
        return sentences.written(value, decimal=self.decimal, thousands=self.thousands)

    def _find(self, text: str) -> str:
        known = _texts(self.code)
        return next((said for context in _ENGINE if (said := known.get(context, {}).get(text))), "")


def language(code: str, *, decimal: str = "", thousands: str = "") -> Language:
    """The language `code`; where no signs are given, with the usual ones. Raises UsageError: it is none of ours."""
    if code not in LANGUAGES:
        raise UsageError(f"Cannot write in the language {code[:20]!r}.", hint=f"Choose from {', '.join(LANGUAGES)}.")
    usual = _SIGNS[code]
    return Language(code=code, decimal=decimal or usual[0], thousands=thousands or usual[1])


@cache
def _texts(code: str) -> Mapping[str, Mapping[str, str]]:
    """What the translators have finished, by context and text."""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    if code == ENGLISH:
        return MappingProxyType({})
    try:
        root = ElementTree.parse(files.resource(f"translations/fullfield_{code}.ts")).getroot()
    except (FullfieldError, OSError):  # not shipped: the texts stay English, and nothing else is amiss
        return MappingProxyType({})
    for context in root.iter("context"):
        for message in context.iter("message"):
            said = message.find("translation")
            if said is not None and said.get("type") is None and said.text:
                found[context.findtext("name", "")][message.findtext("source", "")] = said.text
    return MappingProxyType(found)

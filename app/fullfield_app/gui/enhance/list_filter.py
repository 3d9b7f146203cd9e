"""Which images a filter lets through: words that all are found in what is known of an image, and whether it is
exported. No widget.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


@dataclass(frozen=True, kw_only=True)
class ListFilter:
    """`words`: all of them are wanted; `unexported`: only what is in no file yet."""

    words: tuple[str, ...] = ()
    unexported: bool = False

    @classmethod
    def of(cls, text: str) -> ListFilter:
        """What a user has typed: words in any order, and “not exported” as one."""
        wanted, phrase = " ".join(folded(text).split()), folded(not_exported())
        words = wanted.replace(phrase, " ").split()
        return cls(words=tuple(words), unexported=phrase in wanted)

    def __bool__(self) -> bool:
        """It leaves something out."""
        return self.unexported or bool(self.words)

    def accepts(self, text: str, *, exported: bool) -> bool:
        """Whether an image of which `text` is known is let through."""
        known = folded(text)
        return not (self.unexported and exported) and all(word in known for word in self.words)


def not_exported() -> str:
    """The words for images that are in no file yet, as they are typed."""
    return translate("ListFilter", "not exported")


def folded(text: str) -> str:
    """Without accents, capitals and signs that only layout has: Muller finds Müller."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))

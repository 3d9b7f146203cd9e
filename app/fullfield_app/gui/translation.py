"""Texts that are written in one place and translated in another: those of tables, and those of the engine."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fullfield import sentences
from fullfield.errors import FullfieldError
from fullfield_app.gui import numbers

_PROBE = "raw"  # stays as it is in English alone


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """`text` as it is; it is translated where it is shown. Typed, unlike Qt's own."""
    return text


def say_core(text: str) -> str:
    """What the engine says, in the user's language: a preset's title, an error, a notice; with values in it or without.

    `packaging/translate.py` collects its sentences. One that is not known stays as it is.
    """
    return sentences.say(text, find=_find, write=numbers.written) if _find(_PROBE) else text


def _find(text: str) -> str:
    for context in ("core", "techniques"):
        said = QCoreApplication.translate(context, text)
        if said != text:
            return said
    return ""


def in_lines(*parts: str) -> str:
    """What an error says, each part on a line of its own; those that say nothing are left out."""
    return "\n".join(part for part in parts if part)


def say_error(error: FullfieldError) -> str:
    """All that an error says, in one line of text."""
    return " ".join(say_core(part) for part in (error.title, error.detail, error.hint) if part)

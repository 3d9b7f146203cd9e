"""Texts that are written in one place and translated in another: those of tables, and those of the engine."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from fullfield.errors import FullfieldError
from fullfield_app.gui import sentences

_PROBE = "raw"  # stays as it is in English alone


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """`text` as it is; it is translated where it is shown. Typed, unlike Qt's own."""
    return text


def say_core(text: str) -> str:
    """What the engine says, in the user's language: a preset's title, an error, a notice; with values in it or without.

    `packaging/translate.py` collects its sentences. One that is not known stays as it is.
    """
    said = _say(text)
    if said != text or " " not in text or _say(_PROBE) == _PROBE:
        return said
    found = sentences.taken_apart(text)
    if found is not None:
        sentence, values = found
        return _say(sentence).format(*(say_core(sentences.localised(value)) for value in values))
    several = sentences.split(text)
    return " ".join(map(say_core, several)) if len(several) > 1 else text


def _say(text: str) -> str:
    said = QCoreApplication.translate("core", text)
    return said if said != text else QCoreApplication.translate("techniques", text)


def say_error(error: FullfieldError) -> str:
    """All that an error says, in one line of text."""
    return " ".join(say_core(part) for part in (error.title, error.detail, error.hint) if part)

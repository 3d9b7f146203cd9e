"""Marks texts of tables for translation; they are translated where they are shown."""

from __future__ import annotations


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """`text` as it is. Typed, unlike Qt's own."""
    return text

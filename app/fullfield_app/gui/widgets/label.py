"""Labels that show what they are given, letter by letter: a name with markup in it is a name, not a layout."""

from __future__ import annotations

import unicodedata
from html import escape

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

LONG_WORD = 24
_BREAK = "\u200b"
_SPACE = "Zs"  # Unicode's category of spaces: also those that do not break, as between a time and its "AM"


def clean(text: str) -> str:
    """`text` without signs that would reorder, break or hide it (direction overrides, control characters)."""
    return "".join(sign if sign.isprintable() or unicodedata.category(sign) == _SPACE else "�" for sign in text)


def tooltip(text: str) -> str:
    """`text` as a tooltip that Qt will not read as markup."""
    return f"<span>{escape(text)}</span>" if text else ""


def plain_label(text: str = "", *, object_name: str = "", wrap: bool = False) -> QLabel:
    """A label of plain text; `object_name` chooses its look in the stylesheet."""
    label = _PlainLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setObjectName(object_name)
    label.setWordWrap(wrap)
    label.setAccessibleName(text)
    return label


def describe(label: QLabel) -> None:
    """Let those who cannot see it be told what it says, where it is called otherwise."""
    text = label.text().replace(_BREAK, "")
    label.setAccessibleDescription("" if text == label.accessibleName() else text)


class _PlainLabel(QLabel):
    def setText(self, text: str) -> None:
        """Show `text`, and tell it."""
        super().setText(text)
        describe(self)


def breakable(text: str) -> str:
    """`text`, where it has a long word to be broken after any sign: no part of it is ever out of sight."""
    return _BREAK.join(text) if any(len(word) > LONG_WORD for word in text.split()) else text


class ElidedLabel(QLabel):
    """One line of plain text that ends in an ellipsis where the room ends; the whole is in its tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_text(self, text: str) -> None:
        """Show `text`."""
        self.setText(clean(text))
        self.setToolTip(tooltip(clean(text)))
        self.setAccessibleDescription(clean(text))

    def minimumSizeHint(self) -> QSize:
        """Narrower than its text."""
        return QSize(24, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """As much as there is room for."""
        with QPainter(self) as painter:
            room = self.contentsRect()
            text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(room, int(self.alignment() | Qt.TextFlag.TextSingleLine), text)

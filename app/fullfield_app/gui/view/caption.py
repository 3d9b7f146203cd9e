"""Words on an image, painted as plain text: nothing that comes from a file is ever read as markup."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

MARGIN = 10
_SHADE = QColor(0, 0, 0, 150)
_INK = QColor(226, 230, 236)
_QUIET = QColor(150, 158, 170)


class Corner(Enum):
    """Where a caption stands: upper corners and, for numbers, the lower left."""

    LEFT = 0
    RIGHT = 1
    FOOT = 2


def paint_caption(painter: QPainter, area: QRectF, text: str, corner: Corner, ratio: float) -> None:
    """`text` in a corner of `area`, legible on black and on white."""
    if not text:
        return
    painter.save()
    painter.setFont(_font(painter, ratio, 1.0))
    size = painter.fontMetrics().size(Qt.TextFlag.TextSingleLine, text)
    pad = 6 * ratio
    width, height = size.width() + 2 * pad, size.height() + pad
    margin = MARGIN * ratio
    left = area.right() - margin - width if corner is Corner.RIGHT else area.left() + margin
    top = area.bottom() - margin - height if corner is Corner.FOOT else area.top() + margin
    box = QRectF(left, top, width, height)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_SHADE)
    painter.drawRoundedRect(box, 4 * ratio, 4 * ratio)
    painter.setPen(_INK)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()


def paint_message(painter: QPainter, area: QRectF, text: str, ratio: float) -> None:
    """A sentence in the middle, in place of an image."""
    painter.save()
    painter.setFont(_font(painter, ratio, 1.15))
    painter.setPen(_QUIET)
    margin = 24 * ratio
    box = area.adjusted(margin, margin, -margin, -margin)
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), text)
    painter.restore()


def _font(painter: QPainter, ratio: float, factor: float) -> QFont:
    font = QFont(painter.font())
    points = font.pointSizeF() if font.pointSizeF() > 0 else 10.0
    font.setPointSizeF(points * factor * ratio)
    return font

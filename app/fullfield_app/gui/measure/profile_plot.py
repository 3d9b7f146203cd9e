"""The values along the line, before and after, each in percent of its own image's range of values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from fullfield_app.gui import theme
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.histogram_plot import AFTER, BEFORE
from fullfield_app.gui.widgets.label import tooltip

MARGIN = 10
Values = NDArray[np.float64]


class ProfilePlot(QWidget):
    """Shows up to two curves over the same line; values 0 … 1, or None."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Profile along the line, before and after"))
        self.setToolTip(
            tooltip(
                self.tr(
                    "The values along the line from its start to its end, in percent of each image's range of values. "
                    "Before: dashed; after: solid."
                )
            )
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(104)
        self._curves: tuple[Values | None, Values | None] = (None, None)
        self._length = ""

    def show_curves(self, before: Values | None, after: Values | None, length: str) -> None:
        """Show these over a line of this length, in words."""
        self._curves, self._length = (before, after), length
        parts = [
            text.format(low=round(float(curve.min()) * 100), high=round(float(curve.max()) * 100))
            for text, curve in (
                (self.tr("Before: from {low} to {high} %."), before),
                (self.tr("After: from {low} to {high} %."), after),
            )
            if curve is not None
        ]
        self.setAccessibleDescription(" ".join((length, *parts)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The axes, and the curves over them."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            metrics = painter.fontMetrics()
            text, side = metrics.height(), metrics.horizontalAdvance("100 %") + 4
            room = QRectF(self.rect()).adjusted(MARGIN + side, text + 4, -MARGIN, -text - 6)
            self._paint_axes(painter, room, text, side)
            self._paint_key(painter, room, text)
            for curve, (colour, style) in zip(self._curves, (BEFORE, AFTER), strict=True):
                if curve is not None and curve.size > 1:
                    painter.setPen(QPen(theme.colour(colour), 1.4, style))
                    painter.drawPolyline(_polyline(curve, room))

    def _paint_key(self, painter: QPainter, room: QRectF, text: int) -> None:
        line = QRectF(room.left(), 0, room.width(), text)
        for title, (colour, _) in ((self.tr("After"), AFTER), (self.tr("Before"), BEFORE)):
            painter.setPen(theme.colour(colour))
            painter.drawText(line, Qt.AlignmentFlag.AlignRight, title)
            line.setRight(line.right() - painter.fontMetrics().horizontalAdvance(title) - MARGIN)

    def _paint_axes(self, painter: QPainter, room: QRectF, text: int, side: int) -> None:
        painter.setPen(QPen(self.palette().mid().color(), 1))
        painter.drawLine(room.bottomLeft(), room.bottomRight())
        painter.drawLine(room.topLeft(), room.bottomLeft())
        painter.setPen(self.palette().placeholderText().color())
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for place, label in ((room.top(), "100 %"), (room.bottom(), "0 %")):
            painter.drawText(QRectF(MARGIN, place - text / 2, side - 4, text), int(right), label)
        line = QRectF(room.left(), room.bottom() + 3, room.width(), text)
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, self.tr("start"))
        painter.drawText(line, Qt.AlignmentFlag.AlignHCenter, self._length)
        painter.drawText(line, Qt.AlignmentFlag.AlignRight, self.tr("end"))


def _polyline(curve: Values, room: QRectF) -> QPolygonF:
    places = np.linspace(room.left(), room.right(), curve.size)
    heights = room.bottom() - np.clip(curve, 0, 1) * room.height()
    return QPolygonF([QPointF(*place) for place in zip(places.tolist(), heights.tolist(), strict=True)])

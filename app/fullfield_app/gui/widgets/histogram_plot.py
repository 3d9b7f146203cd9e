"""Two spreads of grey levels over each other, before and after, with their contrast in numbers.

Painted here and not by pyqtgraph: two lines need no half second of imports in the window's first moments.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from fullfield_app.gui import numbers, theme
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label, tooltip

# Colours of the theme, told apart by the colour-blind too (Okabe & Ito 2008), and the line's style.
BEFORE, AFTER = ("before", Qt.PenStyle.DashLine), ("after", Qt.PenStyle.SolidLine)
MARGIN = 10


@dataclass(frozen=True, kw_only=True, eq=False)
class Curve:
    """`places`: 0 (black) … 100 (white); `heights`: percent of the pixels at each; `contrast`: in percent."""

    places: NDArray[np.float64]
    heights: NDArray[np.float64]
    contrast: float


class HistogramPlot(QWidget):
    """Shows up to two curves."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Contrast before and after"))
        self._curves: tuple[Curve | None, Curve | None] = (None, None)
        self._build()

    def show_curves(self, before: Curve | None, after: Curve | None, region: str = "") -> None:
        """Show these, or nothing; `region`: the number of the region that they are of."""
        self._curves = (before, after)
        within = self.tr("Local contrast in {region}").format(region=region)
        self._title.setText(within if region else self.tr("Local contrast"))
        for label, side, curve in (
            (self._before, self.tr("Before"), before),
            (self._after, self.tr("After"), after),
        ):
            text = self.tr("{side} {contrast} %")
            label.setText(
                text.format(side=side, contrast=numbers.number(curve.contrast, 1)) if curve is not None else ""
            )
        layout = self._row.layout()
        if layout is not None:
            layout.activate()  # at once: no frame shows the new figures cut
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The axis from black to white, and the curves over it."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            text = painter.fontMetrics().height()
            room = QRectF(self.rect()).adjusted(MARGIN, self._row.height() + 4, -MARGIN, -text - 6)
            self._paint_axis(painter, room, text)
            # The root keeps a large dark background from flattening all the rest.
            tops = [float(np.sqrt(curve.heights.max())) for curve in self._curves if curve is not None]
            for curve, (colour, style) in zip(self._curves, (BEFORE, AFTER), strict=True):
                if curve is not None:
                    painter.setPen(QPen(theme.colour(colour), 1.6, style))
                    painter.drawPolyline(_polyline(curve, room, max(*tops, 1e-9) if tops else 1.0))

    def _paint_axis(self, painter: QPainter, room: QRectF, text: int) -> None:
        painter.setPen(QPen(self.palette().mid().color(), 1))
        painter.drawLine(room.bottomLeft(), room.bottomRight())
        painter.setPen(self.palette().placeholderText().color())
        line = QRectF(room.left(), room.bottom() + 3, room.width(), text)
        ends = (self.tr("black"), self.tr("white"))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, ends[0])
        painter.drawText(line, Qt.AlignmentFlag.AlignRight, ends[1])
        metrics = painter.fontMetrics()
        between = line.width() - 2 * (max(map(metrics.horizontalAdvance, ends)) + MARGIN)
        middle = metrics.elidedText(self.tr("grey levels as shown"), Qt.TextElideMode.ElideRight, int(between))
        painter.drawText(line, Qt.AlignmentFlag.AlignHCenter, middle)

    def _build(self) -> None:
        self._title = plain_label(self.tr("Local contrast"), object_name="quiet")
        self._title.setToolTip(
            tooltip(
                self.tr(
                    "How much the grey levels on the screen differ close by: the mean of their standard deviations in "
                    "blocks of 8 × 8 pixels of the image at some 500 pixels, in percent of black to white."
                )
            )
        )
        name(self._title, self.tr("Local contrast, caption"))
        self._before, self._after = plain_label(object_name="before"), plain_label(object_name="after")
        name(self._before, self.tr("Contrast before"))
        name(self._after, self.tr("Contrast after"))
        self._row = QWidget()
        name(self._row, self.tr("Contrast in numbers"))
        line = QHBoxLayout(self._row)
        line.setContentsMargins(MARGIN, 4, MARGIN, 0)
        line.addWidget(self._title)
        line.addStretch()
        line.addWidget(self._before)
        line.addSpacing(8)
        line.addWidget(self._after)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._row)
        layout.addStretch()


def _polyline(curve: Curve, room: QRectF, top: float) -> QPolygonF:
    heights = np.sqrt(curve.heights) / top
    return QPolygonF(
        [
            QPointF(room.left() + place / 100 * room.width(), room.bottom() - height * room.height())
            for place, height in zip(curve.places.tolist(), heights.tolist(), strict=True)
        ]
    )

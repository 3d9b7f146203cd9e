"""How the sizes of the images are spread, as a small histogram of their longer sides."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fullfield_app.gui import theme
from fullfield_app.gui.widgets.accessible import name

BINS, HEIGHT = 24, 34


class SizePlot(QWidget):
    """Shows the longer sides of images, in pixels."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Spread of sizes"))
        self._sides: tuple[int, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_sides(self, sides: tuple[int, ...]) -> None:
        """Show these."""
        self._sides = sides
        reported = self.tr("{least} to {most} pixels").format(least=min(sides), most=max(sides)) if sides else ""
        self.setAccessibleDescription(reported)
        self.update()

    def sizeHint(self) -> QSize:
        """Bars and a line of text."""
        return QSize(200, HEIGHT + self.fontMetrics().height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Bars from 0 to the largest side."""
        if not self._sides:
            return
        most = max(self._sides)
        heights = [0] * BINS
        for side in self._sides:
            heights[min(BINS - 1, side * BINS // (most + 1))] += 1
        width = self.width() / BINS
        with QPainter(self) as painter:
            for place, count in enumerate(heights):
                tall = count / max(heights) * HEIGHT
                painter.fillRect(QRectF(place * width, HEIGHT - tall, width - 1, tall), theme.curve(1))
            painter.setPen(self.palette().mid().color())
            painter.drawLine(0, HEIGHT, self.width(), HEIGHT)
            painter.setPen(self.palette().placeholderText().color())
            line = QRectF(0, HEIGHT + 2, self.width(), self.fontMetrics().height())
            painter.drawText(line, Qt.AlignmentFlag.AlignLeft, "0")
            painter.drawText(line, Qt.AlignmentFlag.AlignHCenter, self.tr("longer side, pixels"))
            painter.drawText(line, Qt.AlignmentFlag.AlignRight, str(most))

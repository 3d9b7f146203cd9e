"""What the lines of a plot mean: beside each name a piece of its line, in as many rows as the width asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import clean

SAMPLE, GAP, BETWEEN = 24, 6, 16


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A line by its name, colour, style and width."""

    title: str
    colour: QColor
    style: Qt.PenStyle = Qt.PenStyle.SolidLine
    width: float = 2.0


class Legend(QWidget):
    """Shows entries."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, title)
        self._entries: tuple[Entry, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show these."""
        if tuple(entries) != self._entries:
            self._entries = tuple(entries)
            self.setAccessibleDescription(", ".join(clean(entry.title) for entry in entries))
            self._fit()
            self.update()

    def sizeHint(self) -> QSize:
        """As many rows as there are."""
        return QSize(160, self._rows() * self._row_height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may take other rows."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A piece of each line, and its name."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            height = self._row_height()
            for entry, place in zip(self._entries, self._places(), strict=True):
                middle = place.y() + height // 2
                painter.setPen(QPen(entry.colour, entry.width, entry.style))
                painter.drawLine(place.x(), middle, place.x() + SAMPLE, middle)
                painter.setPen(self.palette().windowText().color())
                room = max(self.width() - place.x() - SAMPLE - GAP, 0)
                text = self.fontMetrics().elidedText(clean(entry.title), Qt.TextElideMode.ElideRight, room)
                baseline = place.y() + (height + self.fontMetrics().ascent() - self.fontMetrics().descent()) // 2
                painter.drawText(place.x() + SAMPLE + GAP, baseline, text)

    def _places(self) -> list[QPoint]:
        x = y = 0
        places = []
        for entry in self._entries:
            wide = SAMPLE + GAP + self.fontMetrics().horizontalAdvance(clean(entry.title)) + BETWEEN
            if x and x + wide - BETWEEN > self.width():
                x, y = 0, y + self._row_height()
            places.append(QPoint(x, y))
            x += wide
        return places

    def _rows(self) -> int:
        places = self._places()
        return places[-1].y() // self._row_height() + 1 if places else 0

    def _row_height(self) -> int:
        return self.fontMetrics().height() + 4

    def _fit(self) -> None:
        self.setFixedHeight(self._rows() * self._row_height())

"""What a training takes, by kind, as one bar against what is free; each kind has a colour and a hatching of its own."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from fullfield.plan.plan import ABSENT
from fullfield_app.gui import numbers, theme
from fullfield_app.gui.train.plan_facts import Facts
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP
from fullfield_app.gui.widgets.accessible import name

TITLES = {
    "weights": QT_TRANSLATE_NOOP("memory", "Weights"),
    "gradients": QT_TRANSLATE_NOOP("memory", "Gradients"),
    "optimizer": QT_TRANSLATE_NOOP("memory", "Optimizer"),
    "activations": QT_TRANSLATE_NOOP("memory", "Activations"),
    "loss": QT_TRANSLATE_NOOP("memory", "Loss"),
    "workspace": QT_TRANSLATE_NOOP("memory", "Workspace"),
    "input": QT_TRANSLATE_NOOP("memory", "Images"),
    "host": QT_TRANSLATE_NOOP("memory", "Moved out"),
    "libraries": QT_TRANSLATE_NOOP("memory", "The program itself"),
    "loader": QT_TRANSLATE_NOOP("memory", "Images that wait"),
    "reserve": QT_TRANSLATE_NOOP("memory", "Reserve"),
}
_FILLS = {
    "weights": (0, Qt.BrushStyle.SolidPattern),
    "gradients": (0, Qt.BrushStyle.BDiagPattern),
    "optimizer": (4, Qt.BrushStyle.SolidPattern),
    "activations": (1, Qt.BrushStyle.SolidPattern),
    "loss": (2, Qt.BrushStyle.SolidPattern),
    "workspace": (3, Qt.BrushStyle.SolidPattern),
    "input": (5, Qt.BrushStyle.SolidPattern),
    "host": (1, Qt.BrushStyle.BDiagPattern),
    "libraries": (3, Qt.BrushStyle.BDiagPattern),
    "loader": (2, Qt.BrushStyle.BDiagPattern),
    "reserve": (5, Qt.BrushStyle.BDiagPattern),
}
BAR, GAP, COLUMNS = 22, 6, 2
MOST_OF_LEGEND = 0.6  # of its width, for the first column
MOST_ROOM = 2.5  # how many times the bar's length is shown: a line beyond it is told by an arrow
HEADROOM = 1.06  # of the longer of bar and lines, so that a line at the end is seen


class MemoryBar(QWidget):
    """Shows a plan's facts; empty while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Memory by kind"))
        self._facts: Facts | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_facts(self, facts: Facts | None) -> None:
        """Show these."""
        self._facts = facts
        parts = facts.parts if facts is not None else ()
        self.setAccessibleDescription(", ".join(f"{say(kind)} {numbers.data(count)}" for kind, count in parts))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """The bar, the two lines' words, and a legend in two columns."""
        line = self.fontMetrics().height() + 2
        rows = -(-len(_FILLS) // COLUMNS)
        return QSize(240, BAR + 2 * line + GAP + rows * line)

    def minimumSizeHint(self) -> QSize:
        """As tall as it is."""
        return QSize(180, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The bar from the left, lines at what is free and at the budget, the legend below."""
        if self._facts is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            facts = self._facts
            line = self.fontMetrics().height() + 2
            lines = max(facts.limit, facts.budget)
            longest = max(facts.total, min(lines, facts.total * MOST_ROOM)) * HEADROOM
            scale = self.width() / longest if longest else 0.0
            self._paint_parts(painter, facts, scale, line)
            self._paint_line(painter, facts.limit * scale, line, above=True)
            if facts.budget and facts.budget != facts.limit:
                self._paint_line(painter, facts.budget * scale, line, above=False)
            self._paint_legend(painter, facts, BAR + 2 * line + GAP, line)

    def _paint_parts(self, painter: QPainter, facts: Facts, scale: float, top: int) -> None:
        left = 0.0
        painter.setPen(QPen(self.palette().base().color(), 1))
        for kind, count in facts.parts:
            room = QRectF(left, top, count * scale, BAR)
            painter.fillRect(room, self.palette().base())
            painter.fillRect(room, _brush(kind))
            painter.drawRect(room)
            left += room.width()

    def _paint_line(self, painter: QPainter, place: float, line: int, *, above: bool) -> None:
        style = Qt.PenStyle.SolidLine if above else Qt.PenStyle.DashLine
        painter.setPen(QPen(self.palette().text().color(), 2, style))
        beyond = place > self.width()
        if not beyond:
            painter.drawLine(round(place), line - 3 if above else line, round(place), line + BAR + (0 if above else 3))
        facts = self._facts
        assert facts is not None
        there = self.tr("the card has {amount}") if facts.estimate == ABSENT else self.tr("free: {amount}")
        text = there.format(amount=numbers.data(facts.limit))
        if not above:
            text = self.tr("budget: {amount}").format(amount=numbers.data(facts.budget))
        text = f"{text} →" if beyond else text
        width = self.fontMetrics().horizontalAdvance(text) + 4
        left = min(max(0.0, place - width / 2), self.width() - width)
        painter.drawText(QRectF(left, 0 if above else line + BAR + 1, width, line), Qt.AlignmentFlag.AlignCenter, text)

    def _paint_legend(self, painter: QPainter, facts: Facts, top: int, line: int) -> None:
        rows = -(-len(_FILLS) // COLUMNS)
        texts = [f"{say(kind)}  {numbers.data(count)}" for kind, count in facts.parts]
        widest = max(map(self.fontMetrics().horizontalAdvance, texts[:rows]), default=0)
        column = min(line + widest + 3 * GAP, self.width() * MOST_OF_LEGEND)
        for place, ((kind, _), text) in enumerate(zip(facts.parts, texts, strict=True)):
            left, here = (place // rows) * column, top + (place % rows) * line
            key = QRectF(left, here + 3, line - 6, line - 6)
            painter.fillRect(key, _brush(kind))
            painter.setPen(self.palette().text().color())
            room = QRectF(left + line, here, (column if place < rows else self.width() - left) - line, line)
            text = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, int(room.width()))
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)


def say(kind: str) -> str:
    """A kind of memory in the user's language."""
    return QCoreApplication.translate("memory", TITLES[kind])


def _brush(kind: str) -> QBrush:
    place, style = _FILLS[kind]
    colour: QColor = theme.curve(place)
    return QBrush(colour, style)

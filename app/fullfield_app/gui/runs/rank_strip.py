"""The memory of one process as a small picture: what it held, its predicted peak, its budget; below, how long it waits.

Colours and styles are those of the legend that `entries` makes, one for all strips.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from fullfield.runs.rank_curves import RankSnapshot
from fullfield_app.gui import theme
from fullfield_app.gui.runs.legend import Entry
from fullfield_app.gui.widgets.accessible import name

HEIGHT, WAITING, GAP = 44, 4, 4
HEADROOM = 1.12  # over the highest line
FAR = 3.0  # times the rest: from there on a budget is out of sight, as in the plot of all memory
FILLED = 0.22  # of the curve's colour, under it
HELD = 1  # its place among the curves' colours, as in the plot of a single process


class RankStrip(QWidget):
    """Shows one process. `waits`: whether its waiting is shown too."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, title)
        self._rank: RankSnapshot | None = None
        self._waits = False
        self._highest = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rank(self, rank: RankSnapshot, *, highest: float, waits: bool, says: str) -> None:
        """Show this; `highest`: bytes at the upper edge. `says`: the same in words, for those who cannot see
        it."""
        if (self._rank, self._highest, self._waits) != (rank, highest, waits):
            self._rank, self._highest, self._waits = rank, highest, waits
            self.update()
        self.setAccessibleDescription(says)

    def sizeHint(self) -> QSize:
        """The picture, and the line of waiting."""
        return QSize(200, HEIGHT + GAP + WAITING)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The curve over time from the left, lines across, the waiting below."""
        rank = self._rank
        if rank is None:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(QRectF(0, 0, self.width(), HEIGHT), theme.colour("base"))
            if self._highest:
                highest = self._highest
                self._paint_curve(painter, rank, highest)
                for count, pen in ((rank.predicted_bytes, _predicted()), (rank.budget_bytes, _budget())):
                    if 0 < count < highest:
                        painter.setPen(pen)
                        at = HEIGHT * (1 - count / highest)
                        painter.drawLine(QPointF(0, at), QPointF(self.width(), at))
            if self._waits and rank.waiting is not None:
                track = QRectF(0, HEIGHT + GAP, self.width(), WAITING)
                painter.fillRect(track, theme.colour("line"))
                painter.fillRect(
                    QRectF(track.topLeft(), QSize(round(track.width() * rank.waiting), WAITING)), _waiting()
                )

    def _paint_curve(self, painter: QPainter, rank: RankSnapshot, highest: float) -> None:
        x, y = rank.curve.x, rank.curve.y
        if not x:
            return
        span = x[-1] - x[0]
        points = [
            QPointF(self.width() * ((at - x[0]) / span if span else 0.0), HEIGHT * (1 - value / highest))
            for at, value in zip(x, y, strict=True)
        ]
        if not span:  # of one moment: as it has been all the time
            points.append(QPointF(self.width(), points[0].y()))
        under = QPolygonF([QPointF(points[0].x(), HEIGHT), *points, QPointF(points[-1].x(), HEIGHT)])
        colour = theme.curve(HELD)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_translucent(colour))
        painter.drawPolygon(under)
        painter.setPen(QPen(colour, 1.6))
        painter.drawPolyline(QPolygonF(points))


def highest(ranks: Sequence[RankSnapshot]) -> float:
    """The upper edge of all strips, so that they can be compared."""
    rest = max((max(rank.peak_bytes, rank.predicted_bytes) for rank in ranks), default=0)
    budget = max((rank.budget_bytes for rank in ranks), default=0)
    return HEADROOM * (budget if rest < budget <= FAR * rest else rest)


def entries(titles: tuple[str, str, str, str], *, budget: bool, predicted: bool, waits: bool) -> list[Entry]:
    """What the lines mean: held, predicted, budget, waiting."""
    lines = (
        (True, QPen(theme.curve(HELD), 1.6)),
        (predicted, _predicted()),
        (budget, _budget()),
        (waits, QPen(_waiting(), WAITING)),
    )
    return [
        Entry(title=title, colour=pen.color(), style=pen.style(), width=pen.widthF())
        for title, (wanted, pen) in zip(titles, lines, strict=True)
        if wanted
    ]


def _predicted() -> QPen:
    return QPen(theme.colour("accent"), 1.5, Qt.PenStyle.DashLine)


def _budget() -> QPen:
    return QPen(theme.colour("trouble"), 1.5)


def _waiting() -> QColor:
    return theme.colour("caution")


def _translucent(colour: QColor) -> QColor:
    thin = QColor(colour)
    thin.setAlphaF(FILLED)
    return thin

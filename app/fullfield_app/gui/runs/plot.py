"""A plot of lines in the theme's colours, with its legend above. Lines are told apart by style too.

Only what is given is drawn: curves are bounded before they come here, and nothing is thinned out at painting.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QColor, QPen, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fullfield.runs.decimated import Curve
from fullfield_app.gui import theme
from fullfield_app.gui.runs.axes import Axis, CountAxis, TimeAxis
from fullfield_app.gui.runs.legend import Entry, Legend
from fullfield_app.gui.widgets.accessible import complete, name

STYLES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine)
LEAST_HEIGHT = 150
FAR = 3.0  # times the rest: from there on a level that yields is out of sight
GRID = 0.22  # of the strength of the axes' texts
FEW = 40  # points up to which each is marked


@dataclass(frozen=True, kw_only=True)
class Line:
    """`place`: its colour in the theme; `style`: its place in `STYLES`; `wide`: in pixels."""

    title: str
    curve: Curve
    place: int
    style: int = 0
    wide: float = 2.0
    marked: bool = False


@dataclass(frozen=True, kw_only=True)
class Level:
    """A horizontal line; `colour`: by the theme's name. `yields`: out of sight where it would flatten the rest."""

    title: str
    height: float
    colour: str = "quiet"
    style: int = 1
    yields: bool = False


class Plot(QWidget):
    """Shows lines and levels. `log`: the y axis by powers of ten; `time`: the x axis holds seconds."""

    def __init__(self, title: str, *, x: str, y: str, log: bool = False, time: bool = False) -> None:
        super().__init__()
        name(self, title)
        self._title, self._log, self._time, self._labels = title, log, time, {"bottom": x, "left": y}
        self._lines: tuple[Line, ...] = ()
        self._levels: tuple[Level, ...] = ()
        self._marks: tuple[float, ...] = ()
        self._late = False  # something is to be drawn
        self._plot: pg.PlotWidget | None = None
        self._drawn: list[pg.PlotDataItem] = []
        self._straight: list[pg.InfiniteLine] = []
        self._legend = Legend(self.tr("{title}, legend").format(title=title))
        self.setMinimumHeight(LEAST_HEIGHT)
        self._room = QVBoxLayout(self)
        self._room.setContentsMargins(4, 4, 4, 0)
        self._room.setSpacing(2)
        self._room.addWidget(self._legend)

    def show_lines(
        self, lines: Sequence[Line], levels: Sequence[Level] = (), *, marks: Sequence[float] = (), says: str = ""
    ) -> None:
        """Draw these; `marks`: upright lines, at such x. `says`: the same in words, for those who cannot see it."""
        before = (self._lines, self._levels, self._marks)
        self._lines = tuple(line for line in lines if line.curve.x)
        self._levels = tuple(level for level in levels if math.isfinite(level.height) and level.height > 0)
        self._marks = tuple(marks)
        self.setAccessibleDescription(says)
        if before != (self._lines, self._levels, self._marks):
            self._changed()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what came while nobody saw it; in a turn of its own, for several are shown at once."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self._catch_up)

    def event(self, event: QEvent) -> bool:
        """Another palette, or another screen."""
        known = super().event(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.DevicePixelRatioChange) and self._plot is not None:
            self._dress(self._plot)
            self._changed()
        return known

    def _changed(self) -> None:
        self._late = True
        if self.isVisible() and self._plot is not None:
            self._draw(self._plot)

    def _catch_up(self) -> None:
        if self.isVisible():
            if self._plot is None:
                self._plot = self._make()
            if self._late:
                self._draw(self._plot)

    def _make(self) -> pg.PlotWidget:
        """The drawing, made when it is first seen: it takes the window's thread a while."""
        axes = {"bottom": (TimeAxis if self._time else CountAxis)("bottom"), "left": Axis("left")}
        plot = pg.PlotWidget(axisItems=axes)
        name(plot, self.tr("{title}, drawn").format(title=self._title))
        for side, text in self._labels.items():
            plot.setLabel(side, text)
        plot.setLogMode(y=self._log)
        plot.setMenuEnabled(False)
        plot.hideButtons()
        plot.setFrameShape(pg.PlotWidget.Shape.NoFrame)
        self._dress(plot)
        self._room.addWidget(plot, 1)
        complete(self)
        return plot

    def _dress(self, plot: pg.PlotWidget) -> None:
        plot.setBackground(theme.colour("base"))  # what it drew before is kept by pyqtgraph otherwise
        for side in self._labels:
            plot.getAxis(side).setPen(self._pen(theme.colour("line"), 1.0))
            plot.getAxis(side).setTickPen(self._pen(theme.colour("quiet"), 1.0))
            plot.getAxis(side).setTextPen(pg.mkPen(theme.colour("quiet")))
        plot.showGrid(x=False, y=True, alpha=GRID)

    def _draw(self, plot: pg.PlotWidget) -> None:
        self._late = False
        self._draw_lines(plot)
        for item in self._straight:
            plot.removeItem(item)
        levels = [
            (self._height(level.height), 0, self._pen(theme.colour(level.colour), 1.5, _style(level.style)))
            for level in self._levels
        ]
        pen = self._pen(theme.colour("trouble"), 1.0, Qt.PenStyle.DotLine)
        marks = [(mark, 90, pen) for mark in self._marks]
        self._straight = [pg.InfiniteLine(place, angle=angle, pen=pen) for place, angle, pen in [*levels, *marks]]
        for item in self._straight:
            plot.addItem(item)
        entries = [
            Entry(title=line.title, colour=theme.curve(line.place), style=_style(line.style), width=line.wide)
            for line in self._lines
        ]
        entries += [
            Entry(title=level.title, colour=theme.colour(level.colour), style=_style(level.style), width=1.5)
            for level in self._levels
        ]
        self._legend.show_entries(entries)
        self._fit(plot)

    def _draw_lines(self, plot: pg.PlotWidget) -> None:
        """Items are kept and given new data: making them anew costs several times the drawing."""
        while len(self._drawn) > len(self._lines):
            plot.removeItem(self._drawn.pop())
        while len(self._drawn) < len(self._lines):
            self._drawn.append(plot.plot(connect="finite"))
        for item, line in zip(self._drawn, self._lines, strict=True):
            marked = line.marked and len(line.curve.x) <= FEW
            colour = theme.curve(line.place)
            y = np.asarray(line.curve.y, np.float64)
            item.setData(
                np.asarray(line.curve.x, np.float64),
                np.where(y > 0, y, np.nan) if self._log else y,
                pen=self._pen(colour, line.wide, _style(line.style)),
                symbol="o" if marked else None,
                symbolSize=5,
                symbolBrush=colour,
                symbolPen=None,
                connect="finite",
            )

    def _pen(self, colour: QColor, wide: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
        """`wide`: in the pixels of the window; pyqtgraph's pens count those of the screen."""
        return QPen(pg.mkPen(colour, width=wide * self.devicePixelRatioF(), style=style))

    def _height(self, height: float) -> float:
        return math.log10(height) if self._log else height

    def _fit(self, plot: pg.PlotWidget) -> None:
        """All lines and levels in sight, but levels that yield; from zero where the axis is no logarithm."""
        curves = [value for line in self._lines for value in line.curve.y if math.isfinite(value)]
        heights = [*curves, *(level.height for level in self._levels if not level.yields)]
        heights = [value for value in heights if value > 0]
        most = FAR * max(heights, default=math.inf)
        heights += [level.height for level in self._levels if level.yields and level.height <= most]
        ends = [end for line in self._lines for end in (line.curve.x[0], line.curve.x[-1])]
        if not heights or not ends:
            return
        left, right = min(ends), max(ends)
        low, high = (self._height(min(heights)), self._height(max(heights))) if self._log else (0.0, max(heights))
        room = max((high - low) * 0.08, 0.02)
        more = (right - left) * 0.02 or 1.0
        across, up = (left - more, right + more), (low - room if self._log else 0.0, high + room)
        plot.setRange(xRange=across, yRange=up, padding=0)


def _style(place: int) -> Qt.PenStyle:
    return STYLES[place % len(STYLES)]

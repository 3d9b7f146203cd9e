"""The axes of a plot: numbers as the user's language writes them, whole epochs, times, powers of ten."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF

from fullfield_app.gui import numbers

MINUTE = 60.0
DIGITS = (1, 5, 2, 3, 7, 4, 6, 8, 9)  # of each power of ten, those first that are named before others
LEAST_TICKS = 3
APART = 1.1  # lines of text from one name to the next

Ticks = list[tuple[float | None, list[float]]]
"""Distances of ticks, and where they are; as pyqtgraph has them."""


class Axis(pg.AxisItem):  # type: ignore[misc]
    """Numbers as the user's language writes them."""

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self.enableAutoSIPrefix(False)

    def logTickValues(self, minVal: float, maxVal: float, size: float, stdTicks: Ticks) -> Ticks:
        """See pyqtgraph. The first ticks are named, as many as there is room for; those without a distance are not."""
        decades = range(math.floor(minVal), math.ceil(maxVal) + 1)
        places = [decade + math.log10(digit) for digit in DIGITS for decade in decades]
        places = [place for place in places if minVal <= place <= maxVal]
        if len(places) < LEAST_TICKS:
            low, high = 10.0**minVal, 10.0**maxVal
            for step, _ in self.tickSpacing(low, high, size)[:1]:
                counts = range(math.ceil(low / step), math.floor(high / step) + 1)
                places = [math.log10(step * count) for count in counts]
        room = APART * QFontMetricsF(self.font()).height() * (maxVal - minVal) / size
        whole = [place for place in places if minVal + room / 2 <= place <= maxVal - room / 2]  # others would be cut
        lowest = min(whole, default=minVal)  # beside it the newest loss is read
        named: list[float] = []
        for place in sorted(whole, key=lambda place: place not in (round(place), lowest)):
            if all(abs(place - other) >= room for other in named):
                named.append(place)
        return [(1.0, named), (None, [place for place in places if place not in named])]

    def tickStrings(self, values: list[float], scale: float, spacing: float | None) -> list[str]:
        """See pyqtgraph; `spacing`: None for ticks without a name."""
        if not spacing:
            return [""] * len(values)
        if self.logMode:
            return [numbers.short(10.0**value) for value in values]
        decimals = max(0, -math.floor(math.log10(spacing * scale) + 1e-9))
        return [numbers.plain(value * scale, decimals) for value in values]


class CountAxis(Axis):
    """Whole numbers alone: there is no half epoch."""

    def tickSpacing(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, float]]:
        """See pyqtgraph."""
        return [level for level in super().tickSpacing(minVal, maxVal, size) if level[0] >= 1] or [(1.0, 0.0)]


class TimeAxis(Axis):
    """Seconds as minutes and hours."""

    def tickStrings(self, values: list[float], scale: float, spacing: float | None) -> list[str]:
        """See pyqtgraph."""
        return [numbers.seconds(value) if value >= MINUTE else f"{numbers.short(value)} s" for value in values]

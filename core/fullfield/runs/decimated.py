"""A curve of a bounded number of points, however many values it is given."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

MOST = 1200  # points: more than a screen has columns for a plot


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Points of a line; x never falls."""

    x: tuple[float, ...] = ()
    y: tuple[float, ...] = ()


NO_CURVE = Curve()


class DecimatedCurve:
    """Values by rising x, of which so many neighbours are one point that at most `MOST` points are there.

    A point is the highest of its values, or with `mean` their mean; its x is that of the last of them.
    """

    def __init__(self, *, mean: bool = False, most: int = MOST) -> None:
        self._mean, self._most, self._per = mean, most, 1
        self._x: list[float] = []
        self._y: list[float] = []
        self._counts: list[int] = []

    def add(self, x: float, y: float) -> None:
        """One more value."""
        if self._counts and self._counts[-1] < self._per:
            self._y[-1] = self._joined(self._y[-1], self._counts[-1], y, 1)
            self._x[-1] = x
            self._counts[-1] += 1
            return
        if len(self._x) == self._most:
            self._halve()
            self.add(x, y)
            return
        self._x.append(x)
        self._y.append(y)
        self._counts.append(1)

    def drop_from(self, x: float) -> None:
        """Forget the points that reach `x`: what follows comes in their place."""
        stays = bisect_left(self._x, x)
        del self._x[stays:], self._y[stays:], self._counts[stays:]

    def curve(self) -> Curve:
        """The points so far."""
        return Curve(x=tuple(self._x), y=tuple(self._y))

    def _joined(self, one: float, count: int, other: float, others: int) -> float:
        return (one * count + other * others) / (count + others) if self._mean else max(one, other)

    def _halve(self) -> None:
        self._per *= 2
        places = range(0, len(self._x), 2)
        last = len(self._x) - 1
        self._y = [
            self._joined(self._y[at], self._counts[at], self._y[at + 1], self._counts[at + 1])
            if at < last
            else self._y[at]
            for at in places
        ]
        self._x = [self._x[min(at + 1, last)] for at in places]
        self._counts = [sum(self._counts[at : at + 2]) for at in places]


def coarser(curve: Curve, most: int) -> Curve:
    """The same line in at most `most` points, each the highest of its neighbours."""
    if len(curve.x) <= most:
        return curve
    thin = DecimatedCurve(most=most)
    for x, y in zip(curve.x, curve.y, strict=True):
        thin.add(x, y)
    return thin.curve()

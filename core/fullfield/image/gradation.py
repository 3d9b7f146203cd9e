"""The last curve: the reconstructed picture brought to the output's values by a sigmoid with soft ends.

A logistic curve through black and white whose centre is chosen so that the anatomy's median lies where it is wanted.
What lies beyond black and white (overshoot beside metal, a marker) is drawn into hyperbolic ends, not clipped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image.pyramid import Plane

DARK_END = 0.012
"""Of the output, below black: not told from black on a display."""
BRIGHT_END = 0.03
"""Of the output, around and above white."""

_PLACES = 1 << 16  # of the curve's table
_FLAT = 7e-5  # of the output: it ends where the curve's own ends are that near
_GENTLEST = 1.0  # the slope of a curve that is nearly straight
_STEEPER, _MET = 0.02, 1e-3  # by how much it rises, and how near a point is met
_FIFTH = 0.2  # of the range from black to white
_FAR = 700.0  # of an exponential that a float can still hold; its logistic is 0
_CENTRES = (-1.0, 2.0)  # of the logistic curve; farther out it is an exponential and would burn one end


@dataclass(frozen=True, kw_only=True)
class Gradation:
    """`offset + scale / (1 + exp(−slope·(y − centre)))`, 0 at black and 1 at white, then the soft ends.

    `slope` and `scale` are negative where the centre lies below black: `offset` is then the upper end.
    """

    slope: float
    centre: float
    scale: float
    offset: float

    def apply(self, plane: Plane) -> Plane:
        """The output fraction of each value, 0 … 1, in place; what lies beyond black and white goes to soft ends."""
        np.subtract(np.float32(self.centre), plane, out=plane)
        np.multiply(plane, np.float32(self.slope), out=plane)
        shown: Plane = cv2.exp(plane, dst=plane)  # infinite, or 0, far beyond: that gives 0, or 1
        np.add(shown, np.float32(1), out=shown)
        np.divide(np.float32((1 - DARK_END) * self.scale), shown, out=shown)
        np.add(shown, np.float32(DARK_END + (1 - DARK_END) * self.offset), out=shown)
        if float(shown.min()) < DARK_END:
            _soften_below(shown, DARK_END)
        if float(shown.max()) > 1 - BRIGHT_END:
            _soften_above(shown, 1 - BRIGHT_END, BRIGHT_END)
        return shown

    def at(self, value: float) -> float:
        """The output fraction of a value before the soft ends."""
        return self.offset + self.scale / (1 + math.exp(self.slope * (self.centre - value)))

    @property
    def span(self) -> tuple[float, float]:
        """From where to where the values lie that the output tells apart."""
        lowest, highest = sorted((self.offset, self.offset + self.scale))
        below = _depth(-lowest * (1 - DARK_END), DARK_END) / (1 - DARK_END)
        above = (_depth((highest - 1) * (1 - DARK_END) + BRIGHT_END, BRIGHT_END) - BRIGHT_END) / (1 - DARK_END)
        return self._place(-below), self._place(1 + above)

    def _place(self, shown: float) -> float:
        """Where the curve is `shown`."""
        part = (shown - self.offset) / self.scale
        return self.centre + math.log(part / (1 - part)) / self.slope

    @property
    def places_each(self) -> float:
        """How many places (see `Output`) a value more is."""
        first, last = self.span
        return (_PLACES - 1) / (last - first)

    def places(self, plane: Plane) -> Plane:
        """Where each value lies among the places, in place."""
        np.subtract(plane, np.float32(self.span[0]), out=plane)
        return np.multiply(plane, np.float32(self.places_each), out=plane)


class Output:
    """The curve as a table over `_PLACES` places, and what else is between a picture and its output of 0 … `top`.

    At the nearest place the curve is less than half of 1/4,095 of the output from where it is at a value. `negative`:
    it is turned. `source`: what stored values are shown as in the source, 0 … 1, of which the output has 1 − `left`.
    """

    def __init__(self, curve: Gradation, top: int, *, negative: bool, source: Plane | None, left: float) -> None:
        shown = curve.apply(np.linspace(*curve.span, _PLACES, dtype=np.float32)[None, :])[0]
        self._left, self._source = left, None
        table = _within(1 - shown if negative else shown, top)
        self._table: Plane | NDArray[np.uint16] = np.floor(table + np.float32(0.5)).astype(np.uint16)
        if source is not None:
            self._table = table
            self._source = np.pad(_within(source, top), (0, max(_PLACES - source.size, 0)), mode="edge")

    def write(self, places: Plane, pixels: NDArray[np.uint16], out: NDArray[np.uint16]) -> None:
        """Values of a picture, as places, whose stored ones are `pixels`, as integers in 1 … top − 1: the two ends stay
        free, so that clipping can be told. `places` are overwritten."""
        cv2.threshold(places, _PLACES - 1, 0, cv2.THRESH_TRUNC, dst=places)  # beyond 2³¹ OpenCV makes 0 of them
        nearest = cv2.addWeighted(places, 1, places, 0, 0, dtype=cv2.CV_16U)
        if self._source is None:
            cv2.LUT(nearest, self._table, dst=out)
        else:
            shown, source = cv2.LUT(nearest, self._table), cv2.LUT(pixels, self._source)
            cv2.addWeighted(shown, self._left, source, 1 - self._left, 0, dst=out, dtype=cv2.CV_16U)


def _within(fractions: Plane, top: int) -> Plane:
    return np.asarray(np.clip(fractions * np.float32(top), np.float32(1), np.float32(top - 1)))


def fit(
    *,
    black: float,
    white: float,
    points: Sequence[tuple[float, float]],
    slope: float,
    least: tuple[float, float] | None = None,
    dark: float = 0.0,
    most: tuple[float, float] = (0.0, 1.0),
    steepest: float = 0.0,
) -> Gradation:
    """The curve that brings each point's value to its output fraction, or below: the darkest that any of them asks for.

    A point that no curve of this family reaches is met as nearly as its bounds allow. `black` < `white`. `least`: a
    value and how dark it may come out: for it the curve is less steep in the middle, at last nearly a straight line.
    `dark`: what the darkest fifth of the range is shown with, beside what a straight line gives it: for that the curve
    is less steep, too, as long as a value does not come out brighter than it may (`most`). `steepest`: the slope up to
    which the curve is made steeper where a point is met by none that is as steep as asked.
    """
    width = white - black
    places = [((value - black) / width, fraction) for value, fraction in points]

    def centred(slope: float) -> float:
        return max(_centre(place, fraction, slope) for place, fraction in places)

    def shown(place: float, slope: float) -> float:
        return _through(place, slope, centred(slope))

    if least and slope > _GENTLEST:
        place = (least[0] - black) / width
        slope = _first(slope, _GENTLEST, lambda gentler: shown(place, gentler) >= least[1])
    if dark and slope > _GENTLEST:
        place = (most[0] - black) / width
        gentle = _first(slope, _GENTLEST, lambda gentler: shown(_FIFTH, gentler) >= dark * _FIFTH)
        slope = _first(gentle, slope, lambda steeper: shown(place, steeper) <= most[1] + _MET)
    centre = centred(slope)
    while slope < steepest and any(_through(place, slope, centre) > fraction + _MET for place, fraction in places):
        slope = min(slope + _STEEPER, steepest)
        centre = centred(slope)
    at_black, at_white = _logistic(-slope * centre), _logistic(slope * (1 - centre))
    scale = 1 / (at_white - at_black)
    if centre < 0:  # from above: `at_black` and `at_white` are nearly 1, and 32 bits would not tell them apart
        slope, scale, at_black = -slope, -scale, _logistic(slope * centre)
    return Gradation(slope=slope / width, centre=black + centre * width, scale=scale, offset=-at_black * scale)


def _first(start: float, last: float, is_met: Callable[[float], bool]) -> float:
    """The first slope from `start` towards `last` from which on something is met; `last` where it never is. No steps:
    a little more of the image changes the curve a little."""
    if is_met(start):
        return start
    missed, met = start, last
    for _ in range(20):
        between = (missed + met) / 2
        if is_met(between):
            met = between
        else:
            missed = between
    return met


def _centre(place: float, wanted: float, slope: float) -> float:
    """The centre with which `place` (0 black, 1 white) comes out as `wanted`, by bisection."""
    place = float(np.clip(place, 0.02, 0.98))
    low, high = _CENTRES
    for _ in range(40):  # the output at `place` falls as the centre rises
        centre = (low + high) / 2
        if _through(place, slope, centre) > wanted:
            low = centre
        else:
            high = centre
    return (low + high) / 2


def _soften_below(plane: Plane, end: float) -> None:
    """Everything below `end` to a hyperbola that ends at 0; the slope has no break."""
    _, below = cv2.threshold(plane, end, 0, cv2.THRESH_TRUNC)  # np.minimum takes four times as long
    np.subtract(plane, below, out=plane)
    np.subtract(np.float32(2 * end), below, out=below)
    np.divide(np.float32(end * end), below, out=below)
    np.add(plane, below, out=plane)


def _soften_above(plane: Plane, start: float, end: float) -> None:
    """Everything above `start` to a hyperbola that ends at `start + end`; the slope has no break."""
    _, within = cv2.threshold(plane, start, 0, cv2.THRESH_TRUNC)
    np.subtract(plane, within, out=plane)
    np.add(plane, np.float32(end), out=plane)
    np.divide(np.float32(-end * end), plane, out=plane)
    np.add(plane, np.float32(end), out=plane)
    np.add(plane, within, out=plane)


def _depth(most: float, end: float) -> float:
    """How far the curve, which ends `most` beyond where a soft end of `end` starts, runs into it until the output is
    within `_FLAT` of its last."""
    return end**2 / (end**2 / (end + most) + _FLAT) - end


def _through(place: float, slope: float, centre: float) -> float:
    low, high = _logistic(-slope * centre), _logistic(slope * (1 - centre))
    return (_logistic(slope * (place - centre)) - low) / (high - low)


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(min(-value, _FAR)))


__all__ = ["BRIGHT_END", "DARK_END", "Gradation", "Output", "fit"]

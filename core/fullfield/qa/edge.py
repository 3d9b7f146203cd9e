"""The straight edge of a test plate: where it lies in a picture, to a fraction of a pixel.

IEC 62220-1-1 wants it tilted by 1.5 to 3 degrees against the rows or columns, so that the pixels along it sample it at
every phase. Below everything is turned so that the edge runs nearly from above to below: (rows, columns) of such a
plane are along the edge and across it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.errors import InputRefused

Plane = NDArray[np.float64]

ANGLES = (1.5, 3.0)
"""Degrees against the axis, as the standard has them."""

_SLACK = 0.1  # degrees, for the fit's own error
_LONGER = 1024  # pixels of the picture in which the edge is looked for
_NOISE = 5.0  # times the median gradient: no edge of noise alone
_NEAR = 12  # pixels across, in which an edge is fitted
_BLOCK = 16  # rows that are taken together for one point of it
_REACH_MM = 25.0  # across, at most
_LEAST_REACH = 16  # pixels
_PERIODS = 3  # pixels that the edge crosses at least
_FLAT = 0.25  # of the step: what changes more beside the edge is something else
_STRAY = 0.01  # of a line beside the edge: pixels that have the value of padding by chance
_SATURATED = 0.5  # of one side of the edge
_NOISELESS = 0.4  # of one side, at its most frequent value: the noise there is less than a grey level


@dataclass(frozen=True, kw_only=True)
class Edge:
    """`x = offset + slope · y` in pixels, for rows `first` … `last` − 1; `turned`: of the transposed plane, so that the
    edge runs from left to right. `reach`: pixels on either side that belong to it. `spacing`: mm, along and across.
    """

    offset: float
    slope: float
    first: int
    last: int
    reach: int
    turned: bool
    spacing: tuple[float, float]

    @property
    def direction(self) -> str:
        """In which frequencies are measured: across the edge."""
        return "vertical" if self.turned else "horizontal"

    @property
    def angle(self) -> float:
        """Degrees against the axis, without its sign."""
        return math.degrees(math.atan(abs(self.slope) * self.spacing[1] / self.spacing[0]))

    def of(self, plane: Plane) -> Plane:
        """The plane, turned as the edge is."""
        return np.ascontiguousarray(plane.T) if self.turned else plane


def refused(detail: str, hint: str) -> InputRefused:
    """An edge that cannot be measured, and why."""
    return InputRefused("Cannot measure the MTF.", detail=detail, hint=hint)


def _too_near() -> InputRefused:
    return refused("The edge is too near to the picture's border.", "Put the plate into the middle.")


def find(
    plane: Plane,
    spacing_mm: tuple[float, float],
    ends: tuple[float, float] = (-math.inf, math.inf),
    *,
    padding: NDArray[np.bool_] | None = None,
) -> Edge:
    """The edge of a picture. `spacing_mm`: of rows and of columns; `ends`: of the values that can be stored; `padding`:
    what is no image.

    Raises InputRefused: there is none, it is tilted too much or too little, too short, saturated, or beside something.
    """
    segment, turned = _longest(plane)
    upright = np.ascontiguousarray(plane.T) if turned else plane
    spacing = (spacing_mm[1], spacing_mm[0]) if turned else spacing_mm
    (x0, y0), (x1, y1) = sorted(segment, key=lambda point: point[1])
    length = y1 - y0
    first, last = math.ceil(y0 + 0.1 * length), math.floor(y1 - 0.1 * length)
    slope = (x1 - x0) / length
    offset = x0 - slope * y0
    for _ in range(3):
        offset, slope = _fitted(upright, offset, slope, first, last)
    first, last = _whole(upright, offset, slope, first, last)
    offset, slope = _fitted(upright, offset, slope, first, last)
    edge = Edge(offset=offset, slope=slope, first=first, last=last, reach=_NEAR, turned=turned, spacing=spacing)
    _refuse_angle(edge)
    if abs(slope) * (last - first) < _PERIODS:
        raise refused(
            f"The edge is too short: {last - first} pixels, tilted by {edge.angle:.1f}°.",
            f"It has to cross at least {_PERIODS} rows or columns; use a longer plate.",
        )
    room = _room(upright.shape[1], edge, None if padding is None else edge.of(np.asarray(padding, np.float64)))
    _refuse_saturated(upright, edge, ends)
    reach = _reach(upright, edge, room)
    return Edge(offset=offset, slope=slope, first=first, last=last, reach=reach, turned=turned, spacing=spacing)


def straightened(plane: Plane, edge: Edge, reach: int | None = None) -> tuple[Plane, Plane]:
    """Values on either side, (rows, 2·reach + 1), and how far each lies from the edge, in pixels across it; of a plane
    that is turned as the edge is."""
    reach = edge.reach if reach is None else reach
    rows = np.arange(edge.first, edge.last)
    at = edge.offset + edge.slope * rows
    columns = np.rint(at).astype(np.intp)[:, None] + np.arange(-reach, reach + 1)
    values = plane[rows[:, None], np.clip(columns, 0, plane.shape[1] - 1)]
    away = (columns - at[:, None]) * math.cos(math.radians(edge.angle))
    return np.asarray(values, np.float64), away


def _longest(plane: Plane) -> tuple[tuple[tuple[float, float], tuple[float, float]], bool]:
    """The two ends of the straight line that is most likely the plate's, (x, y), and whether it runs from left to
    right; its ends are those of the transposed plane then."""
    step = max(1, -(-max(plane.shape) // _LONGER))
    size = (plane.shape[1] // step, plane.shape[0] // step)
    small = cv2.resize(plane[: size[1] * step, : size[0] * step], size, interpolation=cv2.INTER_AREA)
    low, high = np.percentile(small, [0.5, 99.5])
    if not high > low:
        raise refused("No edge was found: the picture is one grey.", "Choose an image of an edge plate.")
    grey = np.clip((small - low) / (high - low), 0, 1).astype(np.float32)
    grey = cv2.GaussianBlur(grey, (0, 0), 1.5)
    across, down = (cv2.Sobel(grey, cv2.CV_32F, dx, 1 - dx) * np.float32(4096) for dx in (1, 0))
    limit = _NOISE * float(np.median(np.hypot(across, down))) + 16
    drawn = cv2.Canny(across.astype(np.int16), down.astype(np.int16), 0.6 * limit, limit, L2gradient=True)
    shorter = min(grey.shape)
    lines = cv2.HoughLinesP(drawn, 1, math.pi / 1440, 24, minLineLength=max(24, shorter // 12), maxLineGap=10)
    if lines is None:
        raise refused(
            "No edge was found: nothing in the picture is straight and stands out from its noise.",
            "Choose an image of an edge plate; more dose, or a denser plate, makes it clearer.",
        )
    found = [(_tilt(*line), line) for line in lines.reshape(-1, 4).astype(float)]
    near = [one for one in found if ANGLES[0] - 0.5 <= one[0] <= ANGLES[1] + 1]
    tilted = near or [one for one in found if 0.5 < one[0] < 30] or found
    _, (xa, ya, xb, yb) = max(tilted, key=lambda one: _weight(one[1], grey.shape))
    ends = [((x + 0.5) * step - 0.5, (y + 0.5) * step - 0.5) for x, y in ((xa, ya), (xb, yb))]
    if abs(xb - xa) > abs(yb - ya):
        return ((ends[0][1], ends[0][0]), (ends[1][1], ends[1][0])), True
    return (ends[0], ends[1]), False


def _tilt(xa: float, ya: float, xb: float, yb: float) -> float:
    """Degrees against the nearer axis."""
    across, down = abs(xb - xa), abs(yb - ya)
    return math.degrees(math.atan2(min(across, down), max(across, down)))


def _weight(line: NDArray[np.float64], shape: tuple[int, ...]) -> float:
    """A long line near the middle is the plate's; the field's borders lie at the picture's."""
    xa, ya, xb, yb = line
    aside = math.hypot((xa + xb) / shape[1] - 1, (ya + yb) / shape[0] - 1)
    return math.hypot(xb - xa, yb - ya) * (1 - 0.5 * min(aside, 1.4))


def _fitted(plane: Plane, offset: float, slope: float, first: int, last: int) -> tuple[float, float]:
    """A straight line through where blocks of rows have half of the step, by least squares without outliers."""
    places, rows = [], []
    for top in range(first, last - _BLOCK + 1, _BLOCK):
        block = np.arange(top, top + _BLOCK)
        at = offset + slope * block
        columns = np.rint(at).astype(np.intp)[:, None] + np.arange(-_NEAR, _NEAR + 1)
        if columns.min() < 0 or columns.max() >= plane.shape[1]:
            continue
        profile = plane[block[:, None], columns].mean(axis=0)
        left, right = profile[: _NEAR // 2].mean(), profile[-(_NEAR // 2) :].mean()
        if left == right:
            continue
        share = (profile - left).sum() / (right - left)  # pixels that lie beyond the edge
        middle = _NEAR + 0.5 - share
        if abs(middle) < _NEAR:
            places.append(float(np.mean(np.rint(at))) + middle)
            rows.append(float(block.mean()))
    if len(rows) < 3:
        raise refused("The edge is too short, or too near to the picture's border.", "Put the plate into the middle.")
    x, y = np.array(places), np.array(rows)
    kept = np.ones(x.size, bool)
    for _ in range(3):
        line = np.polyfit(y[kept], x[kept], 1)
        away = np.abs(x - np.polyval(line, y))
        kept = away <= max(3 * 1.4826 * float(np.median(away)), 0.05)
    return float(line[1]), float(line[0])


def _whole(plane: Plane, offset: float, slope: float, first: int, last: int) -> tuple[int, int]:
    """The rows of the whole edge, of which some are known: it goes on while blocks of rows have half of its step."""

    def step(top: int) -> float:
        rows = np.arange(top, top + _BLOCK)
        columns = np.rint(offset + slope * rows).astype(np.intp)[:, None] + np.arange(-_NEAR, _NEAR + 1)
        if rows[0] < 0 or rows[-1] >= plane.shape[0] or columns.min() < 0 or columns.max() >= plane.shape[1]:
            return 0.0
        profile = plane[rows[:, None], columns].mean(axis=0)
        return float(profile[-(_NEAR // 2) :].mean() - profile[: _NEAR // 2].mean())

    usual = float(np.median([step(top) for top in range(first, last - _BLOCK + 1, _BLOCK)]))
    if usual == 0:
        raise _too_near()
    top, bottom = first, last
    while step(top - _BLOCK) / usual > 0.5:
        top -= _BLOCK
    while step(bottom) / usual > 0.5:
        bottom += _BLOCK
    return (top + _BLOCK if top < first else first), (bottom - _BLOCK if bottom > last else last)


def _refuse_angle(edge: Edge) -> None:
    least, most = ANGLES
    if not least - _SLACK <= edge.angle <= most + _SLACK:
        how = "too steep" if edge.angle > most else "too straight"
        raise refused(
            f"The edge is {how}: it is tilted by {edge.angle:.1f}° against the pixels.",
            f"Turn the plate until it is tilted by {least} to {most:g}° (IEC 62220-1-1).",
        )


def _refuse_saturated(plane: Plane, edge: Edge, ends: tuple[float, float]) -> None:
    """A side is saturated where most of its pixels have an extreme value that is the last one that can be stored, or
    that a detector went no further than: the other side has noise then, and is of few grey levels where it has none."""
    values, away = straightened(plane, edge)
    sides = (values[away < -2], values[away > 2])
    for side, other in (sides, sides[::-1]):
        for end in (float(plane.min()), float(plane.max())):
            if float(np.mean(side == end)) > _SATURATED and (end in ends or not _is_noiseless(other)):
                raise refused(
                    "One side of the edge is saturated: most of its pixels have the same, extreme value.",
                    "Take the image with less dose or a thinner plate, or the raw image in place of the processed one.",
                )


def _is_noiseless(side: Plane) -> bool:
    return int(np.unique(side, return_counts=True)[1].max()) > _NOISELESS * side.size


def _room(width: int, edge: Edge, padding: Plane | None) -> int:
    """Pixels on either side, at most, up to where the picture or its image ends."""
    rows = np.array([edge.first, edge.last - 1])
    at = edge.offset + edge.slope * rows
    most = min(int(min(at.min(), width - 1 - at.max())) - 1, round(_REACH_MM / edge.spacing[1]))
    if most < _LEAST_REACH:
        raise _too_near()
    if padding is not None:
        padded = np.flatnonzero(straightened(padding, edge, most)[0].mean(axis=0) > _STRAY)
        most = min(most, int(np.abs(padded - most).min(initial=most + 1)) - 1)
        if most < _LEAST_REACH:
            raise refused(
                "What the file declares as padding, which is no image, lies on the edge or too near to it.",
                "Open the collimation wider, or leave the shutter of the detector's software out.",
            )
    return most


def _reach(plane: Plane, edge: Edge, most: int) -> int:
    """Pixels on either side, at `most`, up to where something else begins."""
    values, _ = straightened(plane, edge, most)
    profile = cv2.GaussianBlur(values.mean(axis=0)[None, :], (0, 0), 2)[0]
    sides = (profile[most::-1], profile[most:])
    levels = [float(side[_NEAR // 2 : 2 * _NEAR].mean()) for side in sides]
    for side, level in zip(sides, levels, strict=True):
        other = np.flatnonzero(np.abs(side[_NEAR:] - level) > _FLAT * abs(levels[1] - levels[0]))
        if other.size:
            most = min(most, _NEAR + int(other[0]) - 6)
    return max(most, _LEAST_REACH)


__all__ = ["ANGLES", "Edge", "Plane", "find", "refused", "straightened"]

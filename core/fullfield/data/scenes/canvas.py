"""The grid of a scene: the solids of `image.phantoms.shapes` at a detector's native size, each in its own frame alone.

A tube's distances are smooth, so that those of a wide one are found on a coarser grid and enlarged; its walls are drawn
at full resolution from them.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image.phantoms import shapes
from fullfield.image.phantoms.shapes import Plane, Point

_FINE = 5.0  # coarse pixels that a tube's radius has at least


class NativeCanvas(shapes.Canvas):
    """A `Canvas` whose cost goes by what a solid covers, not by the whole picture."""

    def ellipsoid(self, centre: Point, radii: tuple[float, float, float], *, degrees: float = 0.0) -> Plane:
        """See `Canvas`."""
        angle = np.deg2rad(degrees)
        cosine, sine = np.cos(angle), np.sin(angle)
        result = np.zeros(self.shape, np.float32)
        half = (
            float(np.hypot(radii[0] * cosine, radii[1] * sine)),
            float(np.hypot(radii[0] * sine, radii[1] * cosine)),
        )
        place = self._frame(centre, half)
        dx, dy = self.x[:, place[1]] - np.float32(centre[0]), self.y[place[0]] - np.float32(centre[1])
        u = dx * np.float32(cosine / radii[0]) + dy * np.float32(sine / radii[0])
        v = dy * np.float32(cosine / radii[1]) - dx * np.float32(sine / radii[1])
        result[place] = np.float32(2 * radii[2]) * np.sqrt(np.maximum(1 - u * u - v * v, 0))
        return result

    def slab(self, centre: Point, sides: Point, depth: float, *, edge: float, degrees: float = 0.0) -> Plane:
        """See `Canvas`."""
        angle = np.deg2rad(degrees)
        cosine, sine = np.cos(angle), np.sin(angle)
        across, along = sides[0] / 2 + edge, sides[1] / 2 + edge
        half = (abs(across * cosine) + abs(along * sine), abs(across * sine) + abs(along * cosine))
        result = np.zeros(self.shape, np.float32)
        place = self._frame(centre, (float(half[0]), float(half[1])))
        dx, dy = self.x[:, place[1]] - np.float32(centre[0]), self.y[place[0]] - np.float32(centre[1])
        u = np.abs(dx * np.float32(cosine) + dy * np.float32(sine))
        v = np.abs(dy * np.float32(cosine) - dx * np.float32(sine))
        inside = np.minimum(np.float32(sides[0] / 2) - u, np.float32(sides[1] / 2) - v)
        result[place] = np.float32(depth) * np.clip(inside / np.float32(edge) + np.float32(0.5), 0, 1)
        return result

    def tube(self, points: Sequence[Point], radii: Sequence[float], *, shell: Sequence[float] | None = None) -> Plane:
        """See `Canvas`."""
        result = np.zeros(self.shape, np.float32)
        self.add_tube(result, points, radii, shell=shell)
        return result

    def add_tube(
        self, onto: Plane, points: Sequence[Point], radii: Sequence[float], *, shell: Sequence[float] | None = None
    ) -> None:
        """Put a tube over what is there: the longer path counts, so that branches join without a seam."""
        line = shapes.dense(np.array(points, np.float64), np.array(radii, np.float64), self.pixel)
        walls = np.interp(line[:, 3], np.linspace(0, 1, len(shell)), shell) if shell is not None else None
        columns, rows = (line[:, axis] / self.pixel + (self.shape[1 - axis] - 1) / 2 for axis in (0, 1))
        widest = float(line[:, 2].max()) / self.pixel
        step = max(1, int(widest / _FINE))
        reach = int(widest) + 2 * step + 2
        top, bottom = max(int(rows.min()) - reach, -2 * reach), min(int(rows.max()) + reach, self.shape[0] + 2 * reach)
        left = max(int(columns.min()) - reach, -2 * reach)
        right = min(int(columns.max()) + reach, self.shape[1] + 2 * reach)
        height, width = -(-(bottom - top) // step), -(-(right - left) // step)
        if height < 2 or width < 2:
            return
        r, c = (rows - top) / step, (columns - left) / step
        known = (r >= 0) & (c >= 0) & (r < height) & (c < width)
        if not known.any():
            return
        at = _nearest(r.astype(int), c.astype(int), known, (height, width))
        tangent = np.gradient(np.stack([columns, rows]), axis=1)
        tangent /= np.maximum(np.hypot(*tangent), 1e-9)
        dx = left + (np.arange(width) + 0.5) * step - 0.5 - columns[at]
        dy = top + (np.arange(height)[:, None] + 0.5) * step - 0.5 - rows[at]
        beside = dx * tangent[1][at] - dy * tangent[0][at]
        along = dx * tangent[0][at] + dy * tangent[1][at]
        length = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(rows), np.diff(columns)))])
        place = length[at] + along
        beyond = np.maximum(-place, 0) + np.maximum(place - length[-1], 0)
        coarse = [beside, beyond, line[:, 2][at]] + ([walls[at]] if walls is not None else [])
        whole = (width * step, height * step)
        inside = (slice(max(-top, 0), self.shape[0] - top), slice(max(-left, 0), self.shape[1] - left))
        planes = [_enlarged(plane, whole, step)[inside] for plane in coarse]
        square = (planes[0] ** 2 + planes[1] ** 2) * np.float32(self.pixel**2)
        path = 2 * np.sqrt(np.maximum(planes[2] ** 2 - square, 0))
        if walls is not None:
            path -= 2 * np.sqrt(np.maximum(np.maximum(planes[2] - planes[3], 0) ** 2 - square, 0))
        first, other = max(top, 0), max(left, 0)
        covered = onto[first : first + path.shape[0], other : other + path.shape[1]]
        np.maximum(covered, path[: covered.shape[0], : covered.shape[1]], out=covered)

    def _frame(self, centre: Point, half: Point) -> tuple[slice, slice]:
        """The rows and columns that a solid of these half sides may cover."""
        bounds = []
        for axis in (1, 0):
            middle = centre[axis] / self.pixel + (self.shape[1 - axis] - 1) / 2
            reach = half[axis] / self.pixel + 1
            side = self.shape[1 - axis]
            bounds.append(slice(min(max(int(middle - reach), 0), side), min(max(int(middle + reach) + 2, 0), side)))
        return bounds[0], bounds[1]


def _nearest(
    rows: NDArray[np.int_], columns: NDArray[np.int_], known: NDArray[np.bool_], shape: tuple[int, int]
) -> NDArray[np.int64]:
    """The index of the line's point that lies nearest to each cell."""
    far = np.full(shape, 255, np.uint8)
    index = np.zeros(shape, np.int64)
    far[rows[known], columns[known]] = 0
    index[rows[known], columns[known]] = np.flatnonzero(known)
    _, labels = cv2.distanceTransformWithLabels(far, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    nearest = np.zeros(int(labels.max()) + 1, np.int64)
    nearest[labels[far == 0]] = index[far == 0]
    found: NDArray[np.int64] = nearest[labels]
    return found


def _enlarged(plane: NDArray[np.float64], size: tuple[int, int], step: int) -> Plane:
    small = plane.astype(np.float32)
    return small if step == 1 else np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_LINEAR), np.float32)


__all__ = ["NativeCanvas"]

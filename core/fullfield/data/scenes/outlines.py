"""Solids of any outline: flat bones, vertebrae and organs, which no ellipsoid and no tube resembles."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image.phantoms.body import Body
from fullfield.image.phantoms.shapes import Canvas, Plane, Point

_SMOOTH = 1.2  # pixels, SD: steps of the distance to an outline of pixels
_BETWEEN = 12  # points of the curve for each one that is given


def inside(canvas: Canvas, points: Sequence[Point]) -> tuple[tuple[slice, slice], Plane]:
    """How far each pixel lies inside the smooth closed curve through `points`, in centimetres (0 outside), and of which
    part of the picture that is."""
    curve = _closed(np.array(points, np.float64)) / canvas.pixel
    curve += np.array([(side - 1) / 2 for side in canvas.shape[::-1]])
    low = np.maximum(np.floor(curve.min(axis=0)).astype(int) - 3, -60)
    high = np.minimum(np.ceil(curve.max(axis=0)).astype(int) + 4, np.array(canvas.shape[::-1]) + 60)
    width, height = np.maximum(high - low, 1)
    filled = np.zeros((int(height), int(width)), np.uint8)
    cv2.fillPoly(filled, [np.rint((curve - low) * 16).astype(np.int32)], 1, shift=4)
    far: Plane = cv2.GaussianBlur(cv2.distanceTransform(filled, cv2.DIST_L2, 5), (0, 0), _SMOOTH)
    far = np.maximum(far - np.float32(0.4 * _SMOOTH), 0) * np.float32(canvas.pixel)
    top, left = max(int(low[1]), 0), max(int(low[0]), 0)
    bottom, right = min(int(low[1] + height), canvas.shape[0]), min(int(low[0] + width), canvas.shape[1])
    if bottom <= top or right <= left:
        return (slice(0, 0), slice(0, 0)), far[:0, :0]
    part = far[top - int(low[1]) : bottom - int(low[1]), left - int(low[0]) : right - int(low[0])]
    return (slice(top, bottom), slice(left, right)), part


def organ(canvas: Canvas, points: Sequence[Point], rounding: float) -> Plane:
    """Path through a body of this outline whose rim is round over `rounding` centimetres, and twice that thick."""
    result = np.zeros(canvas.shape, np.float32)
    place, far = inside(canvas, points)
    result[place] = _thickness(far, rounding)
    return result


def bone(
    body: Body, points: Sequence[Point], rounding: float, *, wall: float, lattice: Plane, sponge: float = 0.2
) -> None:
    """Put a bone of this outline into `body`: a shell of `wall` centimetres, filled with `sponge` of compact bone."""
    place, far = inside(body.canvas, points)
    whole, inner = _thickness(far, rounding), _thickness(np.maximum(far - np.float32(wall), 0), rounding - wall)
    body.bone[place] += (whole - inner) + inner * np.float32(sponge) * lattice[place]


def cut(body: Body, points: Sequence[Point], share: float, *, edge: float = 0.1) -> None:
    """Take `share` of the bone within this outline away: a foramen, a socket."""
    place, far = inside(body.canvas, points)
    body.bone[place] *= 1 - np.float32(share) * np.minimum(far / np.float32(edge), 1)


def _thickness(far: Plane, rounding: float) -> Plane:
    depth = np.minimum(far, np.float32(rounding))
    result: Plane = 2 * np.sqrt(np.maximum(depth * (2 * np.float32(rounding) - depth), 0))
    return result


def _closed(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """A Catmull-Rom curve through `points` and back to the first."""
    p0, p1, p2, p3 = (np.roll(points, shift, axis=0)[:, None] for shift in (1, 0, -1, -2))
    t = np.linspace(0, 1, _BETWEEN, endpoint=False)[None, :, None]
    curve = 0.5 * (2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t**2 + (3 * p1 - p0 - 3 * p2 + p3) * t**3)
    result: NDArray[np.float64] = curve.reshape(-1, 2)
    return result


__all__ = ["bone", "cut", "inside", "organ"]

"""Direct exposure that is even: the darkest mode of the field, where it reaches the field's edge. It needs no step."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image import order, surface

_LEAST_AREA = 0.004  # of the thumbnail: smaller regions tell nothing
_EVEN = 0.02  # of the range: the most that direct exposure varies within three thumbnail pixels
_DARKEST = 0.25  # of the range: above it nothing is direct exposure
_ABOVE = 0.03  # of the range: how far direct exposure lies above its mode
_RISE = 0.004  # of the range: what lies so far above it and its noise is the skin
_SPREAD = 0.05  # of the range: 10th to 90th percentile of direct exposure; soft tissue is a slope
_REST = 0.0325  # of the range: the same of what its surface leaves: more is direct exposure and thin tissue, two levels
_RIM = 3  # pixels: blades blur

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]


def find(scaled: Plane, field: Mask) -> Mask:
    """A mask within `field`; empty where its darkest mode is no direct exposure.

    `scaled`: the thumbnail, its range about 0 … 1, bone bright.
    """
    found = np.zeros(scaled.shape, bool)
    low, high = order.percentiles(scaled[field], (0.5, 99.5))
    span = high - low
    kernel = np.ones((3, 3), np.uint8)
    even = (cv2.dilate(scaled, kernel) - cv2.erode(scaled, kernel) <= _EVEN * span) & field
    dark = scaled[even & (scaled <= low + _DARKEST * span)]
    if dark.size < _LEAST_AREA * scaled.size or span <= 0:
        return found
    counts, edges = np.histogram(dark, bins=np.linspace(low - 0.02, low + _DARKEST * span, 40))
    mode = float(edges[int(np.argmax(counts)) + 1])
    for member in _reaching((scaled <= mode + _ABOVE * span) & field, field):
        if _spread(scaled[member]) <= _SPREAD * span and even[member].mean() >= 0.6:
            above = _above(scaled, member)
            if _spread(above[member]) <= _REST * span:
                found |= member & (above <= _RISE * span)
    return found


def _spread(values: Plane) -> float:
    return float(np.subtract(*np.percentile(values, [90, 10])))


def _above(scaled: Plane, member: Mask) -> Plane:
    """How far each pixel lies above the surface of `member`; noise does not count."""
    rest = scaled - surface.values(surface.fit(scaled, member), scaled.shape)
    deviation = 1.48 * float(np.median(np.abs(rest[member])))
    above: Plane = rest - np.float32(3 * deviation)
    return above


def _reaching(candidates: Mask, field: Mask) -> Iterator[Mask]:
    """The large connected parts of `candidates` that lie along the field's edge."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(candidates.astype(np.uint8), connectivity=4)
    kernel = np.ones((2 * _RIM + 1, 2 * _RIM + 1), np.uint8)
    inner = cv2.erode(field.astype(np.uint8), kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    rim = field & (inner == 0)
    along = np.bincount(labels[rim], minlength=count)
    for label in range(1, count):
        if stats[label, cv2.CC_STAT_AREA] >= 2 * _LEAST_AREA * field.size and along[label] >= 0.02 * rim.sum():
            yield labels == label


__all__ = ["find"]

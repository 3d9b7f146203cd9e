"""Burned-in text: flat white letters that somebody's software drew over the picture. They are no part of its range."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image import blocks
from fullfield.image.image import Pixels
from fullfield.image.pyramid import STRIP_BYTES

_WHITE = 0.015  # of the bits' range: how even the letters are; lossy coding leaves so much
_LEAST = 1e-4  # of the image: fewer white pixels move no percentile
_UNDER = 0.15  # of the white pixels: more that are nearly white are the top of a continuous tone
_SURELY = 2  # times as many of a sample are nearly white: so are more than there are white ones
_THICKEST = 7  # thumbnail pixels: a block of so many is no letter


def find(pixels: Pixels, step: int, shape: tuple[int, int], top: int) -> NDArray[np.bool_]:
    """Where letters lie: a mask of `shape`, one pixel for each cell of `blocks.means`, wider than they by one pixel.

    `step`: the side of a cell, or less than a pixel more. `top`: the largest value of the bits. Most
    images are told by a sample to hold none.
    """
    found = np.zeros(shape, bool)
    stride = max(1, round((pixels.size / (1 << 18)) ** 0.5))
    sample = pixels[::stride, ::stride]
    even = max(1, round(_WHITE * top))
    white = int(sample.max()) - even
    many = np.count_nonzero(sample >= white)
    if many < _LEAST * sample.size or white <= int(np.median(sample)):
        return found
    if np.count_nonzero(sample >= white - 3 * even) > (1 + _SURELY) * many:
        return found
    share = _shares(pixels, white, pixels.max(), step, shape)
    under = _shares(pixels, max(white - 3 * even, 1), white - 1, step, shape)
    if under.sum() > share.sum():
        return found  # the top of a continuous tone
    block = cv2.morphologyEx(
        (share >= 0.98).astype(np.uint8), cv2.MORPH_OPEN, np.ones((_THICKEST, _THICKEST), np.uint8)
    )
    wide = cv2.dilate((share > 0).astype(np.uint8), np.ones((3, 3), np.uint8))
    count, labels = cv2.connectedComponents(wide, connectivity=8)
    whites, unders = (np.bincount(labels.ravel(), plane.ravel(), count) for plane in (share, under))
    blocks = np.bincount(labels[block > 0], minlength=count)
    letters = (unders <= _UNDER * whites) & (blocks == 0) & (whites > 0)
    letters[0] = False
    return np.asarray(letters[labels])


def _shares(pixels: Pixels, low: int, high: int, step: int, shape: tuple[int, int]) -> NDArray[np.float32]:
    """The share of each cell's pixels whose values lie in low … high; by strips of cells, which stay in the cache."""
    means, rows = np.zeros(shape, np.float32), blocks.parts(pixels.shape[0], shape[0])
    cells = max(1, STRIP_BYTES // (step * pixels.shape[1]))
    for first in range(0, shape[0], cells):
        strip = rows[first : first + cells]
        top, bottom = strip[0][0], strip[-1][1]
        inside = np.asarray(cv2.inRange(pixels[top:bottom], int(low), int(high)), np.uint8)
        if cv2.countNonZero(inside):  # hardly anywhere
            own = [(start - top, end - top) for start, end in strip]
            means[first : first + cells] = blocks.means(inside, own, shape[1])
    return means / np.float32(255)


__all__ = ["find"]

"""Means of square blocks of pixels, rounded: those of `cv2.resize` with INTER_AREA, in less than half of its time."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Plane = NDArray[np.float32]


def means(values: NDArray[np.uint8] | NDArray[np.uint16], step: int) -> Plane:
    """Of each `step`×`step` pixels; the last row and column stand for what the last blocks lack."""
    lack = [-side % step for side in values.shape]
    if any(lack):
        values = cv2.copyMakeBorder(values, 0, lack[0], 0, lack[1], cv2.BORDER_REPLICATE)
    rows, columns = (side // step for side in values.shape)
    if step <= 2:  # which OpenCV does by itself as fast
        return np.asarray(cv2.resize(values, (columns, rows), interpolation=cv2.INTER_AREA), np.float32)
    across = np.empty((rows, columns * step), np.float32)
    for row in range(rows):
        block = values[row * step : (row + 1) * step]
        cv2.reduce(block, 0, cv2.REDUCE_SUM, dst=across[row : row + 1], dtype=cv2.CV_32F)
    sums = across.reshape(-1, step) @ np.ones(step, np.float32)
    return np.rint(sums * np.float32(1 / step**2)).reshape(rows, columns)


__all__ = ["means"]

"""A stamp-sized picture for the queue, made in a background task."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QSize, QSizeF, Qt
from PySide6.QtGui import QImage

from fullfield.image import cache

SIDE = 96  # twice what the queue shows: sharp on a dense screen
LONGEST = 4  # times the shorter side: a thumbnail of a longer image is of its middle, or it would be a line


def thumbnail(folder: Path) -> QImage:
    """The image that was decoded into `folder`, or its middle, at most SIDE × SIDE. Raises OSError or ValueError."""
    from fullfield.image.window import first_voi, render

    image = cache.load(folder).image
    across, down = image.pixel_size
    pixels = image.pixels[_middle(image.pixels.shape)]
    step = max(1, max(pixels.shape) // (2 * SIDE))
    small = np.ascontiguousarray(pixels[::step, ::step])
    grey = np.ascontiguousarray(render(small, first_voi(replace(image, pixels=small))))
    rows, columns = grey.shape
    whole = QImage(grey.data, columns, rows, columns, QImage.Format.Format_Grayscale8)
    drawn = QSizeF(columns * across, rows * down).scaled(SIDE, SIDE, Qt.AspectRatioMode.KeepAspectRatio).toSize()
    size = drawn.expandedTo(QSize(1, 1))
    return whole.scaled(size, mode=Qt.TransformationMode.SmoothTransformation).copy()


def _middle(shape: tuple[int, int]) -> tuple[slice, slice]:
    most = LONGEST * min(shape)
    rows, columns = (slice(max(0, (side - most) // 2), max(0, (side - most) // 2) + most) for side in shape)
    return rows, columns

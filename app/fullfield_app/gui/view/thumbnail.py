"""Stamp-sized pictures for lists, made in a background task."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSize, QSizeF, Qt
from PySide6.QtGui import QImage

from fullfield.image import cache
from fullfield_app.gui.view.camera import Size

SIDE = 96  # twice what the queue shows: sharp on a dense screen
STAMP = QSize(136, 92)  # pixels of a pair's picture: image and reference beside each other
LONGEST = 4  # times the shorter side: a thumbnail of a longer image is of its middle, or it would be a line


def thumbnail(folder: Path) -> QImage:
    """The image that was decoded into `folder`, or its middle, at most SIDE × SIDE. Raises OSError or ValueError."""
    from fullfield.image.window import first_voi, render

    image = cache.load(folder).image
    pixels = image.pixels[_middle(image.pixels.shape)]
    step = max(1, max(pixels.shape) // (2 * SIDE))
    small = np.ascontiguousarray(pixels[::step, ::step])
    return stamp(render(small, first_voi(replace(image, pixels=small))), image.pixel_size, QSize(SIDE, SIDE))


def stamp(greys: NDArray[np.uint8], pixel: Size, room: QSize) -> QImage:
    """Greys (rows, columns) as large as there is `room`, each of a pixel's width and height."""
    greys = np.ascontiguousarray(greys)
    rows, columns = greys.shape
    whole = QImage(greys.data, columns, rows, columns, QImage.Format.Format_Grayscale8)
    size = QSizeF(columns * pixel[0], rows * pixel[1]).scaled(QSizeF(room), Qt.AspectRatioMode.KeepAspectRatio).toSize()
    return whole.scaled(size.expandedTo(QSize(1, 1)), mode=Qt.TransformationMode.SmoothTransformation).copy()


def _middle(shape: tuple[int, int]) -> tuple[slice, slice]:
    most = LONGEST * min(shape)
    rows, columns = (slice(max(0, (side - most) // 2), max(0, (side - most) // 2) + most) for side in shape)
    return rows, columns

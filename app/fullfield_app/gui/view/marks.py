"""What is known of an enhanced image cell by cell, in colours over it (hues of Okabe & Ito 2008).

A cell of 16 pixels is orange for what was added, no gain of anything in the source, and blue for what was taken, what
the source has and the result does not, as the guards found it. Of an ensemble it is purple where the members disagree.
Clear up to `FAINT` of white, fully coloured from `FULL` on.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from fullfield.image.marks import DISAGREED, MARKED, MARKS_CELL, Cells, Marks
from fullfield_app.gui.view.camera import SQUARE, Camera, Orientation, Size

FAINT, FULL = 0.005, 0.03  # of white
DISAGREEMENT_FULL = 0.05
OPACITY = 190  # of 255
ADDED, TAKEN = (230, 130, 20), (86, 180, 233)
DISAGREEMENT = (204, 121, 167)
Colours = NDArray[np.uint32]


class CellsLayer:
    """Paints the cells of one result by their `colours`; keeps those of the last one."""

    def __init__(self, colours: Callable[[NDArray[np.uint8], Orientation], Colours]) -> None:
        self._make = colours
        self._seen: tuple[NDArray[np.uint8], Orientation] | None = None
        self._colours: Colours = np.empty((0, 0), np.uint32)

    def paint(
        self,
        painter: QPainter,
        cells: NDArray[np.uint8],
        *,
        camera: Camera,
        orientation: Orientation,
        view: Size,
        whole: Size,
        pixel: Size = SQUARE,
    ) -> None:
        """Over the turned image of `whole` width and height in its own pixels, each as wide and as high as `pixel`."""
        if self._seen is None or self._seen[0] is not cells or self._seen[1] != orientation:
            self._colours, self._seen = self._make(cells, orientation), (cells, orientation)
        rows, columns = self._colours.shape
        image = QImage(self._colours.data, columns, rows, 4 * columns, QImage.Format.Format_ARGB32)
        left, top = camera.origin(view)
        # The last cells reach beyond the image, which a turn or a mirror brings to its other border.
        wide, high = (side * MARKS_CELL - own for side, own in zip((columns, rows), whole, strict=True))
        right, below = orientation.mirrored ^ (orientation.turns in (1, 2)), orientation.turns in (2, 3)
        across, down = (side * camera.scale for side in pixel)
        painter.save()
        painter.setClipRect(QRectF(left, top, whole[0] * across, whole[1] * down))
        place = QRectF(
            left - wide * across * right,
            top - high * down * below,
            columns * MARKS_CELL * across,
            rows * MARKS_CELL * down,
        )
        painter.drawImage(place, image)
        painter.restore()


def colours(marks: Marks, orientation: Orientation) -> Colours:
    """One colour with its opacity for each cell of the turned image."""
    added, taken = (orientation.apply(plane.astype(np.uint16)).astype(np.float32) * (MARKED / 255) for plane in marks)
    share = np.clip((np.maximum(added, taken) - FAINT) / (FULL - FAINT), 0, 1)
    opacity = np.rint(share * OPACITY).astype(np.uint32)
    of = [red << 16 | green << 8 | blue for red, green, blue in (ADDED, TAKEN)]
    return np.ascontiguousarray(opacity << 24 | np.where(added >= taken, *map(np.uint32, of)))


def disagreement_colours(cells: Cells, orientation: Orientation) -> Colours:
    """One hue, the more opaque the more the members of an ensemble disagree."""
    found = orientation.apply(cells.astype(np.uint16)).astype(np.float32) * (DISAGREED / 255)
    share = np.clip((found - FAINT) / (DISAGREEMENT_FULL - FAINT), 0, 1)
    red, green, blue = DISAGREEMENT
    opacity = np.rint(share * OPACITY).astype(np.uint32)
    return np.ascontiguousarray(opacity << 24 | np.uint32(red << 16 | green << 8 | blue))

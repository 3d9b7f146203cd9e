"""What was added to an enhanced image and what was taken from it, as the guards found it, in colours over the image.

A cell of 16 pixels is orange for what is no gain of anything in the source, blue for what the source has and the
result does not (hues of Okabe & Ito 2008). Clear up to `FAINT` of white, fully coloured from `FULL` on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from fullfield.image.marks import MARKED, MARKS_CELL, Marks
from fullfield_app.gui.view.camera import Camera, Orientation, Size

FAINT, FULL = 0.005, 0.03  # of white
OPACITY = 190  # of 255
ADDED, TAKEN = (230, 130, 20), (86, 180, 233)


class MarksLayer:
    """Paints the marks of one result; keeps the colours of the last one."""

    def __init__(self) -> None:
        self._seen: tuple[Marks, Orientation] | None = None
        self._colours: NDArray[np.uint32] = np.empty((0, 0), np.uint32)

    def paint(
        self, painter: QPainter, marks: Marks, *, camera: Camera, orientation: Orientation, view: Size, whole: Size
    ) -> None:
        """Over the image, whose `whole` width and height in its own pixels are those of the turned image."""
        if self._seen is None or self._seen[0] is not marks or self._seen[1] != orientation:
            self._colours, self._seen = colours(marks, orientation), (marks, orientation)
        rows, columns = self._colours.shape
        image = QImage(self._colours.data, columns, rows, 4 * columns, QImage.Format.Format_ARGB32)
        left, top = camera.origin(view)
        # The last cells reach beyond the image, which a turn or a mirror brings to its other border.
        wide, high = (side * MARKS_CELL - own for side, own in zip((columns, rows), whole, strict=True))
        right, below = orientation.mirrored ^ (orientation.turns in (1, 2)), orientation.turns in (2, 3)
        painter.save()
        painter.setClipRect(QRectF(left, top, whole[0] * camera.scale, whole[1] * camera.scale))
        place = QRectF(
            left - wide * camera.scale * right,
            top - high * camera.scale * below,
            columns * MARKS_CELL * camera.scale,
            rows * MARKS_CELL * camera.scale,
        )
        painter.drawImage(place, image)
        painter.restore()


def colours(marks: Marks, orientation: Orientation) -> NDArray[np.uint32]:
    """One colour with its opacity for each cell of the turned image."""
    added, taken = (orientation.apply(plane.astype(np.uint16)).astype(np.float32) * (MARKED / 255) for plane in marks)
    share = np.clip((np.maximum(added, taken) - FAINT) / (FULL - FAINT), 0, 1)
    opacity = np.rint(share * OPACITY).astype(np.uint32)
    of = [red << 16 | green << 8 | blue for red, green, blue in (ADDED, TAKEN)]
    return np.ascontiguousarray(opacity << 24 | np.where(added >= taken, *map(np.uint32, of)))

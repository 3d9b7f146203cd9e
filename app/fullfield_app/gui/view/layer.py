"""One picture painted: the visible part of the best-fitting reduced size, through a table of grey levels.

Nothing of the size of the image is copied or converted per frame: at 4288×4288 a frame costs what its pixels on the
screen cost (SPEED: QImage with a table on the visible pixels only).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from fullfield.image.image import Pixels
from fullfield_app.gui.view.camera import SQUARE, Camera, Orientation, Size
from fullfield_app.gui.view.tone import Shown, table

Colours = NDArray[np.uint32]
STRIP_ROWS = 32  # numpy widens the indices to 8 bytes: in strips they stay in the cache, 2.8 times faster at 2144²
LARGEST_STRETCH = 1.1  # a reduced size is drawn up to so much larger before the next larger one, of four times the
# pixels, is taken: softer than the screen by less than a tenth, and at most 3.3 pixels are looked up per pixel shown


@dataclass(frozen=True, kw_only=True)
class Patch:
    """A rectangle of one level, and where it lies on the view (device pixels)."""

    level: int
    rows: slice
    columns: slice
    place: tuple[float, float, float, float]
    scales: Size  # device pixels per pixel of the level, across and down

    @property
    def smooth(self) -> bool:
        """Whether it is interpolated: a pixel of the level is not one of the screen."""
        return self.scales != SQUARE


def visible(
    sizes: list[tuple[int, int]], camera: Camera, view: Size, clip: QRectF, pixel: Size = SQUARE
) -> Patch | None:
    """Which part of which level (`sizes`: rows and columns of each) fills `clip`; None where none of it is there.

    `pixel`: width and height of a pixel of the turned image in the camera's units. Its longer side decides which level.
    """
    level = min(max(math.floor(math.log2(LARGEST_STRETCH / (camera.scale * max(pixel)))), 0), len(sizes) - 1)
    across, down = (side * camera.scale * 2**level for side in pixel)
    left, top = camera.origin(view)
    rows, columns = sizes[level]
    # One pixel more on each side, for the interpolation at the border of the part.
    first_row = max(math.floor((clip.top() - top) / down) - 1, 0)
    last_row = min(math.ceil((clip.bottom() - top) / down) + 1, rows)
    first_column = max(math.floor((clip.left() - left) / across) - 1, 0)
    last_column = min(math.ceil((clip.right() - left) / across) + 1, columns)
    if first_row >= last_row or first_column >= last_column:
        return None
    return Patch(
        level=level,
        rows=slice(first_row, last_row),
        columns=slice(first_column, last_column),
        place=(
            left + first_column * across,
            top + first_row * down,
            (last_column - first_column) * across,
            (last_row - first_row) * down,
        ),
        scales=(across, down),
    )


class Layer:
    """Paints what is shown; keeps the colours of the last window and the part of the last frame.

    A frame in which only something on the image has changed, a region under the hand, looks nothing up.
    """

    def __init__(self) -> None:
        self._shown: Shown | None = None
        self._seen: tuple[Shown, Patch, Orientation] | None = None
        self._colours: Colours = np.empty(0, np.uint32)
        self._part: Colours = np.empty((0, 0), np.uint32)

    def paint(
        self, painter: QPainter, shown: Shown, *, camera: Camera, orientation: Orientation, view: Size, clip: QRectF
    ) -> None:
        """Paint onto `clip` of a view; the painter works in device pixels."""
        levels = [orientation.apply(level) for level in shown.picture.levels]
        pixel = orientation.size(shown.picture.pixel)
        patch = visible([(level.shape[0], level.shape[1]) for level in levels], camera, view, clip, pixel)
        if patch is None:
            return
        if self._seen is None or self._seen[0] is not shown or self._seen[1:] != (patch, orientation):
            self._part = self._look_up(levels[patch.level][patch.rows, patch.columns], shown)
            self._seen = (shown, patch, orientation)
        rows, columns = self._part.shape
        image = QImage(self._part.data, columns, rows, 4 * columns, QImage.Format.Format_RGB32)
        left, top = camera.origin(view)
        height, width = levels[0].shape
        whole = QRectF(left, top, width * pixel[0] * camera.scale, height * pixel[1] * camera.scale)
        painter.save()
        painter.setClipRect(whole.intersected(clip))  # a reduced size ends up to a pixel beyond the image
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, patch.smooth)
        painter.drawImage(QRectF(*patch.place), image)
        painter.restore()

    def _look_up(self, pixels: Pixels, shown: Shown) -> Colours:
        if self._shown is not shown:
            # As the screen takes them: from 8-bit grey Qt would convert every frame, which costs twice the drawing.
            self._colours = (table(shown).astype(np.uint32) * 0x010101 + 0xFF000000).astype(np.uint32)
            self._shown = shown
        part = self._part if self._part.shape == pixels.shape else np.empty(pixels.shape, np.uint32)
        for begin in range(0, pixels.shape[0], STRIP_ROWS):
            strip = slice(begin, begin + STRIP_ROWS)
            # mode="clip" saves numpy a check of every index; a uint16 is always within the table.
            np.take(self._colours, pixels[strip], out=part[strip], mode="clip")
        return part

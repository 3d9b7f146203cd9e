"""After minus before, of what is displayed: each through its own window, in percent of black to white, in colours.

Looked up for the visible part alone, at the reduced size that the screen needs: a frame costs what its pixels on the
screen cost, as in `layer`. Zero is black, brighter after is orange, darker after is blue: told apart by the
colour-blind (hues of Okabe & Ito 2008, lightness rising to both ends alike).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from PySide6.QtWidgets import QWidget

from fullfield.image.image import Pixels
from fullfield_app.gui.view.camera import Look
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.caption import Corner, paint_caption, paint_message
from fullfield_app.gui.view.layer import STRIP_ROWS, Colours, Layer, Patch, visible
from fullfield_app.gui.view.tone import Shown, table
from fullfield_app.gui.view.viewer import Viewer

SCALES = (100, 50, 25, 10)  # percent of black to white at the ends of the colour scale
LEGEND = (180, 10)  # logical pixels
_ENDS = 255  # grey levels from black to white
_STOPS = (
    (-1.0, (196, 232, 255)),
    (-0.5, (86, 180, 233)),
    (-0.2, (0, 84, 150)),
    (0.0, (8, 9, 11)),
    (0.2, (140, 62, 0)),
    (0.5, (230, 130, 20)),
    (1.0, (255, 232, 170)),
)
Greys = NDArray[np.int16]


def colours(percent: int) -> Colours:
    """The colour of each difference from −255 to 255 grey levels, where the scale ends at ± `percent`."""
    shares = np.clip(np.arange(-_ENDS, _ENDS + 1) / _ENDS * 100 / percent, -1, 1)
    places = [place for place, _ in _STOPS]
    tones = zip(*(colour for _, colour in _STOPS), strict=True)
    red, green, blue = (np.rint(np.interp(shares, places, tone)).astype(np.uint32) for tone in tones)
    found: Colours = (red << 16 | green << 8 | blue | np.uint32(0xFF000000)).astype(np.uint32)
    return found


class Difference(Viewer):
    """Two images under one camera, and how they differ."""

    foot = 76  # the legend

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.percent = SCALES[0]
        self._shown: dict[Side, Shown | None] = {Side.BEFORE: None, Side.AFTER: None}
        self._plain: Side | None = None
        self._caption = self._message = ""
        self._layer = Layer()
        self._colours = colours(self.percent)
        self._part: Colours = np.empty((0, 0), np.uint32)
        self._seen: tuple[object, ...] = ()
        self._tables: dict[Side, tuple[Shown, Greys]] = {}

    def show_images(
        self, shown: Mapping[Side, Shown | None], caption: str, message: str, plain: Side | None = None
    ) -> None:
        """Show how a pair differs, `message` where one is missing; or, while it blinks, one of them as it is."""
        self._shown, self._caption, self._message, self._plain = dict(shown), caption, message, plain
        self.describe()
        self.update()

    def set_scale(self, percent: int) -> None:
        """The colour scale ends at ± `percent`."""
        self.percent, self._colours, self._seen = percent, colours(percent), ()
        self.update()

    def shown_at(self, place: QPointF) -> tuple[Side, Shown] | None:
        """See `Viewer`: the window that is drawn is that of the image after, the one before while it is alone."""
        for side in (self._plain, Side.AFTER, Side.BEFORE):
            shown = self._shown[side] if side is not None else None
            if side is not None and shown is not None:
                return side, shown
        return None

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """See `Viewer`."""
        ratio, look = self.devicePixelRatioF(), self.whole_look()
        before, after = self._shown[Side.BEFORE], self._shown[Side.AFTER]
        plain = self._shown[self._plain] if self._plain is not None else None
        if plain is not None:
            self._layer.paint(
                painter, plain, camera=self.camera, orientation=self.orientation, view=self.view_size(), clip=area
            )
        elif before is None or after is None or look is None:
            paint_message(painter, area, self._message, ratio)
        else:
            self._paint_difference(painter, before, after, look, area)
            self._paint_legend(painter, area, ratio)
        found = self.shown_at(QPointF())
        if found is not None:
            paint_caption(painter, area, self.numbers(found[1]), Corner.FOOT, ratio)
        paint_caption(painter, area, self._caption, Corner.LEFT, ratio)

    def _paint_difference(self, painter: QPainter, before: Shown, after: Shown, look: Look, area: QRectF) -> None:
        turn = self.orientation.apply
        pairs = [
            (turn(one), turn(other)) for one, other in zip(before.picture.levels, after.picture.levels, strict=True)
        ]
        sizes, pixel = [(one.shape[0], one.shape[1]) for one, _ in pairs], look.orientation.size(look.pixel)
        patch = visible(sizes, self.camera, look.view, area, pixel)
        if patch is None:
            return
        seen = (before, after, patch, self.orientation)
        if seen != self._seen:
            one, other = (level[patch.rows, patch.columns] for level in pairs[patch.level])
            self._look_up(one, other, before, after)
            self._seen = seen
        self._draw(painter, patch, look, area)

    def _draw(self, painter: QPainter, patch: Patch, look: Look, area: QRectF) -> None:
        rows, columns = self._part.shape
        image = QImage(self._part.data, columns, rows, 4 * columns, QImage.Format.Format_RGB32)
        left, top = self.camera.origin(look.view)
        width, height = (value * self.camera.scale for value in look.drawn)
        painter.save()
        painter.setClipRect(QRectF(left, top, width, height).intersected(area))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, patch.smooth)
        painter.drawImage(QRectF(*patch.place), image)
        painter.restore()

    def _look_up(self, one: Pixels, other: Pixels, before: Shown, after: Shown) -> None:
        greys, greys_after = self._greys(Side.BEFORE, before), self._greys(Side.AFTER, after)
        if self._part.shape != one.shape:
            self._part = np.empty(one.shape, np.uint32)
        for begin in range(0, one.shape[0], STRIP_ROWS):
            strip = slice(begin, begin + STRIP_ROWS)
            change = np.take(greys_after, other[strip], mode="clip")
            change -= np.take(greys, one[strip], mode="clip")
            np.take(self._colours, change, out=self._part[strip], mode="clip")

    def _greys(self, side: Side, shown: Shown) -> Greys:
        kept = self._tables.get(side)
        if kept is None or kept[0] is not shown:
            # Shifted so that the difference of the two is the place in the table of colours.
            greys = table(shown).astype(np.int16) + np.int16(_ENDS if side is Side.AFTER else 0)
            self._tables[side] = kept = (shown, greys)
        return kept[1]

    def _paint_legend(self, painter: QPainter, area: QRectF, ratio: float) -> None:
        ends = (self.tr("darker"), self.tr("brighter"))
        painter.save()
        font = QFont(painter.font())
        font.setPointSizeF(max(font.pointSizeF(), 8.0) * 0.9 * ratio)
        painter.setFont(font)
        width, height = (value * ratio for value in LEGEND)
        width = max(width, painter.fontMetrics().horizontalAdvance("  ".join(ends)))
        box = QRectF(area.right() - width - 16 * ratio, area.bottom() - height - 34 * ratio, width, height)
        painter.fillRect(box.adjusted(-8 * ratio, -20 * ratio, 8 * ratio, 24 * ratio), QColor(0, 0, 0, 170))
        bar = np.ascontiguousarray(self._bar(round(width)))
        painter.drawImage(box, QImage(bar.data, bar.shape[1], 1, 4 * bar.shape[1], QImage.Format.Format_RGB32))
        painter.setPen(QColor(226, 230, 236))
        line = QRectF(box.left(), box.bottom() + 3 * ratio, width, 18 * ratio)
        for flag, text in (
            (Qt.AlignmentFlag.AlignLeft, f"−{self.percent} %"),
            (Qt.AlignmentFlag.AlignHCenter, "0"),
            (Qt.AlignmentFlag.AlignRight, f"+{self.percent} %"),
        ):
            painter.drawText(line, flag, text)
        line.moveTop(box.top() - 19 * ratio)
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, ends[0])
        painter.drawText(line, Qt.AlignmentFlag.AlignRight, ends[1])
        painter.restore()

    def _bar(self, width: int) -> Colours:
        places = np.rint(np.linspace(-self.percent, self.percent, width) / 100 * _ENDS).astype(np.int64) + _ENDS
        return self._colours[places][None, :]

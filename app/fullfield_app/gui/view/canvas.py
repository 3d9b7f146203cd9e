"""An image on a view: from where it is seen, what is painted, and how places of the view and the file belong together.

What the image is, is the subclass's.
"""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from fullfield_app.gui.view.area import Area, between
from fullfield_app.gui.view.camera import Camera, Look, Orientation, Size
from fullfield_app.gui.view.caption import MARGIN
from fullfield_app.gui.view.overlay import FOOT, Corners, CornerTexts
from fullfield_app.gui.view.tone import Shown
from fullfield_app.gui.view.tool import Glass
from fullfield_app.gui.view.window_tool import width_and_level

_BAND = QColor(112, 178, 232)


class Side(StrEnum):
    """Which of the two images."""

    BEFORE = "before"
    AFTER = "after"


class Canvas(QWidget):
    """Shows images of one matrix under one camera. `resized`: its size is another.

    What hands ask of it: another camera, another window of a side, `area_asked` the window of a side's Area,
    `menu_asked` the menu at a place on the screen.
    """

    resized = Signal()
    camera_asked = Signal(object)
    window_asked = Signal(object, object)
    area_asked = Signal(object, object)
    menu_asked = Signal(object)
    head = MARGIN  # logical pixels that texts in the upper right corner keep free: nothing else is there
    foot = FOOT  # and in the lower right one: the numbers on the left may reach far

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 160)
        self.camera = Camera()
        self.orientation = Orientation()
        self.glass: Glass | None = None
        self._band: QRectF | None = None
        self._corners: Corners | None = None
        self._texts = CornerTexts()

    def look(self, camera: Camera, orientation: Orientation) -> None:
        """Show the image from here."""
        if (camera, orientation) != (self.camera, self.orientation):
            self.camera, self.orientation = camera, orientation
            self.describe()
            self.update()

    def set_corners(self, corners: Corners | None) -> None:
        """Show these texts in the four corners, or none."""
        if corners != self._corners:
            self._corners = corners
            self.describe()
            self.update()

    def draw_band(self, band: QRectF | None) -> None:
        """Show an area that is being drawn (logical pixels), or no longer."""
        self._band = band
        self.update()

    # What the subclass shows ------------------------------------------------------------------------------------

    def shown_at(self, place: QPointF) -> tuple[Side, Shown] | None:
        """The image under a point of the view (logical pixels)."""
        raise NotImplementedError

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint the images; `area` is the whole view in device pixels, as the painter's."""
        raise NotImplementedError

    # Sizes, in device pixels ------------------------------------------------------------------------------------

    def view_size(self) -> Size:
        """The size of this view."""
        ratio = self.devicePixelRatioF()
        return self.width() * ratio, self.height() * ratio

    def image_size(self) -> Size | None:
        """Width and height of the images as they are turned and drawn; None while there is none."""
        look = self.whole_look()
        return None if look is None else look.drawn

    def whole_look(self) -> Look | None:
        """How places of the view and of the file belong together; None while there is no image."""
        found = self.shown_at(QPointF(self.rect().center()))
        if found is None:
            return None
        picture = found[1].picture
        image = (float(picture.columns), float(picture.rows))
        return Look(
            camera=self.camera,
            orientation=self.orientation,
            view=self.view_size(),
            image=image,
            pixel=picture.pixel,
        )

    def in_sight(self) -> Area | None:
        """The part of the file that this view shows."""
        look = self.whole_look()
        if look is None:
            return None
        return between(look.to_image(0, 0), look.to_image(*look.view)).kept(look.image)

    def numbers(self, shown: Shown) -> str:
        """Zoom, and width and level in the values of the image's file, as a caption."""
        width, level = width_and_level(shown.picture, shown.voi)
        return self.tr("{zoom} %   W {width}   L {level}").format(
            zoom=round(self.camera.scale * 100), width=width, level=level
        )

    def describe(self) -> None:
        """Say to those who cannot see it what is shown."""
        found = self.shown_at(QPointF(self.rect().center()))
        texts = [self.numbers(found[1])] if found is not None else []
        if self._corners is not None:
            texts += self._corners.lines()
        self.setAccessibleDescription(". ".join(texts))

    # Events of Qt -----------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Black, the images on it, and what lies on them."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(0, 0, 0))
            ratio = self.devicePixelRatioF()
            painter.scale(1 / ratio, 1 / ratio)
            width, height = self.view_size()
            area = QRectF(0, 0, width, height)
            self.paint(painter, area)
            look = self.whole_look()
            if look is not None and self.glass is not None:
                self.glass.paint(painter, look, ratio)
            if look is not None and self._corners is not None:
                self._texts.paint(painter, area, self._corners, ratio, head=self.head, foot=self.foot)
            if self._band is not None:
                band = QRectF(self._band.topLeft() * ratio, self._band.size() * ratio)
                painter.setPen(QPen(_BAND, 1.5 * ratio, Qt.PenStyle.DashLine))
                painter.drawRect(band)

    def resizeEvent(self, event: object) -> None:
        """A fitted image follows."""
        self.resized.emit()

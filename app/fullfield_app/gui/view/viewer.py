"""The hands on an image: mouse, wheel and keys become cameras and windows. What is painted is the subclass's.

Left drag: the tool (window and level at first); middle drag: pan; wheel: zoom at the cursor; double click: reset.
With keys: arrows pan, Shift and arrows change the window, + and − zoom.
"""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from fullfield_app.gui.view.camera import Camera, Orientation, Size
from fullfield_app.gui.view.tone import Shown
from fullfield_app.gui.view.window_tool import WindowDrag, as_window, drag_of

WHEEL_STEP = 1.2  # per notch
KEY_PAN = 0.1  # of the view
KEY_WINDOW = 0.02  # of the range
ZOOM_DRAG = 6.0  # doublings per height of the view


class Side(StrEnum):
    """Which of the two images."""

    BEFORE = "before"
    AFTER = "after"


class Tool(StrEnum):
    """What a left drag does."""

    WINDOW = "window"
    ZOOM = "zoom"
    PAN = "pan"


_CURSORS = {
    Tool.WINDOW: Qt.CursorShape.CrossCursor,
    Tool.ZOOM: Qt.CursorShape.SizeVerCursor,
    Tool.PAN: Qt.CursorShape.OpenHandCursor,
}


class Viewer(QWidget):
    """Shows images of one matrix under one camera; asks for another camera or window, and never sets them itself."""

    camera_asked = Signal(object)
    window_asked = Signal(object, object)
    reset_asked = Signal()
    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(160, 160)
        self.camera = Camera()
        self.orientation = Orientation()
        self._drag: tuple[Tool, QPointF, Camera] | None = None
        self._window: tuple[Side, WindowDrag] | None = None
        self.set_tool(Tool.WINDOW)

    def set_tool(self, tool: Tool) -> None:
        """What a left drag does from now on."""
        self._tool = tool
        self.setCursor(_CURSORS[tool])

    def look(self, camera: Camera, orientation: Orientation) -> None:
        """Show the image from here."""
        if (camera, orientation) != (self.camera, self.orientation):
            self.camera, self.orientation = camera, orientation
            self.describe()
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
        """Width and height of the images as they are turned; None while there is none."""
        found = self.shown_at(QPointF(self.rect().center()))
        if found is None:
            return None
        rows, columns = self.orientation.apply(found[1].picture.levels[0]).shape
        return float(columns), float(rows)

    def numbers(self, shown: Shown) -> str:
        """Zoom, width and level of an image, as a caption."""
        window = as_window(shown.voi)
        return self.tr("{zoom} %   W {width}   L {level}").format(
            zoom=round(self.camera.scale * 100),
            width=round(window.high - window.low),
            level=round((window.high + window.low) / 2),
        )

    def describe(self) -> None:
        """Say to those who cannot see it what is shown."""
        found = self.shown_at(QPointF(self.rect().center()))
        self.setAccessibleDescription(self.numbers(found[1]) if found is not None else "")

    # Events of Qt -----------------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Black, and the images on it."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(0, 0, 0))
            ratio = self.devicePixelRatioF()
            painter.scale(1 / ratio, 1 / ratio)
            width, height = self.view_size()
            self.paint(painter, QRectF(0, 0, width, height))

    def resizeEvent(self, event: object) -> None:
        """A fitted image follows."""
        self.resized.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A drag begins."""
        tool = {Qt.MouseButton.LeftButton: self._tool, Qt.MouseButton.MiddleButton: Tool.PAN}.get(event.button())
        found = self.shown_at(event.position())
        if tool is None or found is None or self._drag is not None:
            event.ignore()
            return
        self._drag = (tool, event.position(), self.camera)
        side, shown = found
        self._window = (side, drag_of(shown.picture, shown.voi))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The drag goes on, always measured from where it began: no rounding adds up."""
        if self._drag is None:
            return
        tool, start, camera = self._drag
        size = self.image_size()
        if size is None:
            return
        ratio = self.devicePixelRatioF()
        move = event.position() - start
        match tool:
            case Tool.WINDOW if self._window is not None:
                side, drag = self._window
                self.window_asked.emit(side, drag.moved(move.x() / self.width(), move.y() / self.height()))
            case Tool.PAN:
                self.camera_asked.emit(camera.panned(move.x() * ratio, move.y() * ratio, size))
            case Tool.ZOOM:
                factor = 2.0 ** (-ZOOM_DRAG * move.y() / self.height())
                at = (start.x() * ratio, start.y() * ratio)
                self.camera_asked.emit(camera.zoomed(factor, at, self.view_size(), size))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The drag ends."""
        if not event.buttons() & (Qt.MouseButton.LeftButton | Qt.MouseButton.MiddleButton):
            self._drag = self._window = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Back to how the image was shown first."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.reset_asked.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the cursor."""
        notches = event.angleDelta().y() / 120
        if notches:
            self.zoom(WHEEL_STEP**notches, event.position())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows pan; with Shift they change the window of the image in the middle."""
        step = _ARROWS.get(Qt.Key(event.key()))
        size = self.image_size()
        if step is None or size is None:
            super().keyPressEvent(event)
            return
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._nudge(step[0] * KEY_WINDOW, step[1] * KEY_WINDOW)
        else:
            width, height = self.view_size()
            self.camera_asked.emit(self.camera.panned(-step[0] * KEY_PAN * width, -step[1] * KEY_PAN * height, size))

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Ask for a larger or smaller image; the point `at` (the middle) stays."""
        size = self.image_size()
        if size is not None:
            place = (at if at is not None else QPointF(self.rect().center())) * self.devicePixelRatioF()
            self.camera_asked.emit(self.camera.zoomed(factor, (place.x(), place.y()), self.view_size(), size))

    def _nudge(self, right: float, down: float) -> None:
        found = self.shown_at(QPointF(self.rect().center()))
        if found is not None:
            side, shown = found
            self.window_asked.emit(side, drag_of(shown.picture, shown.voi).moved(right, down))


_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}

__all__ = ["Side", "Tool", "Viewer"]

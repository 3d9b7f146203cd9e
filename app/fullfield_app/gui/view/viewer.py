"""The hands on an image: mouse, wheel and keys become cameras and windows.

Left drag: the tool (window and level at first); middle drag, or left with the space bar held: pan; right drag: the
window of an area, right click: a menu; wheel: zoom at the cursor; double click: reset. With keys: arrows pan, Shift
and arrows change the window, + and − zoom.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from fullfield_app.gui.view import drags
from fullfield_app.gui.view.canvas import Canvas
from fullfield_app.gui.view.tool import Drag, Tool
from fullfield_app.gui.view.window_tool import drag_of

WHEEL_STEP = 1.2  # per notch
KEY_PAN = 0.1  # of the view
KEY_WINDOW = 0.02  # of the range


_CURSORS = {
    Tool.WINDOW: Qt.CursorShape.CrossCursor,
    Tool.ZOOM: Qt.CursorShape.SizeVerCursor,
    Tool.PAN: Qt.CursorShape.OpenHandCursor,
    Tool.MARK: Qt.CursorShape.CrossCursor,
}


class Viewer(Canvas):
    """A canvas that asks for another camera or window, and never sets them itself.

    `pointed`: the (x, y) of the file under the mouse, or None; `tapped`: the space bar was pressed, and nothing was
    dragged with it; `drag_ended`: a button that held something was let go. `marked`: what was added to an image and
    what was taken is to be seen over it, where this shows it alone; `disagreeing`: where its members disagree.
    """

    pointed = Signal(object)
    reset_asked = Signal()
    tapped = Signal()
    drag_ended = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._drag: tuple[Qt.MouseButton, Drag] | None = None
        self._space = self._dragged = self.marked = self.disagreeing = False
        self.set_tool(Tool.WINDOW)

    @property
    def dragging(self) -> bool:
        """A button holds something of the image."""
        return self._drag is not None

    def set_tool(self, tool: Tool) -> None:
        """What a left drag does from now on."""
        self._tool = tool
        self.setCursor(_CURSORS[tool])

    def drop(self) -> None:
        """Another image is shown: what a hand still holds was the one before, and is held no more."""
        self._drag = None
        self.draw_band(None)

    # Events of Qt -----------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A drag begins."""
        if self._drag is not None or self.shown_at(event.position()) is None:
            event.ignore()
            return
        self._dragged = self._space
        drag = drags.begin(self, event.button(), event.position(), Tool.PAN if self._space else self._tool)
        self._drag = None if drag is None else (event.button(), drag)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """The drag goes on; without one the place is told."""
        if self._drag is not None:
            self._drag[1].move(event.position())
        self._point(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The drag ends."""
        if self._drag is not None and event.button() == self._drag[0]:
            drag, self._drag = self._drag[1], None
            drag.end()
            self.drag_ended.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Back to how the image was shown first."""
        if event.button() == Qt.MouseButton.LeftButton and self._tool is not Tool.MARK:
            self.reset_asked.emit()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is pointed at any more."""
        self.pointed.emit(None)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu by its key; by mouse it comes when the right button is let go where it went down."""
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            self.menu_asked.emit(self.mapToGlobal(self.rect().center()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the cursor."""
        notches = event.angleDelta().y() / 120
        if notches:
            self.zoom(WHEEL_STEP**notches, event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Keys that mean something here come before the shortcuts: the space bar, and those of a chosen mark."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            marked = self._tool is Tool.MARK and self.glass is not None and self.glass.wants(event)
            if marked or (event.key() == Qt.Key.Key_Space and not event.modifiers()):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows pan; with Shift they change the window of the image in the middle. Space waits for a drag."""
        step, look = _ARROWS.get(event.key()), self.whole_look()
        if event.key() == Qt.Key.Key_Space:
            self._hold_space(event)
        elif look is not None and self._tool is Tool.MARK and self.glass is not None and self.glass.key(event, look):
            event.accept()
        elif step is None or look is None:
            super().keyPressEvent(event)
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._nudge(step[0] * KEY_WINDOW, step[1] * KEY_WINDOW)
        else:
            width, height = look.view
            right, down = -step[0] * KEY_PAN * width, -step[1] * KEY_PAN * height
            self.camera_asked.emit(self.camera.panned(right, down, look.drawn))

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """The space bar without a drag has been tapped."""
        if event.key() != Qt.Key.Key_Space or event.isAutoRepeat():
            super().keyReleaseEvent(event)
        elif self._space:
            self._space = False
            self.setCursor(_CURSORS[self._tool])
            if not self._dragged:
                self.tapped.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The space bar is let go elsewhere."""
        super().focusOutEvent(event)
        if self._space:
            self._space = False
            self.setCursor(_CURSORS[self._tool])

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Ask for a larger or smaller image; the point `at` (the middle) stays."""
        size = self.image_size()
        if size is not None:
            place = (at if at is not None else QPointF(self.rect().center())) * self.devicePixelRatioF()
            self.camera_asked.emit(self.camera.zoomed(factor, (place.x(), place.y()), self.view_size(), size))

    # Within -----------------------------------------------------------------------------------------------------

    def _hold_space(self, event: QKeyEvent) -> None:
        if not event.isAutoRepeat():
            self._space, self._dragged = True, False
            self.setCursor(_CURSORS[Tool.PAN])

    def _nudge(self, right: float, down: float) -> None:
        found = self.shown_at(QPointF(self.rect().center()))
        if found is not None:
            side, shown = found
            self.window_asked.emit(side, drag_of(shown.picture, shown.voi).moved(right, down))

    def _point(self, place: QPointF) -> None:
        look = self.whole_look()
        ratio = self.devicePixelRatioF()
        self.pointed.emit(None if look is None else look.to_image(place.x() * ratio, place.y() * ratio))


_ARROWS: dict[int, tuple[int, int]] = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}

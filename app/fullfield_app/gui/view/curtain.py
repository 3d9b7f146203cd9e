"""Before and after in one place: left of the curtain the image as it came, right of it as it was enhanced."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.caption import Corner, paint_caption, paint_message
from fullfield_app.gui.view.layer import Layer
from fullfield_app.gui.view.overlay import HEAD
from fullfield_app.gui.view.tone import Shown
from fullfield_app.gui.view.viewer import Viewer

REACH = 9  # logical pixels on each side of the curtain's edge that take hold of it
KEY_STEP = 0.02
_EDGE = QColor(112, 178, 232)


class Curtain(Viewer):
    """Two images under one camera; the edge between them is drawn by the mouse, or by Ctrl and the arrows."""

    head = HEAD  # below the caption of the right side

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._layers = {Side.BEFORE: Layer(), Side.AFTER: Layer()}
        self._shown: dict[Side, Shown | None] = {Side.BEFORE: None, Side.AFTER: None}
        self._order = (Side.BEFORE, Side.AFTER)
        self._captions = self._messages = {Side.BEFORE: "", Side.AFTER: ""}
        self._edge = 0.5
        self._held = False

    @property
    def edge(self) -> float:
        """Where the curtain hangs: 0 shows the right image alone, 1 the left one."""
        return self._edge

    def show_images(
        self,
        order: tuple[Side, Side],
        captions: Mapping[Side, str],
        shown: Mapping[Side, Shown | None],
        messages: Mapping[Side, str],
    ) -> None:
        """Show a pair, left and right of the edge in this `order`; a message in place of an image that is not there."""
        self._order = order
        self._captions, self._shown, self._messages = dict(captions), dict(shown), dict(messages)
        self.describe()
        self.update()

    def shown_at(self, place: QPointF) -> tuple[Side, Shown] | None:
        """See `Viewer`; on a side without an image the other one answers, so that it can still be moved."""
        left, right = self._order
        for side in (left, right) if place.x() < self._edge * self.width() else (right, left):
            shown = self._shown[side]
            if shown is not None:
                return side, shown
        return None

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """See `Viewer`."""
        ratio = self.devicePixelRatioF()
        edge = round(area.width() * self._edge)
        parts = (QRectF(0, 0, edge, area.height()), QRectF(edge, 0, area.width() - edge, area.height()))
        size = (area.width(), area.height())
        for side, part in zip(self._order, parts, strict=True):
            shown = self._shown[side]
            if shown is None:
                paint_message(painter, part, self._messages[side], ratio)
            else:
                self._layers[side].paint(
                    painter, shown, camera=self.camera, orientation=self.orientation, view=size, clip=part
                )
        self._paint_edge(painter, area, edge, ratio)
        first = self._shown[self._order[0]] or self._shown[self._order[1]]
        if first is not None:
            paint_caption(painter, area, self.numbers(first), Corner.FOOT, ratio)
        for side, corner in zip(self._order, (Corner.LEFT, Corner.RIGHT), strict=True):
            paint_caption(painter, area, self._captions[side], corner, ratio)

    def _paint_edge(self, painter: QPainter, area: QRectF, edge: float, ratio: float) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(QRectF(edge - ratio, 0, 2 * ratio, area.height()), _EDGE)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_EDGE)
        painter.drawEllipse(QPointF(edge, area.height() / 2), 7 * ratio, 7 * ratio)
        painter.restore()

    @property
    def dragging(self) -> bool:
        """See `Viewer`: the edge counts, too."""
        return self._held or super().dragging

    # Events of Qt -----------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the curtain's edge, or begin a drag on the image."""
        if event.button() == Qt.MouseButton.LeftButton and self._near(event.position()):
            self._held = True
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw the curtain."""
        if self._held:
            self._move(event.position().x() / max(self.width(), 1))
            return
        super().mouseMoveEvent(event)
        if not event.buttons():
            near = self._near(event.position())
            if near != (self.cursor().shape() is Qt.CursorShape.SplitHCursor):
                self.set_tool(self._tool)
                if near:
                    self.setCursor(Qt.CursorShape.SplitHCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        if event.button() == Qt.MouseButton.LeftButton and self._held:
            self._held = False
            self.drag_ended.emit()
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """On the edge: back to the middle; elsewhere as in every view."""
        if self._near(event.position()):
            self._move(0.5)
        else:
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl and the arrows draw the curtain."""
        steps = {Qt.Key.Key_Left: -KEY_STEP, Qt.Key.Key_Right: KEY_STEP}
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.key() in steps:
            self._move(self._edge + steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def _near(self, place: QPointF) -> bool:
        return abs(place.x() - self._edge * self.width()) <= REACH

    def _move(self, edge: float) -> None:
        self._edge = min(max(edge, 0.0), 1.0)
        self.update()

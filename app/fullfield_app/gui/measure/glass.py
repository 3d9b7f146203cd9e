"""The marks as they lie on the images: painted in every view, drawn and moved by mouse and keys."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPen, QPolygonF

from fullfield_app.gui.measure.board import Board
from fullfield_app.gui.measure.marks import Line, Mark, Region, Shape, Slot, made
from fullfield_app.gui.view.area import Point
from fullfield_app.gui.view.camera import Look, Size
from fullfield_app.gui.view.tool import Drag

REACH = 7  # logical pixels around a handle or a line that take hold of it
KEY_STEP = 2  # device pixels that an arrow moves a mark by, and at least one pixel of the file
# Told apart by the colour-blind too (Okabe & Ito 2008), and by the line's style and the number beside it.
LOOKS = {
    Slot.ONE: (QColor("#f0e442"), Qt.PenStyle.SolidLine),
    Slot.TWO: (QColor("#cc79a7"), Qt.PenStyle.DashLine),
    Slot.LINE: (QColor("#009e73"), Qt.PenStyle.SolidLine),
}
_SHADE = QColor(0, 0, 0, 190)
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
_DELETE = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)


class MarkGlass:
    """See `view.tool.Glass`. `say_length`: how long a line is, in words."""

    def __init__(self, board: Board, say_length: Callable[[Line], str]) -> None:
        self._board, self._say_length = board, say_length

    # Painting ---------------------------------------------------------------------------------------------------

    def paint(self, painter: QPainter, look: Look, ratio: float) -> None:
        """Every mark, with its number or its length; the chosen one with its handles."""
        if not self._board.shown:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        marks = self._board.marks
        for slot, mark in marks.placed.items():
            colour, style = LOOKS[slot]
            for ink, width, line in ((_SHADE, 3.5, Qt.PenStyle.SolidLine), (colour, 1.7, style)):
                painter.setPen(QPen(ink, width * ratio, line))
                self._outline(painter, mark, look)
            places = [QPointF(*look.to_view(*place)) for place in mark.handles()]
            if slot is marks.chosen:
                self._handles(painter, places, colour, ratio)
            if isinstance(mark, Line):
                self._label(painter, self._say_length(mark), max(places, key=QPointF.x), colour, ratio, look.view)
            else:
                corner = min(places, key=lambda place: place.x() + place.y())
                self._label(painter, slot.value, corner - QPointF(10 * ratio, 0), colour, ratio, look.view)
        painter.restore()

    def _outline(self, painter: QPainter, mark: Mark, look: Look) -> None:
        places = [QPointF(*look.to_view(*place)) for place in mark.handles()]
        if isinstance(mark, Region) and mark.round:
            painter.drawEllipse(QRectF(places[0], places[2]).normalized())
        elif isinstance(mark, Region):
            painter.drawPolygon(QPolygonF(places))
        else:
            painter.drawLine(places[0], places[1])

    def _handles(self, painter: QPainter, places: list[QPointF], colour: QColor, ratio: float) -> None:
        painter.setPen(QPen(_SHADE, ratio))
        painter.setBrush(colour)
        half = 3.5 * ratio
        for place in places:
            painter.drawRect(QRectF(place.x() - half, place.y() - half, 2 * half, 2 * half))
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _label(self, painter: QPainter, text: str, place: QPointF, colour: QColor, ratio: float, view: Size) -> None:
        font = QFont(painter.font())
        font.setPointSizeF(10 * ratio)
        painter.setFont(font)
        size = painter.fontMetrics().size(Qt.TextFlag.TextSingleLine, text)
        width, height = size.width() + 8 * ratio, float(size.height())
        left = max(min(place.x() + 6 * ratio, view[0] - width), 0.0)
        top = max(min(place.y() - height - 2 * ratio, view[1] - height), 0.0)
        box = QRectF(left, top, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(_SHADE)
        painter.drawRoundedRect(box, 3 * ratio, 3 * ratio)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(colour)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        font.setPointSizeF(10.0)
        painter.setFont(font)

    # The mouse --------------------------------------------------------------------------------------------------

    def press(self, place: QPointF, look: Look, ratio: float) -> Drag | None:
        """Take hold of a handle or a mark; elsewhere begin a new one."""
        seen = (place.x() * ratio, place.y() * ratio)
        held = self._handle_at(seen, look, REACH * ratio)
        if held is not None:
            return self._pull(*held, look, ratio)
        start = look.to_image(*seen)
        slot = self._mark_at(seen, look, REACH * ratio)
        return self._move(slot, start, look, ratio) if slot is not None else self._draw(start, look, ratio)

    def _handle_at(self, seen: Point, look: Look, reach: float) -> tuple[Slot, int] | None:
        """The handle at a point of the view; `reach` in device pixels."""
        marks = self._board.marks
        slots = sorted(marks.placed, key=lambda slot: slot is not marks.chosen)
        for slot in slots:
            for number, handle in enumerate(marks.placed[slot].handles()):
                if math.dist(seen, look.to_view(*handle)) <= reach:
                    return slot, number
        return None

    def _mark_at(self, seen: Point, look: Look, reach: float) -> Slot | None:
        """The mark at a point of the view; `reach` in device pixels."""
        marks, place = self._board.marks.placed, look.to_image(*seen)
        for slot in reversed(marks):
            mark = marks[slot]
            if isinstance(mark, Line):
                if Line(start=look.to_view(*mark.start), end=look.to_view(*mark.end)).distance(seen) <= reach:
                    return slot
            elif self._board.shape is not Shape.LINE and mark.holds(place):  # a line may begin within a region
                return slot
        return None

    def _pull(self, slot: Slot, handle: int, look: Look, ratio: float) -> Drag:
        first = self._board.marks.placed[slot]

        def move(place: QPointF) -> None:
            to = look.to_image(place.x() * ratio, place.y() * ratio)
            self._board.put(slot, first.pulled(handle, to, look.image))

        return Drag(move=move)

    def _move(self, slot: Slot, start: Point, look: Look, ratio: float) -> Drag:
        first = self._board.marks.placed[slot]
        self._board.put(slot, first)

        def move(place: QPointF) -> None:
            now = look.to_image(place.x() * ratio, place.y() * ratio)
            self._board.put(slot, first.moved(now[0] - start[0], now[1] - start[1], look.image))

        return Drag(move=move)

    def _draw(self, start: Point, look: Look, ratio: float) -> Drag:
        shape = self._board.shape
        slot = self._board.marks.slot_for(shape)

        def move(place: QPointF) -> None:
            mark = made(shape, start, look.to_image(place.x() * ratio, place.y() * ratio), look.image)
            if mark is not None:
                self._board.put(slot, mark)

        return Drag(move=move)

    # Keys -------------------------------------------------------------------------------------------------------

    def wants(self, event: QKeyEvent) -> bool:
        """The key that deletes belongs to a chosen mark; without one it is the list's."""
        return event.key() in _DELETE and self._board.shown and self._board.marks.chosen is not None

    def key(self, event: QKeyEvent, look: Look) -> bool:
        """Arrows move the chosen mark as one sees it, with Shift its size; Delete removes it."""
        if not self._board.shown or self._board.marks.chosen is None:
            return False
        if event.key() in _DELETE:
            self._board.delete()
            return True
        step = _ARROWS.get(Qt.Key(event.key()))
        if step is None or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        wide, high = look.orientation.size(look.pixel)  # as it is seen
        size = max(round(KEY_STEP / look.camera.scale), wide if step[0] else high)
        begin, end = look.to_image(0, 0), look.to_image(step[0] * look.camera.scale, step[1] * look.camera.scale)
        right, down = (size * (to - at) for at, to in zip(begin, end, strict=True))
        resize = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        region = isinstance(self._board.marks.placed[self._board.marks.chosen], Region)
        if resize and region:  # larger to the right and downwards as one sees it, whatever way up the file is
            sign = step[0] + step[1]
            right, down = sign * abs(right), sign * abs(down)
        self._board.change_chosen(right, down, look.image, resize=resize)
        return True

"""What a pressed button does while the mouse moves: window, zoom, pan, a mark, or an area with the right button.

A drag is always measured from where it began, so no rounding adds up. It asks the view, and changes nothing itself.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt

from fullfield_app.gui.view.area import between
from fullfield_app.gui.view.canvas import Canvas
from fullfield_app.gui.view.tool import Drag, Tool
from fullfield_app.gui.view.window_tool import drag_of

ZOOM_DRAG = 6.0  # doublings per height of the view
STILL = 4  # logical pixels: a hand that moves less than this has clicked


def begin(view: Canvas, button: Qt.MouseButton, place: QPointF, tool: Tool) -> Drag | None:
    """The drag that `button` begins at `place`; None where it does nothing."""
    match button, tool:
        case Qt.MouseButton.MiddleButton, _:
            return _pan(view, place)
        case Qt.MouseButton.RightButton, _:
            return _area(view, place)
        case Qt.MouseButton.LeftButton, Tool.PAN:
            return _pan(view, place)
        case Qt.MouseButton.LeftButton, Tool.ZOOM:
            return _zoom(view, place)
        case Qt.MouseButton.LeftButton, Tool.WINDOW:
            return _window(view, place)
        case Qt.MouseButton.LeftButton, Tool.MARK:
            look, glass = view.whole_look(), view.glass
            return None if glass is None or look is None else glass.press(place, look, view.devicePixelRatioF())
    return None


def _pan(view: Canvas, start: QPointF) -> Drag | None:
    look, ratio = view.whole_look(), view.devicePixelRatioF()
    if look is None:
        return None
    size, camera = look.drawn, look.camera

    def move(place: QPointF) -> None:
        way = (place - start) * ratio
        view.camera_asked.emit(camera.panned(way.x(), way.y(), size))

    return Drag(move=move)


def _zoom(view: Canvas, start: QPointF) -> Drag | None:
    look, ratio = view.whole_look(), view.devicePixelRatioF()
    if look is None:
        return None
    size, camera = look.drawn, look.camera

    def move(place: QPointF) -> None:
        factor = 2.0 ** (-ZOOM_DRAG * (place.y() - start.y()) / view.height())
        view.camera_asked.emit(camera.zoomed(factor, (start.x() * ratio, start.y() * ratio), look.view, size))

    return Drag(move=move)


def _window(view: Canvas, start: QPointF) -> Drag | None:
    found = view.shown_at(start)
    if found is None:
        return None
    side, shown = found
    window = drag_of(shown.picture, shown.voi)

    def move(place: QPointF) -> None:
        way = place - start
        view.window_asked.emit(side, window.moved(way.x() / view.width(), way.y() / view.height()))

    return Drag(move=move)


def _area(view: Canvas, start: QPointF) -> Drag | None:
    """The right button: an area for the window of what lies in it, or, without a move, the menu."""
    found, look, ratio = view.shown_at(start), view.whole_look(), view.devicePixelRatioF()
    if found is None or look is None:
        return None
    ends = [start]

    def move(place: QPointF) -> None:
        ends[-1] = place
        moved = (place - start).manhattanLength() > STILL
        view.draw_band(QRectF(start, place).normalized() if moved else None)

    def end() -> None:
        view.draw_band(None)
        if (ends[-1] - start).manhattanLength() <= STILL:
            view.menu_asked.emit(view.mapToGlobal(start.toPoint()))
            return
        corners = [look.to_image(place.x() * ratio, place.y() * ratio) for place in (start, ends[-1])]
        area = between(corners[0], corners[1]).kept(look.image)
        if area.width >= 1 and area.height >= 1:
            view.area_asked.emit(found[0], area)

    return Drag(move=move, end=end)

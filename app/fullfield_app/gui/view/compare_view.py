"""Before and after: side by side, under a curtain, one at a time, or as their difference; from where one looks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from fullfield.image.image import Voi
from fullfield.image.values import Window
from fullfield_app.gui.view import camera as cameras
from fullfield_app.gui.view.area import Area, Point
from fullfield_app.gui.view.camera import UPRIGHT, Camera, Orientation
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.curtain import Curtain
from fullfield_app.gui.view.difference import SCALES, Difference
from fullfield_app.gui.view.image_view import ImageView
from fullfield_app.gui.view.overlay import Corners
from fullfield_app.gui.view.pair import Pair
from fullfield_app.gui.view.picture import Picture
from fullfield_app.gui.view.presets import auto_window
from fullfield_app.gui.view.readout import readout
from fullfield_app.gui.view.tone import Shown
from fullfield_app.gui.view.tool import Glass, Tool
from fullfield_app.gui.view.viewer import Viewer
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import ElidedLabel

Make = Callable[[Picture], Voi]


class Mode(StrEnum):
    """How the two are compared."""

    SIDE_BY_SIDE = "side by side"
    CURTAIN = "curtain"
    SINGLE = "one at a time"
    DIFFERENCE = "difference"


class CompareView(QWidget):
    """Shows one pair. `shown_changed`: what is seen has changed (image or window); `look_changed`: from where.

    `menu_asked`: the right button was clicked there (on the screen); `tapped`: the space bar, on an image.
    """

    shown_changed = Signal()
    look_changed = Signal()
    menu_asked = Signal(object)
    tapped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.mode = Mode.SIDE_BY_SIDE
        self.orientation = UPRIGHT
        self.looks_linked, self.exchanged = True, False
        self._pair = Pair()
        self._messages = {Side.BEFORE: "", Side.AFTER: ""}
        self._captions = {Side.BEFORE: self.tr("Before"), Side.AFTER: self.tr("After")}
        self._corners: Corners | None = None
        self._overlay = False
        self._build()
        self._connect_signals()

    def _build(self) -> None:
        self._views = {side: ImageView(side) for side in Side}
        name(self._views[Side.BEFORE], self.tr("Image before"))
        name(self._views[Side.AFTER], self.tr("Image after"))
        self._curtain, self._difference = Curtain(), Difference()
        name(self._curtain, self.tr("Before and after under a curtain"))
        name(self._difference, self.tr("Difference of after and before"))
        self._both = QSplitter(Qt.Orientation.Horizontal)
        name(self._both, self.tr("Before and after side by side"))
        self._both.setChildrenCollapsible(False)
        for view in self._views.values():
            self._both.addWidget(view)
        self._stack = QStackedWidget()
        name(self._stack, self.tr("Views of the images"))
        for widget in (self._both, self._curtain, self._difference):
            self._stack.addWidget(widget)
        self._readout = ElidedLabel()
        self._readout.setObjectName("quiet")
        name(self._readout, self.tr("Values under the mouse"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self._readout)

    def _connect_signals(self) -> None:
        for view in self.viewers():
            view.camera_asked.connect(lambda camera, view=view: self._set_camera(view, camera))
            view.window_asked.connect(self.set_window)
            view.area_asked.connect(self.window_of_area)
            view.pointed.connect(self._point)
            view.menu_asked.connect(self.menu_asked)
            view.reset_asked.connect(self.reset)
            view.tapped.connect(self.tapped)
            view.resized.connect(lambda view=view: self._follow(view))

    # What is shown ----------------------------------------------------------------------------------------------

    def set_captions(self, before: str, after: str, *, names: tuple[str, str]) -> None:
        """Other words for the two, and other names for their views: another page has a pair of its own."""
        self._captions = {Side.BEFORE: before, Side.AFTER: after}
        for side, text in zip((Side.BEFORE, Side.AFTER), names, strict=True):
            name(self._views[side], text)
        self._pass_on()

    def show_pair(
        self, before: Shown | None, after: Shown | None, *, orientation: Orientation = UPRIGHT, inverted: bool = False
    ) -> None:
        """Show another pair, from the start: the whole image; upright, unless it is known to be seen otherwise."""
        self.orientation = orientation
        self._pair.show(before, after, inverted=inverted)
        self._messages = {Side.BEFORE: "", Side.AFTER: ""}
        self._point(None)
        for view in self.viewers():
            view.drop()
        self._pass_on()
        self.fit()

    def show_side(self, side: Side, picture: Picture | None, voi: Voi | None = None, message: str = "") -> None:
        """Exchange one image of the pair, or put `message` in its place; the look stays as it is."""
        if self._pair.empty:
            self.fit()
        self._pair.exchange(side, picture, voi)
        self._messages[side] = message
        self._pass_on()

    def shown(self, side: Side) -> Shown | None:
        """What one side shows."""
        return self._pair[side]

    @property
    def inverted(self) -> bool:
        """Bright and dark are exchanged, also in an image that is still to come."""
        return self._pair.inverted

    def set_window(self, side: Side, window: Window) -> None:
        """Show one side through another window, and the other one too where they are linked."""
        self._pair.set_window(side, window)
        self._pass_on()

    def set_windows(self, make: Make | None) -> None:
        """A preset: both sides, or the one with the focus where they are not linked; None: by what is in sight."""
        view, area = self._active(), self._active().in_sight()
        found = view.shown_at(QPointF()) if isinstance(view, ImageView) and view.hasFocus() else None
        side = found[0] if found is not None else None
        self._pair.set_windows(side, make or (lambda picture: auto_window(picture, area)))
        self._pass_on()

    def window_of_area(self, side: Side, area: Area) -> None:
        """The window of what lies in an area of the file."""
        self._pair.set_windows(side, lambda picture: auto_window(picture, area))
        self._pass_on()

    def link_windows(self, linked: bool) -> None:
        """Windows move together from now on, or not."""
        self._pair.set_linked(linked)

    def invert(self) -> None:
        """Exchange bright and dark."""
        self._pair.invert()
        self._pass_on()

    def exchange(self, exchanged: bool) -> None:
        """Blink: each place shows the other image, from where one looks."""
        if exchanged != self.exchanged:
            self.exchanged = exchanged
            self._pass_on()

    def set_corners(self, corners: Corners | None) -> None:
        """What the corners say of this image."""
        self._corners = corners
        self.show_overlay(self._overlay)

    def show_overlay(self, shown: bool) -> None:
        """Show the texts in the corners (patient data), or hide them."""
        self._overlay = shown
        for view in self.viewers():
            view.set_corners(self._corners if shown else None)

    # How it is looked at ----------------------------------------------------------------------------------------

    @property
    def camera(self) -> Camera:
        """From where the view in use is looked at."""
        return self._active().camera

    def set_mode(self, mode: Mode) -> None:
        """Side by side, under the curtain, one at a time, or the difference."""
        self.mode = mode
        self._views[Side.BEFORE].setVisible(mode is Mode.SIDE_BY_SIDE)
        widgets: dict[Mode, QWidget] = {Mode.CURTAIN: self._curtain, Mode.DIFFERENCE: self._difference}
        self._stack.setCurrentWidget(widgets.get(mode, self._both))
        self._follow(self._active())

    def set_tool(self, tool: Tool) -> None:
        """What a left drag does."""
        for view in self.viewers():
            view.set_tool(tool)

    def set_glass(self, glass: Glass) -> None:
        """What lies on the images."""
        for view in self.viewers():
            view.glass = glass

    def repaint_glass(self) -> None:
        """What lies on the images has changed."""
        for view in self.viewers():
            view.update()

    def next_scale(self) -> None:
        """Another end of the difference's colour scale."""
        self._difference.set_scale(SCALES[(SCALES.index(self._difference.percent) + 1) % len(SCALES)])

    def link_looks(self, linked: bool) -> None:
        """Zoom and place are those of all views from now on, or of each its own."""
        self.looks_linked = linked
        if linked:
            self._set_camera(self._active(), self.camera)

    def in_sight(self) -> Area | None:
        """The part of the file that the view in use shows."""
        return self._active().in_sight()

    def sight_of(self, side: Side) -> tuple[Area, float] | None:
        """The part of the file that is seen of one side, and how large: device pixels per longer side of a pixel."""
        alone = {Mode.CURTAIN: self._curtain, Mode.DIFFERENCE: self._difference}.get(self.mode)
        view: Viewer = alone or self._views[side]
        look = view.whole_look() or self._active().whole_look()
        area = view.in_sight() or self._active().in_sight()
        return None if look is None or area is None else (area, look.camera.scale * max(look.pixel))

    def zoom(self, factor: float) -> None:
        """Larger or smaller, about the middle."""
        self._active().zoom(factor)

    def one_to_one(self) -> None:
        """The shorter side of an image pixel on one pixel of the screen."""
        self._set_camera(self._active(), replace(self.camera, scale=1.0, fitted=False))

    def fit(self) -> None:
        """The whole image; where there is none yet, as soon as it comes."""
        for view in (self._active(),) if self.looks_linked else self.viewers():
            self._fit(view)

    def reset(self) -> None:
        """Everything as it was shown first: the whole image, upright, through its own window."""
        self.orientation = UPRIGHT
        self._pair.reset()
        self._pass_on()
        self.fit()

    def turn(self, quarters: int) -> None:
        """Turn clockwise by quarters; the view shows the whole image again."""
        self.orientation = self.orientation.turned(quarters)
        self._pass_on()
        self.fit()

    def flip(self, *, upside_down: bool = False) -> None:
        """Mirror as one sees it."""
        self.orientation = self.orientation.flipped(upside_down=upside_down)
        self._pass_on()
        self.fit()

    # Within -----------------------------------------------------------------------------------------------------

    def viewers(self) -> tuple[Viewer, ...]:
        """All its views, whether they are seen or not."""
        return (*self._views.values(), self._curtain, self._difference)

    def _active(self) -> Viewer:
        match self.mode:
            case Mode.CURTAIN:
                return self._curtain
            case Mode.DIFFERENCE:
                return self._difference
            case Mode.SINGLE:
                return self._views[Side.AFTER]
        focused = next((view for view in self._views.values() if view.hasFocus() and view.whole_look()), None)
        shown = (view for view in self._views.values() if view.whole_look() is not None)
        return focused or next(shown, self._views[Side.AFTER])

    def _fit(self, view: Viewer) -> None:
        place, size = view.view_size(), view.image_size()
        self._set_camera(view, Camera() if size is None or min(place) <= 0 else cameras.fit(place, size))

    def _set_camera(self, asking: Viewer, camera: Camera) -> None:
        for view in self.viewers() if self.looks_linked else (asking,):
            view.look(camera, self.orientation)
        self.look_changed.emit()

    def _follow(self, view: Viewer) -> None:
        followed = self._active() if self.looks_linked else view
        if followed.camera.fitted:
            self._fit(followed)

    def _point(self, point: Point | None) -> None:
        self._readout.show_text(readout(point, self._pair[Side.BEFORE], self._pair[Side.AFTER]))

    def _pass_on(self) -> None:
        waiting = [viewer for viewer in self.viewers() if viewer.image_size() is None]
        order = (Side.AFTER, Side.BEFORE) if self.exchanged else (Side.BEFORE, Side.AFTER)
        shown = {side: self._pair[side] for side in Side}
        for place, side in zip(Side, order, strict=True):
            self._views[place].show_image(side, self._captions[side], shown[side], self._messages[side])
        self._curtain.show_images(order, self._captions, shown, self._messages)
        caption = self._captions[Side.AFTER] if self.exchanged else self.tr("After minus before")
        message = self._messages[Side.AFTER] or self._messages[Side.BEFORE]
        self._difference.show_images(shown, caption, message, Side.AFTER if self.exchanged else None)
        for viewer in self.viewers():
            viewer.look(viewer.camera, self.orientation)
        for viewer in (one for one in waiting if one.image_size() is not None):
            self._follow(viewer)
        self.shown_changed.emit()

"""Before and after: side by side, or one under the curtain, always with the same zoom, place and turn."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QStackedLayout, QWidget

from fullfield.image.image import Voi, Window
from fullfield_app.gui.view import camera as cameras
from fullfield_app.gui.view.camera import Camera, Orientation
from fullfield_app.gui.view.curtain import Curtain
from fullfield_app.gui.view.image_view import ImageView
from fullfield_app.gui.view.picture import Picture
from fullfield_app.gui.view.tone import Shown
from fullfield_app.gui.view.viewer import Side, Tool, Viewer
from fullfield_app.gui.widgets.accessible import name


class Mode(StrEnum):
    """How the two are compared."""

    SIDE_BY_SIDE = "side by side"
    CURTAIN = "curtain"


class CompareView(QWidget):
    """Shows one pair. `shown_changed`: what is seen has changed (image or window); `look_changed`: from where."""

    shown_changed = Signal()
    look_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.mode = Mode.SIDE_BY_SIDE
        self.camera, self.orientation, self.inverted = Camera(), Orientation(), False
        self._shown: dict[Side, Shown | None] = {Side.BEFORE: None, Side.AFTER: None}
        self._messages = {Side.BEFORE: "", Side.AFTER: ""}
        self._build()
        self._connect_signals()

    def _build(self) -> None:
        before, after = self.tr("Before"), self.tr("After")
        self._views = {Side.BEFORE: ImageView(Side.BEFORE, before), Side.AFTER: ImageView(Side.AFTER, after)}
        name(self._views[Side.BEFORE], self.tr("Image before"))
        name(self._views[Side.AFTER], self.tr("Image after"))
        self._curtain = Curtain((before, after))
        name(self._curtain, self.tr("Before and after under a curtain"))
        self._pair = QSplitter(Qt.Orientation.Horizontal)
        name(self._pair, self.tr("Before and after side by side"))
        self._pair.setChildrenCollapsible(False)
        for view in self._views.values():
            self._pair.addWidget(view)
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self._pair)
        self._stack.addWidget(self._curtain)

    def _connect_signals(self) -> None:
        for view in self._viewers():
            view.camera_asked.connect(self._set_camera)
            view.window_asked.connect(self.set_window)
            view.reset_asked.connect(self.reset)
            view.resized.connect(self._follow)

    # What is shown ----------------------------------------------------------------------------------------------

    def show_pair(self, before: Shown | None, after: Shown | None, *, messages: tuple[str, str] = ("", "")) -> None:
        """Show another pair, from the start: the whole image, upright."""
        self.orientation, self.inverted = Orientation(), False
        self._shown = {Side.BEFORE: before, Side.AFTER: after}
        self._messages = {Side.BEFORE: messages[0], Side.AFTER: messages[1]}
        self._pass_on()
        self.fit()

    def show_side(self, side: Side, picture: Picture | None, voi: Voi | None = None, message: str = "") -> None:
        """Exchange one image of the pair, or put `message` in its place; the look stays as it is."""
        first = all(shown is None for shown in self._shown.values())
        self._shown[side] = None
        if picture is not None:
            self._shown[side] = Shown(picture=picture, voi=voi or picture.voi, inverted=self.inverted)
        self._messages[side] = message
        self._pass_on()
        if first:
            self.fit()

    def shown(self, side: Side) -> Shown | None:
        """What one side shows."""
        return self._shown[side]

    def set_window(self, side: Side, window: Window) -> None:
        """Show one side through another window."""
        shown = self._shown[side]
        if shown is not None:
            self._shown[side] = replace(shown, voi=window)
            self._pass_on()

    # How it is looked at ----------------------------------------------------------------------------------------

    def set_mode(self, mode: Mode) -> None:
        """Side by side, or under the curtain."""
        self.mode = mode
        self._stack.setCurrentWidget(self._curtain if mode is Mode.CURTAIN else self._pair)
        self._follow()

    def set_tool(self, tool: Tool) -> None:
        """What a left drag does."""
        for view in self._viewers():
            view.set_tool(tool)

    def zoom(self, factor: float) -> None:
        """Larger or smaller, about the middle."""
        self._active().zoom(factor)

    def one_to_one(self) -> None:
        """One image pixel on one pixel of the screen."""
        self._set_camera(replace(self.camera, scale=1.0, fitted=False))

    def fit(self) -> None:
        """The whole image."""
        view, size = self._active(), self._active().image_size()
        if size is not None and min(view.view_size()) > 0:
            self._set_camera(cameras.fit(view.view_size(), size))

    def reset(self) -> None:
        """Everything as it was shown first: the whole image, upright, through its own window."""
        self.orientation, self.inverted = Orientation(), False
        for side, shown in self._shown.items():
            if shown is not None:
                self._shown[side] = Shown(picture=shown.picture, voi=shown.picture.voi)
        self._pass_on()
        self.fit()

    def invert(self) -> None:
        """Exchange bright and dark."""
        self.inverted = not self.inverted
        for side, shown in self._shown.items():
            if shown is not None:
                self._shown[side] = replace(shown, inverted=self.inverted)
        self._pass_on()

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

    def _viewers(self) -> tuple[Viewer, ...]:
        return (*self._views.values(), self._curtain)

    def _active(self) -> Viewer:
        if self.mode is Mode.CURTAIN:
            return self._curtain
        side = Side.BEFORE if self._shown[Side.BEFORE] is not None else Side.AFTER
        return self._views[side]

    def _set_camera(self, camera: Camera) -> None:
        self.camera = camera
        for view in self._viewers():
            view.look(self.camera, self.orientation)
        self.look_changed.emit()

    def _follow(self) -> None:
        if self.camera.fitted:
            self.fit()

    def _pass_on(self) -> None:
        for side, view in self._views.items():
            view.show_image(self._shown[side], self._messages[side])
        self._curtain.show_images(self._shown[Side.BEFORE], self._shown[Side.AFTER], self._messages[Side.AFTER])
        for viewer in self._viewers():
            viewer.look(self.camera, self.orientation)
        self.shown_changed.emit()

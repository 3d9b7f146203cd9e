"""Two images side by side, seen alike: zoom, place and window go together, and no number tells them apart.

A window's change counts in shares of each image's own range.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QHBoxLayout, QWidget

from fullfield.image.values import Window
from fullfield_app.gui.view import camera as cameras
from fullfield_app.gui.view.area import Area
from fullfield_app.gui.view.camera import Camera, Orientation
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.image_view import ImageView
from fullfield_app.gui.view.pair import Pair
from fullfield_app.gui.view.picture import Picture
from fullfield_app.gui.view.presets import auto_window
from fullfield_app.gui.view.tone import Shown
from fullfield_app.gui.widgets.accessible import name

LEFT, RIGHT = Side.BEFORE, Side.AFTER  # places only: neither need be of before or after


class LinkedView(ImageView):
    """A view whose caption gives the zoom alone: width and level of a window would tell the two apart."""

    def numbers(self, shown: Shown) -> str:
        """See `Viewer`."""
        return self.tr("{zoom} %").format(zoom=round(self.camera.scale * 100))


class LinkedPair(QWidget):
    """Shows what it is given; `complete` while both images are to be seen. `titles`: what stands on them, left and
    right; None: their places alone."""

    def __init__(self, titles: tuple[str, str] | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("The two images"))
        self._pair, self._orientation = Pair(), Orientation()
        self._messages = {LEFT: "", RIGHT: ""}
        left, right = titles or (self.tr("Left"), self.tr("Right"))
        self._captions = {LEFT: left, RIGHT: right}
        self._views = {side: LinkedView(side) for side in (LEFT, RIGHT)}
        name(self._views[LEFT], self.tr("Image on the left"))
        name(self._views[RIGHT], self.tr("Image on the right"))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        for view in self._views.values():
            layout.addWidget(view, 1)
            view.camera_asked.connect(self._look)
            view.window_asked.connect(self._set_window)
            view.area_asked.connect(self._window_of_area)
            view.reset_asked.connect(self.reset)
            view.resized.connect(self._follow)

    @property
    def complete(self) -> bool:
        """Both are to be seen."""
        return self._pair[LEFT] is not None and self._pair[RIGHT] is not None

    def show_pair(self, left: Picture | str, right: Picture | str) -> None:
        """Show two images, each through its own first window, or a sentence in the place of one."""
        shown: list[Shown | None] = []
        for side, what in ((LEFT, left), (RIGHT, right)):
            self._views[side].drop()
            self._messages[side] = what if isinstance(what, str) else ""
            shown.append(None if isinstance(what, str) else Shown(picture=what, voi=what.voi))
        self._pair.show(*shown)
        self._orientation = Orientation()
        self._pass_on()
        self.fit()

    def fit(self) -> None:
        """The whole image."""
        view = self._lead()
        size = view.image_size()
        if size is not None and min(view.view_size()) > 0:
            self._look(cameras.fit(view.view_size(), size))

    def one_to_one(self) -> None:
        """The shorter side of an image pixel on one pixel of the screen."""
        self._look(replace(self._lead().camera, scale=1.0, fitted=False))

    def zoom(self, factor: float) -> None:
        """Larger or smaller, about the middle."""
        self._lead().zoom(factor)

    def invert(self) -> None:
        """Exchange bright and dark."""
        self._pair.invert()
        self._pass_on()

    def reset(self) -> None:
        """As the pair was shown first."""
        self._pair.reset()
        self._pass_on()
        self.fit()

    # Within -----------------------------------------------------------------------------------------------------

    def _lead(self) -> LinkedView:
        return self._views[LEFT] if self._pair[LEFT] is not None else self._views[RIGHT]

    def _look(self, camera: Camera) -> None:
        for view in self._views.values():
            view.look(camera, self._orientation)

    def _set_window(self, side: Side, window: Window) -> None:
        self._pair.set_window(side, window)
        self._pass_on()

    def _window_of_area(self, _: Side, area: Area) -> None:
        self._pair.set_windows(None, lambda picture: auto_window(picture, area))
        self._pass_on()

    def _follow(self) -> None:
        if self._lead().camera.fitted:
            self.fit()

    def _pass_on(self) -> None:
        for side, view in self._views.items():
            view.show_image(side, self._captions[side], self._pair[side], self._messages[side])

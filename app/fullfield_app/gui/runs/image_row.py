"""Images of one radiograph beside each other, looked at from the same place through the same window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from fullfield.image.image import Voi
from fullfield_app.gui.runs.sample_pictures import WHOLE, SamplePictures
from fullfield_app.gui.view import camera as cameras
from fullfield_app.gui.view.area import Area
from fullfield_app.gui.view.camera import Camera, Orientation, Size
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.image_view import ImageView
from fullfield_app.gui.view.presets import auto_window
from fullfield_app.gui.view.tone import Shown
from fullfield_app.gui.widgets.accessible import name

translate = QCoreApplication.translate


@dataclass(frozen=True, kw_only=True)
class Cell:
    """What one place shows: a picture under a caption, or a sentence."""

    caption: str
    shown: Shown | None = None
    message: str = ""


def cell(pictures: SamplePictures, path: Path, pixel: Size, caption: str) -> Cell:
    """The picture of a file, of pixels of that size, as far as it is there; that it is no longer, in words."""
    shown = pictures.get(path, pixel)
    gone = translate("image_row", "This image is no longer there.") if pictures.gone(path) else ""
    return Cell(caption=caption, shown=shown, message=gone)


class ImageRow(QWidget):
    """Shows as many images as it has names."""

    def __init__(self, title: str, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, title)
        self._voi: Voi = WHOLE
        self._camera = Camera()
        self._cells: tuple[Cell, ...] = tuple(Cell(caption="") for _ in names)
        self._views = [ImageView(Side.AFTER) for _ in names]
        splitter = QSplitter(Qt.Orientation.Horizontal)
        name(splitter, self.tr("{title}, side by side").format(title=title))
        splitter.setChildrenCollapsible(False)
        for place, (view, text) in enumerate(zip(self._views, names, strict=True)):
            name(view, text)
            view.setMinimumSize(90, 120)
            splitter.addWidget(view)
            view.camera_asked.connect(self._look)
            view.window_asked.connect(lambda _, voi: self._see(voi))
            view.area_asked.connect(partial(self._see_area, place))
            view.reset_asked.connect(self.reset)
            view.resized.connect(self._follow)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    def show_cells(self, cells: Sequence[Cell]) -> None:
        """Show these; where one looks at them from stays."""
        first = all(cell.shown is None for cell in self._cells)
        self._cells = tuple(cells)
        self._pass_on()
        if first:
            self._fit()

    def reset(self) -> None:
        """The whole image, from black to white."""
        self._voi = WHOLE
        self._pass_on()
        self._fit()

    def _see(self, voi: Voi) -> None:
        self._voi = voi
        self._pass_on()

    def _see_area(self, place: int, _: Side, area: Area) -> None:
        """The window of what lies in an area of one of them."""
        shown = self._cells[place].shown
        if shown is not None:
            self._see(auto_window(shown.picture, area))

    def _pass_on(self) -> None:
        for view, cell in zip(self._views, self._cells, strict=True):
            shown = (
                cell.shown if cell.shown is None or cell.shown.voi == self._voi else replace(cell.shown, voi=self._voi)
            )
            view.show_image(Side.AFTER, cell.caption, shown, cell.message)
            view.look(self._camera, Orientation())

    def _look(self, camera: Camera) -> None:
        self._camera = camera
        for view in self._views:
            view.look(camera, Orientation())

    def _follow(self) -> None:
        if self._camera.fitted:
            self._fit()

    def _fit(self) -> None:
        """Into the narrowest view, for all are looked at alike."""
        found = [(view.view_size(), size) for view in self._views if (size := view.image_size()) is not None]
        found = [(room, size) for room, size in found if min(room) > 0]
        if found:
            self._look(min((cameras.fit(room, size) for room, size in found), key=lambda camera: camera.scale))

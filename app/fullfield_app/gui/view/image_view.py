"""One image in a view of its own, with its caption."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.caption import Corner, paint_caption, paint_message
from fullfield_app.gui.view.layer import Layer
from fullfield_app.gui.view.marks import CellsLayer, colours, disagreement_colours
from fullfield_app.gui.view.tone import Shown
from fullfield_app.gui.view.viewer import Viewer


class ImageView(Viewer):
    """Shows the image of one side, or a sentence in its place. `side`: whose place it is, whatever it shows now."""

    def __init__(self, side: Side, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.side = self._shows = side
        self._caption = ""
        self._layer = Layer()
        self._marks, self._disagreement = CellsLayer(colours), CellsLayer(disagreement_colours)
        self._shown: Shown | None = None
        self._message = ""

    def show_image(self, shows: Side, caption: str, shown: Shown | None, message: str = "") -> None:
        """Show the image of side `shows`, or `message` where there is none."""
        if shown is not self._shown or (shows, caption, message) != (self._shows, self._caption, self._message):
            self._shows, self._caption, self._shown, self._message = shows, caption, shown, message
            self.describe()
            self.update()

    def shown_at(self, place: QPointF) -> tuple[Side, Shown] | None:
        """See `Viewer`."""
        return None if self._shown is None else (self._shows, self._shown)

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """See `Viewer`."""
        ratio = self.devicePixelRatioF()
        if self._shown is None:
            paint_message(painter, area, self._message, ratio)
        else:
            size = (area.width(), area.height())
            self._layer.paint(
                painter, self._shown, camera=self.camera, orientation=self.orientation, view=size, clip=area
            )
            picture = self._shown.picture
            whole, pixel = map(self.orientation.size, ((picture.columns, picture.rows), picture.pixel))
            for wanted, layer, cells in (
                (self.disagreeing, self._disagreement, picture.disagreement),
                (self.marked, self._marks, picture.marks),
            ):
                if wanted and cells is not None:
                    layer.paint(
                        painter,
                        cells,
                        camera=self.camera,
                        orientation=self.orientation,
                        view=size,
                        whole=whole,
                        pixel=pixel,
                    )
            paint_caption(painter, area, self.numbers(self._shown), Corner.FOOT, ratio)
        paint_caption(painter, area, self._caption, Corner.LEFT, ratio)

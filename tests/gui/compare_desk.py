"""Two views with an image each, and a user's hands on them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fullfield.image.image import Voi
from fullfield.image.values import Window
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.compare_view import CompareView
from fullfield_app.gui.view.curtain import Curtain
from fullfield_app.gui.view.image_view import ImageView
from fullfield_app.gui.view.picture import open_source
from gui.fake_job import leave_decoded, radiograph
from gui.hands import Hands


class Desk(Hands):
    """A compare view alone, under a user's hands."""

    def __init__(self, view: CompareView, qtbot: QtBot) -> None:
        self.compare, self.qtbot = view, qtbot

    @property
    def before(self) -> ImageView:
        return next(view for view in self.compare.findChildren(ImageView) if view.side is Side.BEFORE)

    @property
    def after(self) -> ImageView:
        return next(view for view in self.compare.findChildren(ImageView) if view.side is Side.AFTER)

    @property
    def curtain(self) -> Curtain:
        return self.compare.findChildren(Curtain)[0]

    def window(self, side: Side) -> Window:  # type: ignore[override]  # no main window here: the DICOM one
        shown = self.compare.shown(side)
        assert shown is not None
        voi: Voi = shown.voi
        assert isinstance(voi, Window)
        return voi


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Desk:
    """An image of 400 × 300 before, a brighter one after, in a view of 1000 × 500."""
    view = CompareView()
    qtbot.addWidget(view)
    view.resize(1000, 500)
    view.show()
    qtbot.waitExposed(view)
    pixels = radiograph(400, 300)
    brighter = np.minimum(pixels.astype(np.uint32) * 2, 4095).astype(np.uint16)
    view.show_side(Side.BEFORE, open_source(leave_decoded(tmp_path / "a", pixels)).picture)
    view.show_side(Side.AFTER, open_source(leave_decoded(tmp_path / "b", brighter)).picture)
    return Desk(view, qtbot)


def seen(widget: QWidget) -> NDArray[np.uint8]:
    """What is painted, as grey levels."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width()].copy()

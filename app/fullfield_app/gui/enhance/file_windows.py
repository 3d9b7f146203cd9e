"""The windows and VOI LUTs of a file as a menu: makers give several, each with its explanation."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from fullfield.image.image import Voi
from fullfield_app.gui.view.picture import Picture
from fullfield_app.gui.view.window_tool import width_and_level
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import clean

LONGEST = 64  # signs of an explanation: as many as a DICOM value of its kind may have (LO)


class FileWindows(QMenu):
    """One entry for each of a picture's. `chosen`: carries the Voi of an entry."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Windows of the file"))
        self.offer(None)

    def offer(self, picture: Picture | None) -> None:
        """Those of this picture; where its file has none but the first, there is nothing to choose."""
        self.clear()
        if picture is None:
            self.menuAction().setEnabled(False)
            return
        for number, voi in enumerate(picture.vois, 1):
            entry = self.addAction(self._label(picture, voi, number))
            entry.triggered.connect(lambda _checked=False, voi=voi: self.chosen.emit(voi))
        self.menuAction().setEnabled(len(picture.vois) > 1)

    def _label(self, picture: Picture, voi: Voi, number: int) -> str:
        """Its explanation and its numbers. A `&` of an explanation is no mnemonic."""
        said = clean(voi.name).strip()[:LONGEST] or str(number)
        width, level = width_and_level(picture, voi)
        text = self.tr("{name}   W {width}   L {level}").format(name=said, width=width, level=level)
        return text.replace("&", "&&")

"""The radiographs that runs leave after each epoch, opened in the background, the last few kept. No widget."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from fullfield.image.values import Window
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.view.camera import Size
from fullfield_app.gui.view.picture import Picture, open_result
from fullfield_app.gui.view.tone import Shown

KEPT = 40  # of 1024 pixels and 16 bits: some 3 MB each
BITS = 16
WHOLE = Window(low=0, high=65535)  # greys of 0…1: the same window for all, so that epochs can be compared


class SamplePictures(QObject):
    """`ready`: the path of a picture that is there now, or of one that cannot be opened."""

    ready = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = Tasks(self)
        self._pictures: OrderedDict[Path, Shown | None] = OrderedDict()
        self._asked: set[Path] = set()

    def get(self, path: Path, pixel: Size) -> Shown | None:
        """The picture at `path`, of pixels of that size; asked for, and `ready` told later, where it is not there."""
        if path in self._pictures:
            self._pictures.move_to_end(path)
            return self._pictures[path]
        if path not in self._asked:
            self._asked.add(path)
            self._tasks.start(
                lambda: open_result(path, BITS, pixel),
                lambda picture: self._keep(path, picture),
                failed=lambda _: self._keep(path, None),
            )
        return None

    def gone(self, path: Path) -> bool:
        """It cannot be opened."""
        return path in self._pictures and self._pictures[path] is None

    def close(self) -> None:
        """Open no more."""
        self._tasks.close()

    def _keep(self, path: Path, picture: Picture | None) -> None:
        self._asked.discard(path)
        self._pictures[path] = None if picture is None else Shown(picture=picture, voi=WHOLE)
        while len(self._pictures) > KEPT:
            self._pictures.popitem(last=False)
        self.ready.emit(path)

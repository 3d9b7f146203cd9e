"""The radiographs that runs leave after each epoch, opened in the background, the last few kept. No widget."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from fullfield.image.values import Window
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.view.camera import Size
from fullfield_app.gui.view.picture import open_result
from fullfield_app.gui.view.tone import Shown

KEPT = 40  # of 1024 pixels and 16 bits: some 3 MB each
BITS = 16
WHOLE = Window(low=0, high=65535)  # greys of 0…1: the same window for all, so that epochs can be compared


@dataclass(frozen=True, kw_only=True)
class _Kept:
    """`shown`: None where it cannot be opened; `stamp`: time and size of its file then; `look`: when it was asked for
    last, see `SamplePictures.look_again`."""

    shown: Shown | None
    stamp: tuple[int, int] | None
    look: int


class SamplePictures(QObject):
    """`ready`: the path of a picture that is there now, or of one that cannot be opened."""

    ready = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = Tasks(self)
        self._pictures: OrderedDict[Path, _Kept] = OrderedDict()
        self._asked: set[Path] = set()
        self._look = 0

    def get(self, path: Path, pixel: Size) -> Shown | None:
        """The picture at `path`, of pixels of that size; asked for, and `ready` told later, where it is not there."""
        kept, look = self._pictures.get(path), self._look
        if kept is not None:
            self._pictures.move_to_end(path)
        if path not in self._asked and (kept is None or kept.look != look):
            self._asked.add(path)
            self._tasks.start(
                lambda: _open(path, pixel, kept, look),
                lambda found: self._keep(path, found),
                failed=lambda _: self._keep(path, _Kept(shown=None, stamp=None, look=look)),
            )
        return None if kept is None else kept.shown

    def gone(self, path: Path) -> bool:
        """It cannot be opened."""
        return path in self._pictures and self._pictures[path].shown is None

    def look_again(self) -> None:
        """What is asked for from now on may have been written anew, or be there again: each file is looked at once."""
        self._look += 1

    def close(self) -> None:
        """Open no more."""
        self._tasks.close()

    def _keep(self, path: Path, found: _Kept) -> None:
        self._asked.discard(path)
        before = self._pictures.get(path)
        self._pictures[path] = found
        while len(self._pictures) > KEPT:
            self._pictures.popitem(last=False)
        if before is None or before.shown is not found.shown:
            self.ready.emit(path)


def _open(path: Path, pixel: Size, before: _Kept | None, look: int) -> _Kept:
    """In the background; what is as it was `before` is not opened again."""
    there = path.stat()
    stamp = there.st_mtime_ns, there.st_size
    if before is not None and before.stamp == stamp:
        return replace(before, look=look)
    return _Kept(shown=Shown(picture=open_result(path, BITS, pixel), voi=WHOLE), stamp=stamp, look=look)

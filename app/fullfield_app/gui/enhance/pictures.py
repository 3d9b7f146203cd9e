"""The images that are ready to be shown, made in the background, the last few kept; and their thumbnails.

No widget. A picture is known by the path that the worker left it at; `ready` says which is there now.
"""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from fullfield import log
from fullfield.errors import InputUnreadable
from fullfield.image import cache
from fullfield.image.header import Header
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.queue.row import Result
from fullfield_app.gui.view.picture import Picture, Source, open_result, open_source
from fullfield_app.gui.view.thumbnail import thumbnail

KEPT = 6  # reduced sizes add a third to what is mapped: some 12 MB each at 4288×4288
T = TypeVar("T")


class Pictures(QObject):
    """Opens what the worker left in the cache.

    `ready`: a path. `thumbnail_ready`: an index, a QImage and a Header; `thumbnail_failed`: an index. `failed`: a path
    and a FullfieldError. `broken`: an exception that nobody foresaw.
    """

    ready = Signal(object)
    thumbnail_ready = Signal(int, object, object)
    thumbnail_failed = Signal(int)
    failed = Signal(object, object)
    broken = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._large, self._small = Tasks(self), Tasks(self)  # the image one looks at never waits for thumbnails
        self._sources: OrderedDict[Path, Source] = OrderedDict()
        self._results: OrderedDict[Path, Picture] = OrderedDict()
        self._asked: set[Path] = set()
        self._gone: set[Path] = set()  # not asked for again until the worker has left it anew: one message is enough
        self._small.failed.connect(self.broken)

    def source(self, folder: Path) -> Source | None:
        """The image that was decoded into `folder`; asked for, and `ready` told later, where it is not there yet."""
        if folder in self._sources:
            self._sources.move_to_end(folder)
            return self._sources[folder]
        if self._ask(folder):
            self._large.start(
                lambda: open_source(folder),
                lambda source: self._keep_source(folder, source),
                failed=lambda error: self._fail(folder, error),
            )
        return None

    def result(self, result: Result, source: Picture) -> Picture | None:
        """The enhanced image of a source; asked for, and `ready` told later, where it is not there yet."""
        path = result.path
        if path in self._results:
            self._results.move_to_end(path)
            return self._results[path]
        if self._ask(path):
            self._large.start(
                lambda: open_result(path, result.bits, source.pixel),
                lambda picture: self._keep(self._results, path, picture),
                failed=lambda error: self._fail(path, error),
            )
        return None

    def ask_thumbnail(self, index: int, folder: Path) -> None:
        """Make a small picture of what was decoded into `folder`, and read its header."""
        self._small.start(
            lambda: (thumbnail(folder), cache.load(folder).header),
            lambda made: self._keep_small(index, *made),
            failed=lambda error: self._miss_small(index, error),
        )

    def left_anew(self, folder: Path) -> None:
        """The worker has left an image in `folder` (again): one that was gone can be asked for."""
        self._gone.discard(folder)

    def close(self) -> None:
        """Let go of all of them."""
        self._large.close()
        self._small.close()
        self._sources.clear()
        self._results.clear()

    def _ask(self, path: Path) -> bool:
        new = path not in self._asked | self._gone
        if new:
            self._asked.add(path)
        return new

    def _keep_small(self, index: int, image: QImage, header: Header) -> None:
        log.remember((*header.patient.identifiers(), *header.secrets))
        self.thumbnail_ready.emit(index, image, header)

    def _miss_small(self, index: int, error: BaseException) -> None:
        self.thumbnail_failed.emit(index)
        if not isinstance(error, OSError | ValueError):
            self.broken.emit(error)

    def _keep_source(self, folder: Path, source: Source) -> None:
        log.remember((*source.header.patient.identifiers(), *source.header.secrets))
        self._keep(self._sources, folder, source)

    def _keep(self, kept: OrderedDict[Path, T], path: Path, value: T) -> None:
        self._asked.discard(path)
        kept[path] = value
        while len(kept) > KEPT:
            kept.popitem(last=False)
        self.ready.emit(path)

    def _fail(self, path: Path, error: BaseException) -> None:
        self._asked.discard(path)
        self._gone.add(path)
        if not isinstance(error, OSError | ValueError | KeyError):
            self.broken.emit(error)
            return
        gone = InputUnreadable(
            self.tr("Cannot show the image."),
            detail=self.tr("Its pixels are no longer in the cache."),
            hint=self.tr("Remove the image from the list and open it again."),
        )
        self.failed.emit(path, gone)

"""Keeps the numbers in step with marks and images: measured in the background, at most so often while a hand moves."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.throttle import Throttle
from fullfield_app.gui.measure.board import Board
from fullfield_app.gui.measure.measured import Measured, measure
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.compare_view import CompareView
from fullfield_app.gui.view.picture import Picture

MEASURE_MILLISECONDS = 60
Pictures = tuple[Picture | None, Picture | None]


class Measuring(QObject):
    """`measured`: a Measured of the marks and images that are there now; `failed`: an exception nobody foresaw."""

    measured = Signal(object)
    failed = Signal(object)

    def __init__(self, view: CompareView, board: Board, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view, self._board = view, board
        self._pictures: Pictures = (None, None)
        self._busy = self._stale = False
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self._fail)
        self._throttle = Throttle(MEASURE_MILLISECONDS, self)
        self._throttle.passed.connect(lambda _: self._start())
        board.changed.connect(self._ask)
        view.shown_changed.connect(self._look)

    def close(self) -> None:
        """Measure no more."""
        self._tasks.close()

    def _look(self) -> None:
        """Another window shows the same values; another picture has others."""
        shown = [self._view.shown(side) for side in Side]
        pictures = (shown[0].picture if shown[0] else None, shown[1].picture if shown[1] else None)
        if any(now is not then for now, then in zip(pictures, self._pictures, strict=True)):
            self._pictures = pictures
            self._ask()

    def _ask(self) -> None:
        if self._board.shown:
            self._throttle.offer(None)

    def _start(self) -> None:
        if self._busy:  # the latest marks are measured when this is done: none pile up
            self._stale = True
            return
        self._busy, self._stale = True, False
        pictures, marks = self._pictures, self._board.marks
        self._tasks.start(lambda: measure(*pictures, marks), lambda found: self._take(found, pictures))

    def _take(self, found: Measured, pictures: Pictures) -> None:
        """Of marks that have moved on meanwhile it is told, for a hand may move them for long; of other images not."""
        self._end()
        if all(now is then for now, then in zip(pictures, self._pictures, strict=True)):
            self.measured.emit(found)

    def _fail(self, error: BaseException) -> None:
        self._end()
        self.failed.emit(error)

    def _end(self) -> None:
        self._busy = False
        if self._stale:
            self._start()

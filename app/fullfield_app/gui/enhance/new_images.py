"""What was opened last is what one sees: the first of the new images is chosen, unless a hand holds the one before,
or a dialog asks about it.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from fullfield_app.gui.enhance.adjust_panel import AdjustPanel
from fullfield_app.gui.enhance.queue_side import QueueSide
from fullfield_app.gui.view.compare_view import CompareView

AGAIN_MILLISECONDS = 100  # until it is looked whether the image is still held


class NewImages(QObject):
    """Chooses in the list of `side`; while something of the image in `view`, or one of the `sliders`, is held by the
    mouse it waits: the rest of a drag must not become another patient's. Nor must what a dialog asks."""

    def __init__(self, side: QueueSide, view: CompareView, sliders: AdjustPanel) -> None:
        super().__init__(side)
        self._side, self._view, self._sliders = side, view, sliders
        self._waiting = -1
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(AGAIN_MILLISECONDS)
        self._later.timeout.connect(self._choose)
        for viewer in view.viewers():
            viewer.drag_ended.connect(self._choose)
        sliders.rested.connect(self._choose)

    def take(self, indexes: tuple[int, ...]) -> None:
        """These are in the list now."""
        if indexes:
            if self._side.list.current() < 0:
                self._side.list.setFocus()
            self._waiting = indexes[0]
            self._choose()

    @property
    def held(self) -> bool:
        """A hand holds something of the image that is seen, or a dialog asks about it."""
        dragging = any(viewer.isVisible() and viewer.dragging for viewer in self._view.viewers())
        return dragging or self._sliders.held or QApplication.activeModalWidget() is not None

    def _choose(self) -> None:
        if self._waiting >= 0 and self.held and self._side.list.current() >= 0:
            self._later.start()
        elif self._waiting >= 0:
            index, self._waiting = self._waiting, -1
            self._side.list.choose(index)

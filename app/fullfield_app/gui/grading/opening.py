"""Opens the dialog of blind grading over the window, and ends it with the window. Imports it when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.enhance.row import Row

if TYPE_CHECKING:
    from fullfield_app.gui.grading.dialog import GradingDialog


class Grading(QObject):
    """`failed` carries an exception; `noticed` a sentence."""

    failed = Signal(object)
    noticed = Signal(str)

    def __init__(self, workers: Workers, page: QWidget) -> None:
        super().__init__(page)
        self._workers, self._page = workers, page
        self._dialog: GradingDialog | None = None

    def open(self, rows: Sequence[Row], folder: Path) -> None:
        """Grade images of `rows`, the whole list; results go into a folder within `folder`."""
        from fullfield_app.gui.grading.dialog import GradingDialog

        if self._dialog is not None:
            return
        self._dialog = GradingDialog(self._page.window(), self._workers, rows, folder)
        self._dialog.failed.connect(self.failed)
        self._dialog.paused.connect(self.noticed)
        self._dialog.finished.connect(self._forget)
        self._dialog.open()

    def close(self) -> None:
        """End the dialog where it is open: what was answered is kept."""
        if self._dialog is not None:
            self._dialog.reject()

    def _forget(self) -> None:
        self._dialog = None

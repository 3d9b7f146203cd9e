"""Opens the dialog before a switch over the window; ends what is at work in it once it is closed, in the background.

Imports it when it is asked for.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QWidget

from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.workers import Workers

if TYPE_CHECKING:
    from fullfield_app.gui.switching.dialog import SwitchDialog
    from fullfield_app.gui.switching.wanted import Switch


class Switching(QObject):
    """`failed`: an exception; `left`: the dialog is closed, whatever was chosen."""

    failed = Signal(object)
    left = Signal()

    def __init__(self, workers: Workers, page: QWidget) -> None:
        super().__init__(page)
        self._workers, self._page = workers, page
        self._dialog: SwitchDialog | None = None
        self._closed: list[SwitchDialog] = []  # and not ended yet
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self.failed)

    def offer(self, switch: Switch) -> None:
        """Ask whether this is wanted, and offer to look at it first; do it where it is."""
        from fullfield_app.gui.switching.dialog import SwitchDialog

        if self._dialog is not None:
            return
        dialog = self._dialog = SwitchDialog(self._page.window(), self._workers, switch)
        dialog.failed.connect(self.failed)
        dialog.accepted.connect(lambda: switch.use())
        dialog.finished.connect(self._leave)
        dialog.open()

    def close(self) -> None:
        """End the dialog where it is open: nothing is changed."""
        if self._dialog is not None:
            self._dialog.reject()
        self._tasks.close()
        for dialog in self._closed:
            dialog.end()

    def _leave(self, _: QDialog.DialogCode) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            self._closed.append(dialog)
            self._tasks.start(dialog.end, partial(self._forget, dialog))
        self.left.emit()

    def _forget(self, dialog: SwitchDialog, _: None) -> None:
        self._closed.remove(dialog)
        dialog.deleteLater()

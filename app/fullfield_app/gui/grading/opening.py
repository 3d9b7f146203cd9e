"""Opens the dialog of blind grading over the window; ends what is at work in it once it is closed, in the background.

Imports it when it is asked for.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from fullfield.errors import FullfieldError
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.queue.row import Row
from fullfield_app.gui.widgets.message_bar import Message

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
        self._closed: list[GradingDialog] = []  # and not ended yet
        self._test: Path | None = None  # the model that the next one is of
        self._tasks = Tasks(self)

    def invite(self, model: Path, act: Callable[[], object]) -> Message:
        """A message that offers to grade this model against what the images of the list get now. `act`: opens it."""
        self._test = model
        return Message(
            title=self.tr("Grade the new model blind, once the images have been enhanced."),
            text=self.tr("Each is shown as it is enhanced now and with the new model, on sides that nobody knows."),
            trouble=False,
            action=self.tr("Grade blind…"),
            act=act,
        )

    def open(self, rows: Sequence[Row], folder: Path) -> None:
        """Grade images of `rows`, the whole list; results go into a folder within `folder`."""
        from fullfield_app.gui.grading.dialog import GradingDialog

        if self._dialog is not None:
            return
        self._dialog = GradingDialog(self._page.window(), self._workers, rows, folder, test=self._test)
        self._test = None
        self._dialog.failed.connect(self.failed)
        self._dialog.finished.connect(self._leave)
        self._dialog.open()

    def close(self) -> None:
        """End the dialog where it is open: what was answered is kept."""
        if self._dialog is not None:
            self._dialog.reject()
        self._tasks.close()
        for dialog in self._closed:
            with contextlib.suppress(FullfieldError):  # nobody is left to tell
                dialog.end()

    def _leave(self) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            self._closed.append(dialog)
            self._tasks.start(dialog.end, partial(self._forget, dialog), failed=partial(self._fail, dialog))

    def _forget(self, dialog: GradingDialog, paused: bool) -> None:
        self._closed.remove(dialog)
        dialog.deleteLater()
        if paused:
            self.noticed.emit(self.tr("The grading is paused. Resume it from the same menu."))

    def _fail(self, dialog: GradingDialog, error: BaseException) -> None:
        self._forget(dialog, paused=False)
        self.failed.emit(error)

"""Between a run and its report: what is asked before it is made, and what is said or opened when it is there."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from fullfield.jobs.handle import Launch
from fullfield_app.gui.runs.report_dialog import ReportDialog
from fullfield_app.gui.runs.reporting import Reporting
from fullfield_app.gui.widgets.message_bar import Message


class ReportDesk(QObject):
    """`said`: a Message that a report is there; `failed`: an exception."""

    said = Signal(object)
    failed = Signal(object)

    def __init__(self, launch: Launch, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner
        self._reporting = Reporting(launch, self)
        self._to_see: Path | None = None  # is opened as soon as it is written
        self._reporting.written.connect(self._on_written)
        self._reporting.failed.connect(self.failed)

    def ask(self, run: Path) -> None:
        """Make a report of the run in `run`, of the kind and where the user wants it."""
        dialog = ReportDialog(self._owner.window())
        dialog.asked.connect(lambda path, images: self._reporting.make(run, path, images=images))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def show(self, run: Path) -> None:
        """Make one in the run's own folder, without patients' pixels, and open it."""
        self._to_see = run / "report.html"
        self._reporting.make(run, self._to_see, images=False)

    def close(self) -> None:
        """Begin no other, and end one that has begun."""
        self._reporting.close()

    def _on_written(self, path: Path) -> None:
        if path == self._to_see:
            _open(path)
        else:
            title, show = self.tr("The report has been saved."), self.tr("Open the report")
            self.said.emit(Message(title=title, trouble=False, action=show, act=lambda: _open(path)))


def _open(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

"""From a wish to export to the worker's commands: names planned in the background, and a question where files exist."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from fullfield.image.export import SUFFIX, OutputFormat
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.enhance.export_plan import Existing, ExportPlan, plan
from fullfield_app.gui.enhance.queue_model import Queue
from fullfield_app.gui.enhance.row import Row, State
from fullfield_app.gui.widgets.message_bar import Message
from fullfield_app.gui.widgets.question import Answer, ask

FORMATS = ((OutputFormat.DICOM, "DICOM"), (OutputFormat.PNG16, "PNG, 16 bit"), (OutputFormat.TIFF, "TIFF, 16 bit"))


class Exporting(QObject):
    """`planned`: the exports to ask of the worker; `said`: a Message when all of them have ended."""

    planned = Signal(object)
    said = Signal(object)

    def __init__(self, tasks: Tasks, owner: QWidget) -> None:
        super().__init__(owner)
        self._tasks, self._owner = tasks, owner
        self._running: dict[int, Path] = {}
        self._written = 0

    def export(
        self, rows: list[Row], chosen: set[int], *, folder: Path, format: str, existing: Existing = Existing.ASK
    ) -> None:
        """Plan the export of the `chosen` ones, and go on or ask."""
        kind = OutputFormat(format)

        def work() -> ExportPlan:
            return plan(rows, chosen, folder=folder, suffix=SUFFIX[kind], format=kind.value, existing=existing)

        def done(made: ExportPlan) -> None:
            if made.existing and existing is Existing.ASK:
                self._ask(made, lambda answer: self.export(rows, chosen, folder=folder, format=format, existing=answer))
            elif made.exports:
                self._running |= {export.index: folder for export in made.exports}
                self.planned.emit(made.exports)

        self._tasks.start(work, done)

    def follow(self, queue: Queue, indexes: frozenset[int]) -> None:
        """These rows have changed: when the last export has come to its end, say so."""
        for index in indexes & self._running.keys():
            row = queue.get(index)
            if row is None or row.wants_export is None:
                folder = self._running.pop(index)
                self._written += row is not None and row.state is State.EXPORTED
                if not self._running:
                    self._say_where(folder)
                    self._written = 0

    def _say_where(self, folder: Path) -> None:
        if not self._written:
            return  # each row says why
        title = self.tr("One image was exported.")
        if self._written > 1:
            title = self.tr("{count} images were exported.").format(count=self._written)
        text = self.tr("The folder is {folder}. The originals are untouched.").format(folder=folder)
        show, act = self.tr("Show folder"), partial(QDesktopServices.openUrl, QUrl.fromLocalFile(str(folder)))
        self.said.emit(Message(title=title, text=text, trouble=False, action=show, act=act))

    def _ask(self, made: ExportPlan, go_on: Callable[[Existing], None]) -> None:
        count, first = len(made.existing), made.existing[0].name
        text = (
            self.tr("{name} is in the folder already.").format(name=first)
            if count == 1
            else self.tr("{count} files are in the folder already, {name} among them.").format(count=count, name=first)
        )
        ask(
            self._owner,
            title=self.tr("Replace existing files?"),
            text=text,
            answers=(
                Answer(text=self.tr("Keep both"), act=lambda: go_on(Existing.KEEP_BOTH), default=True),
                Answer(text=self.tr("Replace"), act=lambda: go_on(Existing.REPLACE)),
            ),
            cancel=self.tr("Do not export"),
        )

"""From a wish to export to the worker's commands: names planned in the background, and a question where files exist."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from fullfield.image.export import SUFFIX, OutputFormat
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.enhance.export_plan import Existing, ExportPlan, plan
from fullfield_app.gui.enhance.row import Row
from fullfield_app.gui.widgets.question import Answer, ask

FORMATS = ((OutputFormat.DICOM, "DICOM"), (OutputFormat.PNG16, "PNG, 16 bit"), (OutputFormat.TIFF, "TIFF, 16 bit"))


class Exporting(QObject):
    """`planned`: the exports to ask of the worker."""

    planned = Signal(object)

    def __init__(self, tasks: Tasks, owner: QWidget) -> None:
        super().__init__(owner)
        self._tasks, self._owner = tasks, owner

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
            else:
                self.planned.emit(made.exports)

        self._tasks.start(work, done)

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

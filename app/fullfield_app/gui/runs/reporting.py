"""A report, made by a worker of its own, and waited for in the background. No widget."""

from __future__ import annotations

import shutil
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from fullfield.errors import FullfieldError
from fullfield.jobs.handle import JobHandle, Launch
from fullfield.jobs.job import Job
from fullfield.protocol.events import RunFailed
from fullfield.protocol.small import ReportSpec
from fullfield.translation import Language
from fullfield_app.gui import language
from fullfield_app.gui.bridge.task import Tasks


class Reporting(QObject):
    """`written`: the path of a report; `failed`: an exception."""

    written = Signal(object)
    failed = Signal(object)

    def __init__(self, launch: Launch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._launch, self._tasks = launch, Tasks(self)
        self._tasks.failed.connect(self.failed)
        self._handle: JobHandle | None = None
        self._closing = False

    def make(self, run: Path, output: Path, *, images: bool) -> None:
        """Write the report of the run in `run`, in the window's language."""
        spoken = language.spoken()
        self._tasks.start(lambda: self._make(run, output, images, spoken), self.written.emit)

    def close(self) -> None:
        """Begin no other, and end one that has begun: the window does not wait for it."""
        self._closing = True
        if self._handle is not None:
            self._handle.kill()
        self._tasks.close()

    def _make(self, run: Path, output: Path, images: bool, spoken: Language) -> Path:
        spec = ReportSpec(
            run=str(run),
            output=str(output),
            images=images,
            language=spoken.code,
            decimal=spoken.decimal,
            thousands=spoken.thousands,
        )
        handle = self._handle = self._launch(Job.of(spec))
        if self._closing:
            handle.kill()
        failure = next((event for event in handle.events() if isinstance(event, RunFailed)), None)
        shutil.rmtree(handle.folder, ignore_errors=True)
        if failure is not None:
            error = failure.error
            raise FullfieldError(error.get("title", ""), detail=error.get("detail", ""), hint=error.get("hint", ""))
        return output

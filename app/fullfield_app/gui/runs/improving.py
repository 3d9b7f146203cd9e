"""A model fine-tuned on the user's own images: asks for their folder, and starts the run. No setting is asked for."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from fullfield.jobs.job import Job
from fullfield.plan import spec as plans
from fullfield.plan import tuning
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.widgets.accessible import complete, name


class Improving(QObject):
    """`started`: the folder of the run; `failed`: an exception."""

    started = Signal(object)
    failed = Signal(object)

    def __init__(self, workers: Workers, owner: QWidget) -> None:
        super().__init__(owner)
        self._workers, self._owner = workers, owner
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self.failed)

    def ask(self, model: Path | None) -> None:
        """Let the user choose the folder. `model`: to begin from; None: from an untrained network."""
        dialog = QFileDialog(self._owner, self.tr("Choose the folder of your own images"))
        name(dialog, self.tr("Folder of images to improve a model with"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(lambda folder: self.begin(Path(folder), model))
        dialog.finished.connect(dialog.deleteLater)
        complete(dialog)
        dialog.open()

    def begin(self, folder: Path, model: Path | None) -> None:
        """Start the run on the images of a folder."""
        self._tasks.start(lambda: self._launch(folder, model), self.started.emit)

    def close(self) -> None:
        """Wait for a run that is being launched: it goes on without the window."""
        self._tasks.close()

    def _launch(self, folder: Path, model: Path | None) -> Path:
        given = tuning.settings(folder, weights=plans.NO_WEIGHTS if model is None else str(model.absolute()))
        spec = plans.from_json({**given, "data": str(folder.absolute())})
        return self._workers.launch(Job.of(spec)).folder

"""A model from a file, from its choice to its use: checked in the background, its card shown, used if it is wanted."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.widgets.accessible import complete, name

if TYPE_CHECKING:
    from fullfield.jobs.models import Model


class ModelFile(QObject):
    """`chosen`: the path of a model whose card has been seen; `failed`: an exception."""

    chosen = Signal(str)
    failed = Signal(object)

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self.failed)

    def ask(self) -> None:
        """Let the user choose a file."""
        title, kinds = self.tr("Choose a model"), self.tr("Fullfield models (*.safetensors)")
        dialog = QFileDialog(self._owner, title, "", kinds)
        name(dialog, self.tr("Choose a model file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self._tasks.start(lambda: _inspect(Path(path)), self._show))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def close(self) -> None:
        """Check no more."""
        self._tasks.close()

    def _show(self, model: Model) -> None:
        from fullfield_app.gui.runs.card_dialog import CardDialog  # not before somebody asks

        title, use = self.tr("Use this model?"), self.tr("Use it")
        dialog = CardDialog(model, title=title, act=use, parent=self._owner.window())
        complete(dialog)
        dialog.accepted.connect(lambda: self.chosen.emit(str(model.path)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()


def _inspect(path: Path) -> Model:
    from fullfield.jobs import models  # in the background: the first window need not wait for it

    return models.inspect(path)

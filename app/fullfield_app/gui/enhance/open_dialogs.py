"""The two dialogs that open files and folders, for those who do not drop them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from fullfield_app.gui.widgets.accessible import name


class OpenDialogs(QObject):
    """`chosen`: paths to open."""

    chosen = Signal(object)

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = owner

    def ask_files(self) -> None:
        """Choose files."""
        self._ask(self.tr("Open radiographs"), QFileDialog.FileMode.ExistingFiles)

    def ask_folder(self) -> None:
        """Choose a folder."""
        self._ask(self.tr("Open a folder of radiographs"), QFileDialog.FileMode.Directory)

    def _ask(self, title: str, mode: QFileDialog.FileMode) -> None:
        dialog = QFileDialog(self._owner, title)
        name(dialog, title)
        dialog.setFileMode(mode)
        dialog.filesSelected.connect(lambda paths: self.chosen.emit([Path(path) for path in paths]))
        dialog.open()

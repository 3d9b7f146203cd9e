"""Where results are written, in which format, and the two ways to write them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QPushButton, QWidget

from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import ElidedLabel, plain_label, tooltip

FOLDER_NAME = "Fullfield"


def default_folder() -> Path:
    """`Fullfield` in the user's Documents."""
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return (Path(documents) if documents else Path.home()) / FOLDER_NAME


class ExportBar(QWidget):
    """`export_asked` carries whether only the selected images are meant."""

    export_asked = Signal(bool)

    def __init__(self, formats: tuple[tuple[str, str], ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Export"))
        self.folder = default_folder()
        self._build(formats)
        self._connect_signals()
        self.set_folder(self.folder)
        self.set_ready(0)

    @property
    def format(self) -> str:
        """The key of the chosen format."""
        return str(self._format.currentData())

    def set_folder(self, folder: Path) -> None:
        """Export into `folder` from now on."""
        self.folder = folder
        self._folder.show_text(str(folder))

    def set_ready(self, count: int) -> None:
        """How many images can be exported."""
        self._all.setEnabled(count > 0)
        self._selected.setEnabled(count > 0)
        self._all.setText(self.tr("Export all ({count})").format(count=count) if count else self.tr("Export all"))

    def _build(self, formats: tuple[tuple[str, str], ...]) -> None:
        label = plain_label(self.tr("Export to"), object_name="quiet")
        name(label, self.tr("Export to, caption"))
        self._folder = ElidedLabel()
        name(self._folder, self.tr("Folder for exports"))
        self._change = QPushButton(self.tr("Change…"))
        name(self._change, self.tr("Change the folder for exports"))
        self._format = QComboBox()
        name(self._format, self.tr("Format of exports"))
        for key, title in formats:
            self._format.addItem(title, key)
        self._selected = QPushButton(self.tr("Export selected"))
        name(self._selected, self.tr("Export the selected images"))
        self._selected.setToolTip(tooltip(self.tr("Write the full enhanced data of the selected images")))
        self._all = QPushButton(self.tr("Export all"))
        self._all.setObjectName("primary")
        name(self._all, self.tr("Export all images"))
        self._all.setToolTip(tooltip(self.tr("Write the full enhanced data of all images; the window does not matter")))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(label)
        layout.addWidget(self._folder, 1)
        for widget in (self._change, self._format, self._selected, self._all):
            layout.addWidget(widget)

    def _connect_signals(self) -> None:
        self._change.clicked.connect(self._ask_folder)
        self._selected.clicked.connect(lambda: self.export_asked.emit(True))
        self._all.clicked.connect(lambda: self.export_asked.emit(False))

    def _ask_folder(self) -> None:
        start = self.folder if self.folder.exists() else self.folder.parent
        dialog = QFileDialog(self, self.tr("Choose a folder for exports"), str(start))
        name(dialog, self.tr("Choose a folder for exports"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda path: self.set_folder(Path(path)))
        dialog.open()

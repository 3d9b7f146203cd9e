"""Which kind of report, and whether the radiograph is in it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import plain_label


class ReportDialog(QDialog):
    """Asks for them, then for the file. `asked`: a Path, and whether with images."""

    asked = Signal(object, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = self.tr("Save a report of the run")
        self.setWindowTitle(title)
        name(self, title)
        self._html = QRadioButton(self.tr("Web page (HTML), one file that any browser shows"))
        self._pdf = QRadioButton(self.tr("PDF, to print and to file"))
        self._html.setChecked(True)
        name(self._html, self.tr("Report as a web page"))
        name(self._pdf, self.tr("Report as PDF"))
        self._images = QCheckBox(self.tr("With the watched radiograph, before and after"))
        name(self._images, self.tr("Radiograph in the report"))
        warning = plain_label(
            self.tr("It is a patient's image: tick this only for those who may see it. No name is in the report."),
            object_name="quiet",
            wrap=True,
        )
        name(warning, self.tr("Whose image it is"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        save = buttons.addButton(self.tr("Save as…"), QDialogButtonBox.ButtonRole.AcceptRole)
        name(buttons, self.tr("Save the report or not"))
        name(save, self.tr("Save the report"))
        name(buttons.button(QDialogButtonBox.StandardButton.Cancel), self.tr("Save no report"))
        save.setDefault(True)
        buttons.accepted.connect(self._ask_file)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget in (self._html, self._pdf, self._images, warning, buttons):
            layout.addWidget(widget)
        layout.insertStretch(layout.count() - 1, 1)
        self.resize(460, 200)
        complete(self)

    def _ask_file(self) -> None:
        suffix = "html" if self._html.isChecked() else "pdf"
        dialog = QFileDialog(self, self.tr("Save the report as"))
        name(dialog, self.tr("Save the report as"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(f"{suffix.upper()} (*.{suffix})")
        dialog.setDefaultSuffix(suffix)
        dialog.selectFile(f"fullfield-report.{suffix}")
        dialog.fileSelected.connect(self._give)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _give(self, path: str) -> None:
        self.asked.emit(Path(path), self._images.isChecked())
        self.accept()

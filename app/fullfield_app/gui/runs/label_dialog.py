"""The name and the notes that a user gives a run."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from fullfield.runs.runs import Label
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import plain_label

LONGEST_NAME = 80


class LabelDialog(QDialog):
    """Asks for them. `given`: a Label."""

    given = Signal(object)

    def __init__(self, label: Label, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = self.tr("Name and notes of the run")
        self.setWindowTitle(title)
        name(self, title)
        self._name, self._notes = QLineEdit(label.name), QPlainTextEdit(label.notes)
        self._name.setMaxLength(LONGEST_NAME)
        self._name.setPlaceholderText(self.tr("such as: knees, 2048 pixels"))
        self._notes.setTabChangesFocus(True)
        name(self._name, self.tr("Name of the run, to change"))
        name(self._notes, self.tr("Notes of the run, to change"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel)
        name(buttons, self.tr("Save or cancel"))
        for which, text in (
            (QDialogButtonBox.StandardButton.Save, self.tr("Save the name and notes")),
            (QDialogButtonBox.StandardButton.Cancel, self.tr("Leave the name and notes")),
        ):
            name(buttons.button(which), text)
        buttons.accepted.connect(self._give)
        buttons.rejected.connect(self.reject)
        warning = plain_label(
            self.tr("Write no names of patients here: a report of the run holds both."), object_name="quiet", wrap=True
        )
        layout = QVBoxLayout(self)
        for text, widget in ((self.tr("Name"), self._name), (self.tr("Notes"), self._notes)):
            caption = plain_label(text, object_name="quiet")
            name(caption, self.tr("{field}, caption").format(field=text))
            layout.addWidget(caption)
            layout.addWidget(widget)
        layout.addWidget(warning)
        layout.addWidget(buttons)
        self.resize(440, 300)
        complete(self)

    def _give(self) -> None:
        self.given.emit(Label(name=self._name.text().strip(), notes=self._notes.toPlainText().strip()))
        self.accept()

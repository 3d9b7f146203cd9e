"""A model's card, shown before the model is kept, and the name that it shall have."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from fullfield.jobs.models import Model
from fullfield_app.gui.runs import card_facts
from fullfield_app.gui.runs.fact_form import FactForm
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import plain_label

LONGEST_NAME = 80


class KeepDialog(QDialog):
    """Asks whether to keep a model. `kept`: the name that it shall have."""

    kept = Signal(str)

    def __init__(self, model: Model, suggested: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = self.tr("Keep this model?")
        self.setWindowTitle(title)
        name(self, title)
        self._name = QLineEdit(suggested)
        self._name.setMaxLength(LONGEST_NAME)
        name(self._name, self.tr("Name of the model"))
        caption = plain_label(self.tr("Name among your models"), object_name="quiet")
        name(caption, self.tr("Name of the model, caption"))
        said = plain_label(
            self.tr("The file is whole: its content matches its checksum. This is what it says of itself."), wrap=True
        )
        name(said, self.tr("What was checked"))
        card = FactForm(self.tr("Card of the model to keep"), card_facts.titles())
        card.show_rows(card_facts.rows(model))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        keep = buttons.addButton(self.tr("Keep the model"), QDialogButtonBox.ButtonRole.AcceptRole)
        name(buttons, self.tr("Keep it or not"))
        name(keep, self.tr("Keep the model"))
        name(buttons.button(QDialogButtonBox.StandardButton.Cancel), self.tr("Do not keep it"))
        self._name.textChanged.connect(lambda text: keep.setEnabled(bool(text.strip())))
        keep.setDefault(True)
        buttons.accepted.connect(self._keep)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(said)
        layout.addWidget(card, 1)
        layout.addWidget(caption)
        layout.addWidget(self._name)
        layout.addWidget(buttons)
        self.resize(520, 520)
        complete(self)

    def _keep(self) -> None:
        self.kept.emit(self._name.text().strip())
        self.accept()

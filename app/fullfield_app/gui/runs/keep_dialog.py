"""A model's card, shown before the model is kept, and the name that it shall have."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from fullfield.enhance.models import Model
from fullfield_app.gui.runs.card_dialog import CardDialog
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import plain_label

LONGEST_NAME = 80


class KeepDialog(CardDialog):
    """Asks whether to keep a model. `kept`: the name that it shall have."""

    kept = Signal(str)

    def __init__(self, model: Model, suggested: str, parent: QWidget | None = None) -> None:
        super().__init__(model, title=self.tr("Keep this model?"), act=self.tr("Keep the model"), parent=parent)
        self._name = QLineEdit(suggested)
        self._name.setMaxLength(LONGEST_NAME)
        name(self._name, self.tr("Name of the model"))
        caption = plain_label(self.tr("Name among your models"), object_name="quiet")
        name(caption, self.tr("Name of the model, caption"))
        self._name.textChanged.connect(lambda text: self.go.setEnabled(bool(text.strip())))
        self.rows.addWidget(caption)
        self.rows.addWidget(self._name)
        self.accepted.connect(lambda: self.kept.emit(self._name.text().strip()))
        complete(self)

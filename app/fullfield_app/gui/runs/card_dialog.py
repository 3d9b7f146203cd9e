"""A model's card, shown before anything is done with a file that somebody gave: whoever has read it goes on or not."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from fullfield.enhance.models import Model
from fullfield_app.gui.runs import card_facts
from fullfield_app.gui.runs.fact_form import FactForm
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label


class CardDialog(QDialog):
    """Asks `title` of a model whose file is whole; accepted with the button `go`, which says `act`.

    `rows`: what else is asked comes between the card and the buttons.
    """

    def __init__(self, model: Model, *, title: str, act: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        name(self, title)
        said = plain_label(
            self.tr("The file is whole: its content matches its checksum. This is what it says of itself."), wrap=True
        )
        name(said, self.tr("What was checked"))
        card = FactForm(self.tr("Card of the model in the file"), card_facts.titles(), trouble=card_facts.WEAKNESS)
        card.show_rows(card_facts.rows(model))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.go = buttons.addButton(act, QDialogButtonBox.ButtonRole.AcceptRole)
        cancel = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        cancel.setText(self.tr("Cancel"))
        name(buttons, self.tr("Go on or not"))
        name(self.go, act)
        name(cancel, self.tr("Leave the file alone"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.rows = QVBoxLayout()
        layout = QVBoxLayout(self)
        layout.addWidget(said)
        layout.addWidget(card, 1)
        layout.addLayout(self.rows)
        layout.addWidget(buttons)
        first = cancel if model.weakness else self.go  # what is not worth using is not used by Enter
        first.setDefault(True)  # not before it lies in the dialog: the button with the focus would take its place
        first.setFocus()
        self.resize(520, 520)

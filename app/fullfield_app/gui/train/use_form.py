"""What the model is to be used on: asked beside what the folder holds, with what the answer means in a sentence."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QSizePolicy, QVBoxLayout, QWidget

from fullfield.data import kinds
from fullfield.data.survey import Survey
from fullfield_app.gui.train import survey_words
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.flow import Flow
from fullfield_app.gui.widgets.label import plain_label, tooltip


class UseForm(QWidget):
    """`chosen`: one of `fullfield.data.kinds.CHOICES`."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("What the model is for"))
        self._build()
        self._combo.activated.connect(lambda place: self.chosen.emit(str(self._combo.itemData(place))))

    def show_choice(self, use_on: str) -> None:
        """Show what is chosen."""
        with QSignalBlocker(self._combo):
            self._combo.setCurrentIndex(self._combo.findData(use_on))

    def show_survey(self, survey: Survey) -> None:
        """Say what the choice means for these images."""
        found = survey.use_on if self._combo.currentData() == kinds.AUTO else ""
        automatic = self.tr("Automatic: {kind}").format(kind=survey_words.use(found)) if found else self._automatic
        self._combo.setItemText(0, automatic)
        self._hint.setText(survey_words.purpose(survey))
        self._hint.setVisible(bool(self._hint.text()))

    def _build(self) -> None:
        label = plain_label(self.tr("To be used on"))
        name(label, self.tr("To be used on, caption"))
        self._automatic = self.tr("Automatic")
        self._combo = QComboBox()
        self._combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._combo.setMinimumContentsLength(16)
        name(self._combo, self.tr("To be used on"))
        self._combo.setToolTip(
            tooltip(
                self.tr(
                    "The images that the network will enhance. A network refuses images of a kind that it has not "
                    "learnt from. Automatic takes the kinds that are in the folder."
                )
            )
        )
        self._combo.addItem(self._automatic, kinds.AUTO)
        for use_on in (kinds.RAW, kinds.PROCESSED, kinds.BOTH):
            self._combo.addItem(survey_words.use(use_on), use_on)
        label.setBuddy(self._combo)
        self._hint = plain_label(object_name="quiet", wrap=True)
        name(self._hint, self.tr("What the model will be for"))
        self._combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        line = Flow(spacing=8, below=3)
        line.addWidget(label)
        line.addWidget(self._combo)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        layout.addLayout(line)
        layout.addWidget(self._hint)

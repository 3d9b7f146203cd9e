"""What is shown while there is no run: what will be here, and the way to the first one."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label


class NoRuns(QWidget):
    """`train_asked`: turn to the page that sets a training up; `models_asked`: show the models."""

    train_asked = Signal()
    models_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("No run yet"))
        title = plain_label(self.tr("No training yet"), object_name="title")
        text = plain_label(
            self.tr("Trainings that you start are kept here, with their curves, memory, images and models."),
            object_name="quiet",
        )
        name(title, self.tr("No training yet, title"))
        name(text, self.tr("What is kept here"))
        train, models = QPushButton(self.tr("Set up a training")), QPushButton(self.tr("Models…"))
        train.setObjectName("primary")
        name(train, self.tr("Set up a training"))
        name(models, self.tr("Show the models"))
        train.clicked.connect(self.train_asked)
        models.clicked.connect(self.models_asked)
        line = QHBoxLayout()
        line.addStretch()
        line.addWidget(train)
        line.addWidget(models)
        line.addStretch()
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addStretch()
        layout.addWidget(title, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(text, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addLayout(line)
        layout.addStretch()

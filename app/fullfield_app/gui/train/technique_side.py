"""The second step: size, epochs and batch, and the list of techniques below, the only part of the page that scrolls."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from fullfield_app.gui.train.size_form import SizeForm
from fullfield_app.gui.train.technique_list import TechniqueList
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label


class TechniqueSide(QWidget):
    """`form`, `list`: its parts; `fit`: the button that lets the planner choose."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Second step"))
        title = plain_label(self.tr("2  Size and techniques"), object_name="step")
        name(title, self.tr("Second step, title"))
        self.form, self.list = SizeForm(), TechniqueList()
        self.fit = QPushButton(self.tr("Fit it for me…"))
        name(self.fit, self.tr("Let the planner choose techniques"))
        caption = plain_label(self.tr("Techniques that save memory or time"), object_name="quiet", wrap=True)
        name(caption, self.tr("Techniques, caption"))
        line = QHBoxLayout()
        line.addWidget(caption, 1)
        line.addWidget(self.fit)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(title)
        layout.addWidget(self.form)
        layout.addLayout(line)
        layout.addWidget(self.list, 1)

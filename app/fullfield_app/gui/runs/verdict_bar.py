"""What a run's model is worth beside the one before and the presets, and what can be done with it. Nothing is done by
itself."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from fullfield.protocol.comparison import Comparison
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label

PAIRS = 20
"""To grade: as many as a decision for a body part takes."""


class VerdictBar(QFrame):
    """`use_asked`: for a part of the body, a key; `grade_asked`: a blind grading."""

    use_asked = Signal(str)
    grade_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("band")
        name(self, self.tr("Verdict on the new model"))
        self._shown: Comparison | None = None
        self._text = plain_label(wrap=True)
        name(self._text, self.tr("What the new model is worth"))
        self._use, self._grade = QPushButton(self.tr("Use for")), QPushButton()
        self._grade.setText(self.tr("Grade {count} pairs blind…").format(count=PAIRS))
        name(self._use, self.tr("Use the new model for a body part"))
        name(self._grade, self.tr("Grade the new model blind"))
        self._menu = QMenu(self._use)
        name(self._menu, self.tr("Body parts to use the new model for"))
        self._use.setMenu(self._menu)
        self._grade.clicked.connect(self.grade_asked)
        line = QHBoxLayout()
        line.addWidget(self._use)
        line.addWidget(self._grade)
        line.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 6, 12, 6)
        layout.addWidget(self._text)
        layout.addLayout(line)
        self.hide()

    def show_comparison(self, found: Comparison | None, titles: dict[str, str]) -> None:
        """`titles`: of the parts of the body that a model can be taken for, by their keys."""
        self.setVisible(found is not None)
        if found is None or found is self._shown:
            return
        self._shown = found
        self._text.setText(say_core(found.verdict))
        self._menu.clear()
        for part in (parts := [part for part in found.parts if part in titles]):
            action = self._menu.addAction(titles[part])
            action.triggered.connect(lambda _=False, part=part: self.use_asked.emit(part))
        self._use.setVisible(found.offered and bool(parts))
        self._grade.setVisible(found.offered)

"""The third step: what the training will take, what it starts from, how long it is, and Start."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QSpinBox, QVBoxLayout, QWidget

from fullfield.protocol.ensembles import MOST
from fullfield_app.gui.train.card_choice import CardChoice
from fullfield_app.gui.train.least_row import LeastRow
from fullfield_app.gui.train.plan_view import PlanView
from fullfield_app.gui.train.weights_line import WeightsLine
from fullfield_app.gui.train.where_list import WhereList
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label, tooltip


class StartSide(QWidget):
    """`card`, `where`, `least`, `plan`, `weights`: its parts. `start_asked`: begin the training; `add_asked`: list
    another machine; `fit_chosen`: it may fall back to less memory; `members_chosen`: so many networks as an
    ensemble."""

    start_asked = Signal()
    add_asked = Signal()
    fit_chosen = Signal(bool)
    members_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Third step"))
        title = plain_label(self.tr("3  Start"), object_name="step")
        name(title, self.tr("Third step, title"))
        self.card, self.where, self.plan, self.weights = CardChoice(), WhereList(), PlanView(), WeightsLine()
        self.least = LeastRow()
        self._length = plain_label(wrap=True)
        name(self._length, self.tr("How long the training is"))
        self._obstacle = plain_label(object_name="trouble", wrap=True)
        name(self._obstacle, self.tr("Why it cannot start"))
        self._fit = QCheckBox(self.tr("If memory runs out, go on with less"))
        name(self._fit, self.tr("Go on with less when memory runs out"))
        self._fit.toggled.connect(self.fit_chosen)
        self._start = QPushButton(self.tr("Start →"))
        self._start.setObjectName("primary")
        name(self._start, self.tr("Start the training"))
        self._start.clicked.connect(self.start_asked)
        self._members, members = QSpinBox(), plain_label(self.tr("Members"))
        self._members.setRange(1, MOST)
        name(self._members, self.tr("Members of an ensemble"))
        name(members, self.tr("Members of an ensemble, caption"))
        tip = self.tr(
            "So many networks are trained alike, each with other first weights and another order of the images. As one "
            "model they give the mean of their results, and show where they disagree."
        )
        for widget in (members, self._members):
            widget.setToolTip(tooltip(tip))
        members.setBuddy(self._members)
        self._members.valueChanged.connect(self.members_chosen)
        last = QHBoxLayout()
        last.addWidget(members)
        last.addWidget(self._members)
        last.addWidget(self._start, 1)
        add = QPushButton(self.tr("Add a machine…"))
        name(add, self.tr("Add a machine"))
        add.setToolTip(tooltip(self.tr("Train on another machine, which your ssh reaches")))
        add.clicked.connect(self.add_asked)
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(add)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addWidget(self.card)
        layout.addWidget(self.where)
        layout.addWidget(self.least)
        layout.addWidget(self.plan)
        layout.addStretch(1)
        layout.addWidget(self.weights)
        layout.addWidget(self._length)
        layout.addWidget(self._fit)
        layout.addWidget(self._obstacle)
        layout.addLayout(last)

    def show_length(self, text: str) -> None:
        """How many steps, in a sentence."""
        self._length.setText(text)
        self._length.setVisible(bool(text))

    def show_fit(self, on: bool) -> None:
        """Whether it may fall back."""
        with QSignalBlocker(self._fit):
            self._fit.setChecked(on)

    def show_members(self, count: int) -> None:
        """How many."""
        with QSignalBlocker(self._members):
            self._members.setValue(count)

    def show_obstacle(self, text: str) -> None:
        """Why it cannot start; empty: it can."""
        self._obstacle.setText(text)
        self._obstacle.setVisible(bool(text))
        self._start.setEnabled(not text)
        self._start.setAccessibleDescription(text)

"""With how many of several machines that train one network together the training goes on, and what becomes of it where
one is lost."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QVBoxLayout, QWidget

from fullfield.protocol.places import LOCAL
from fullfield_app.gui.train import places
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import clean, plain_label


class LeastRow(QWidget):
    """`chosen`: so many are enough. Hidden where not several train one network together."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Where machines are lost"))
        caption, self._count, self._of = plain_label(self.tr("Goes on with at least")), QSpinBox(), plain_label()
        name(caption, self.tr("Goes on with at least so many machines, caption"))
        name(self._count, self.tr("Goes on with at least so many machines"))
        name(self._of, self.tr("Of how many machines"))
        caption.setBuddy(self._count)
        self._count.valueChanged.connect(self.chosen)
        self._reported = plain_label(object_name="quiet", wrap=True)
        name(self._reported, self.tr("What happens where a machine is lost"))
        line = QHBoxLayout()
        for widget in (caption, self._count, self._of):
            line.addWidget(widget)
        line.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(line)
        layout.addWidget(self._reported)
        self.hide()

    def show_choices(self, choices: Choices) -> None:
        """What the form says; tells nothing."""
        least, most = places.bounds(choices)
        with QSignalBlocker(self._count):
            self._count.setRange(1, most)
            self._count.setValue(least)
        self._of.setText(self.tr("of {count} machines").format(count=most))
        self._reported.setText(self._what(least, most, places.together(choices)) if most > 1 else "")
        self._count.setAccessibleDescription(self._reported.text())
        self.setVisible(most > 1)

    def _what(self, least: int, most: int, machines: tuple[str, ...]) -> str:
        if least == most:
            goes = self.tr("Where one is lost, the training waits until it is back.")
        elif least == 1:
            goes = self.tr("Where one is lost, the others go on from what was saved last.")
        else:
            text = self.tr(
                "Where one is lost, the others go on from what was saved last; with fewer than {count} the training "
                "waits."
            )
            goes = text.format(count=least)
        first = self.tr("this computer") if machines[0] == LOCAL else clean(machines[0])
        leads = self.tr("Without {machine}, which leads, it ends, and can be resumed.").format(machine=first)
        return f"{goes} {leads}"

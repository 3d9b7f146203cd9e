"""For which card a plan is made: this computer's, a named one, or one of which only the memory is known."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from fullfield.errors import UsageError
from fullfield.protocol.setup_events import MachineProbed
from fullfield.units import parse_bytes
from fullfield_app.gui import numbers
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label, tooltip

HERE, TYPED = "", "typed"


class CardChoice(QWidget):
    """`chosen`: "" for this computer, a card's name, or the amount of memory that was typed, as the engine reads it."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Plan for"))
        self._wanted, self._amount = HERE, "8 GiB"
        self._build()

    def show_machine(self, machine: MachineProbed) -> None:
        """This computer's device by name, and the cards that are known."""
        here = self.tr("This computer: {device}").format(device=say_core(machine.title))
        self._combo.setItemText(0, here)
        self._combo.setItemData(0, tooltip(here), Qt.ItemDataRole.ToolTipRole)
        with QSignalBlocker(self._combo):
            while self._combo.count() > 2:
                self._combo.removeItem(1)
            for place, card in enumerate(machine.cards, 1):
                text = self.tr("{card}, {memory}").format(card=card.title, memory=numbers.data(card.total_bytes))
                self._combo.insertItem(place, text, card.title)
        if self._wanted:
            self.show_choice(self._wanted)

    def show_choice(self, gpu: str) -> None:
        """Show this one; tells nothing."""
        self._wanted = gpu
        self._wrong.hide()
        place = self._combo.findData(gpu)
        with QSignalBlocker(self._combo), QSignalBlocker(self._memory):
            if place < 0 and _is_memory(gpu):
                place = self._combo.findData(TYPED)
                self._amount = gpu
                self._memory.setText(numbers.written(gpu))
            self._combo.setCurrentIndex(max(place, 0))
        self._memory.setVisible(self._combo.currentData() == TYPED)

    def _build(self) -> None:
        label = plain_label(self.tr("Plan for"), object_name="quiet")
        name(label, self.tr("Plan for, caption"))
        self._combo = QComboBox()
        self._combo.setMinimumContentsLength(18)
        self._combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._combo.setToolTip(tooltip(self.tr("For a card that is not in this computer the figures are an estimate.")))
        name(self._combo, self.tr("Card to plan for"))
        self._combo.addItem(self.tr("This computer"), HERE)
        self._combo.addItem(self.tr("A card with this memory:"), TYPED)
        self._memory = QLineEdit(self._amount)
        self._memory.setMaximumWidth(90)
        name(self._memory, self.tr("Memory of the card"))
        self._memory.hide()
        self._wrong = plain_label(
            self.tr("Write an amount with its unit, for instance 8 GiB."), object_name="trouble", wrap=True
        )
        name(self._wrong, self.tr("Memory of the card: what is wrong"))
        self._wrong.hide()
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label)
        row.addWidget(self._combo, 1)
        row.addWidget(self._memory)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(row)
        layout.addWidget(self._wrong)
        self._combo.currentIndexChanged.connect(lambda _: self._tell())
        self._memory.editingFinished.connect(self._tell)

    def _tell(self) -> None:
        typed = self._combo.currentData() == TYPED
        amount = numbers.amount(self._memory.text())
        self._memory.setVisible(typed)
        self._wrong.setVisible(typed and not _is_memory(amount))
        if _is_memory(amount):
            self._amount = amount
        else:
            self._memory.setText(numbers.written(self._amount))
        wanted = self._amount if typed else str(self._combo.currentData())
        if wanted != self._wanted:
            self._wanted = wanted
            self.chosen.emit(wanted)


def _is_memory(text: str) -> bool:
    try:
        return parse_bytes(text) >= 2**28  # less is no card, and a number without a unit would be bytes
    except UsageError:
        return False

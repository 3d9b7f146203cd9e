"""On which machine images are enhanced: this computer, or one of the list. Not shown where none is listed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import clean, plain_label, tooltip

HERE = ""


class WhereBar(QWidget):
    """`chosen`: the name of a machine, or HERE."""

    chosen = Signal(str)

    def __init__(self, above: QWidget, parent: QWidget | None = None) -> None:
        """`above`: a caption; this one is as wide."""
        super().__init__(parent)
        name(self, self.tr("Enhance on"))
        label = plain_label(self.tr("Enhance on"), object_name="quiet")
        name(label, self.tr("Enhance on, caption"))
        above.ensurePolished()
        label.setMinimumWidth(above.sizeHint().width())
        self._combo = QComboBox()
        name(self._combo, self.tr("Machine that enhances"))
        self._combo.setMinimumContentsLength(12)
        self._combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        hint = self.tr("Files are read and written on this computer. What another machine cannot do is done here.")
        self._combo.setToolTip(tooltip(hint))
        self._combo.activated.connect(lambda place: self.chosen.emit(str(self._combo.itemData(place))))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(label)
        layout.addWidget(self._combo, 1)
        self.hide()

    def offer(self, names: Sequence[str], chosen: str) -> None:
        """The machines of the list, and the one that enhances."""
        self._combo.clear()
        self._combo.addItem(self.tr("This computer"), HERE)
        for one in names:
            self._combo.addItem(clean(one), one)
        self.show_chosen(chosen)
        self.setVisible(bool(names))

    def show_chosen(self, chosen: str) -> None:
        """The machine that enhances, or that is being asked."""
        self._combo.setCurrentIndex(max(0, self._combo.findData(chosen)))

"""On which machines images are enhanced: this computer, and those of the list. Not shown where none is listed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QWidget

from fullfield.protocol.places import LOCAL
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import clean, plain_label, tooltip

WIDEST = 180  # pixels of the names in the button


class WhereBar(QWidget):
    """`toggled`: the name of a machine, LOCAL for this computer, and whether it is ticked now."""

    toggled = Signal(str, bool)

    def __init__(self, above: QWidget, parent: QWidget | None = None) -> None:
        """`above`: a caption; this one is as wide."""
        super().__init__(parent)
        name(self, self.tr("Enhance on"))
        label = plain_label(self.tr("Enhance on"), object_name="quiet")
        name(label, self.tr("Enhance on, caption"))
        above.ensurePolished()
        label.setMinimumWidth(above.sizeHint().width())
        self._button = QPushButton()
        name(self._button, self.tr("Machines that enhance"))
        self._button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._menu = QMenu(self._button)
        name(self._menu, self.tr("Machines that enhance, list"))
        self._button.setMenu(self._menu)
        self._entries: dict[str, QAction] = {}
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(label)
        layout.addWidget(self._button, 1)
        self.hide()

    def offer(self, names: Sequence[str], ticked: Collection[str]) -> None:
        """The machines of the list, and those that enhance or are being asked; LOCAL: this computer."""
        places = (LOCAL, *names)
        if places != tuple(self._entries):
            self._menu.clear()
            self._entries = {place: self._entry(place) for place in places}
        for place, entry in self._entries.items():
            entry.setChecked(place in ticked)
        text = ", ".join(entry.text() for entry in self._entries.values() if entry.isChecked())
        self._button.setText(self._button.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, WIDEST))
        hint = self.tr("Files are read and written on this computer. What another machine cannot do is done here.")
        self._button.setToolTip(tooltip(f"{text}. {hint}"))
        self._button.setAccessibleDescription(text)
        self.setVisible(bool(names))

    def _entry(self, place: str) -> QAction:
        entry = self._menu.addAction(self.tr("This computer") if place == LOCAL else clean(place))
        entry.setCheckable(True)
        entry.triggered.connect(lambda on: self.toggled.emit(place, on))
        return entry

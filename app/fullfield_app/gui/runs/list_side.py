"""The list of runs with its buttons, and below it what the selected ones show over each other."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from fullfield_app.gui.actions import say
from fullfield_app.gui.runs.commands import ON_BUTTONS, SPECS
from fullfield_app.gui.runs.overlay import Overlay
from fullfield_app.gui.runs.shelf import MOST_COMPARED
from fullfield_app.gui.runs.table import RunTable
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label


class ListSide(QWidget):
    """Holds the table and the comparison."""

    def __init__(self, table: RunTable, overlay: Overlay, actions: Mapping[str, QAction]) -> None:
        super().__init__()
        name(self, self.tr("List and comparison of runs"))
        self._table = table
        line = QHBoxLayout()
        line.setSpacing(6)
        texts = {spec.key: say(spec.short) for spec in SPECS}
        for key in ON_BUTTONS:
            if key == "models":
                self._hint = plain_label(object_name="quiet")
                name(self._hint, self.tr("How runs are compared"))
                line.addWidget(self._hint, 1)
            line.addWidget(_button(actions[key], texts[key]))
        upper = QWidget()
        name(upper, self.tr("List of runs with its buttons"))
        layout = QVBoxLayout(upper)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(line)
        layout.addWidget(table, 1)
        splitter = QSplitter(Qt.Orientation.Vertical)
        name(splitter, self.tr("List above, comparison below"))
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(upper)
        splitter.addWidget(overlay)
        splitter.setSizes([280, 320])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(splitter)
        table.chosen.connect(self._show_hint)
        self._show_hint()

    def _show_hint(self) -> None:
        count = len(self._table.selected())
        if count < 2:
            text = self.tr("Select several runs to compare them.")
        elif count > MOST_COMPARED:
            text = self.tr("{count} of them are compared, the first ones.").format(count=MOST_COMPARED)
        else:
            text = ""
        self._hint.setText(text)


def _button(action: QAction, text: str) -> QPushButton:
    button = QPushButton(text)
    name(button, action.text().replace("&", "").rstrip("…"))
    button.setToolTip(action.toolTip())
    button.clicked.connect(action.trigger)
    button.setEnabled(action.isEnabled())
    action.enabledChanged.connect(button.setEnabled)
    return button

"""The table of actions and keys, for a view: one row per line."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from fullfield_app.gui import theme
from fullfield_app.gui.actions import native
from fullfield_app.gui.preferences.key_lines import Line

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class KeysModel(QAbstractTableModel):
    """`lines`: what it shows, in this order; keys that the user has changed stand out."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lines: list[Line] = []

    def show_lines(self, lines: list[Line]) -> None:
        """Show these; the same actions as before keep their rows."""
        same = [line.spec for line in lines] == [line.spec for line in self.lines]
        if same:
            self.lines = lines
            self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, 2))
        else:
            self.beginResetModel()
            self.lines = lines
            self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        """See Qt."""
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Action, keys, page."""
        return 0 if parent.isValid() else 3

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """See Qt."""
        line = self.lines[index.row()]
        texts = (line.text, native(line.keys) or "–", line.where)
        if role == Qt.ItemDataRole.DisplayRole:
            return texts[index.column()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(texts)
        if role == Qt.ItemDataRole.ForegroundRole and index.column() == 1 and line.keys != line.spec.keys:
            return theme.colour("accent")
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """See Qt."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("Action"), self.tr("Keys"), self.tr("Page"))[section]
        return None

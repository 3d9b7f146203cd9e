"""The list of runs: chosen with mouse or keys, opened with Enter or a double click, several chosen to compare them."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from fullfield.runs.runs import Run, State
from fullfield_app.gui.runs import words
from fullfield_app.gui.runs.table_model import NAME, STATE, TECHNIQUES, TableModel
from fullfield_app.gui.widgets.accessible import name

WIDEST, NARROW, SHORT, ROOM = 240, 200, 130, 24  # pixels of a column at first


class RunTable(QTableView):
    """Shows runs. `opened`: a run; `chosen`: those that are selected have changed; `delete_asked`: the Delete key."""

    opened = Signal(object)
    chosen = Signal()
    delete_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("All runs"))
        self.runs = TableModel()
        self.setModel(self.runs)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        name(header, self.tr("Columns of the list"))
        self._sized = False
        self.doubleClicked.connect(lambda index: self.opened.emit(self.runs.run_at(index.row())))
        self.selectionModel().selectionChanged.connect(lambda *_: self.chosen.emit())

    def show_runs(self, found: list[Run]) -> None:
        """List these; the first time the newest is selected, and columns are as wide as their texts (and states)."""
        self.runs.show_runs(found)
        if found and not self._sized:
            self._sized = True
            self.resizeColumnsToContents()
            for column in range(self.runs.columnCount()):
                self.setColumnWidth(column, min(self.columnWidth(column) + 10, WIDEST))
            self.setColumnWidth(TECHNIQUES, NARROW)
            self.setColumnWidth(NAME, max(self.columnWidth(NAME), SHORT))
            states = (self.fontMetrics().horizontalAdvance(words.signed(state)) for state in State)
            self.setColumnWidth(STATE, max(states) + ROOM)
        if found and not self.selectionModel().hasSelection():
            self.selectRow(0)

    def selected(self) -> list[Run]:
        """The runs that are selected, from the top."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [self.runs.run_at(row) for row in rows]

    def choose(self, folder: Path) -> None:
        """Select the run in `folder` alone."""
        row = self.runs.row_of(folder)
        if row >= 0:
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().select(self.runs.index(row, 0), flags)
            self.setCurrentIndex(self.runs.index(row, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens, Delete asks to delete."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and len(self.selected()) == 1:
            self.opened.emit(self.selected()[0])
        elif event.key() == Qt.Key.Key_Delete and self.selected():
            self.delete_asked.emit()
        else:
            super().keyPressEvent(event)

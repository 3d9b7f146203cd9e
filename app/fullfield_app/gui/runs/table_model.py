"""The runs as rows: a model of values, no widget."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QCoreApplication, QModelIndex, QPersistentModelIndex, Qt

from fullfield.runs.runs import Run, State
from fullfield_app.gui import numbers, theme
from fullfield_app.gui.runs import words
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP
from fullfield_app.gui.widgets.label import clean, tooltip

Index = QModelIndex | QPersistentModelIndex
translate = QCoreApplication.translate

_Show = Callable[[Run], str]
_COLUMNS: tuple[tuple[str, _Show], ...] = (
    (QT_TRANSLATE_NOOP("runs", "Run"), words.title),
    (QT_TRANSLATE_NOOP("runs", "State"), lambda run: words.signed(run.state, kept=run.digest.kept)),
    (QT_TRANSLATE_NOOP("runs", "Begun"), words.began),
    (QT_TRANSLATE_NOOP("runs", "Size"), lambda run: words.size(run.spec.get("size"))),
    (QT_TRANSLATE_NOOP("runs", "Epochs"), lambda run: _epochs(run)),
    (QT_TRANSLATE_NOOP("runs", "Best loss"), lambda run: words.loss(run.digest.best_loss)),
    (
        QT_TRANSLATE_NOOP("runs", "Most memory"),
        lambda run: words.peak(run.digest.peak_bytes, on_card=run.digest.on_card),
    ),
    (QT_TRANSLATE_NOOP("runs", "Duration"), lambda run: numbers.seconds(run.digest.seconds)),
    (QT_TRANSLATE_NOOP("runs", "Techniques"), lambda run: words.techniques(run.techniques)),
    (QT_TRANSLATE_NOOP("runs", "Notes"), lambda run: run.label.notes.replace("\n", " ")),
)
NAME, STATE, TECHNIQUES, NOTES = 0, 1, 8, 9


class TableModel(QAbstractTableModel):
    """A row for each run, the newest first."""

    def __init__(self) -> None:
        super().__init__()
        self._runs: list[Run] = []

    @property
    def runs(self) -> tuple[Run, ...]:
        """All of them."""
        return tuple(self._runs)

    def run_at(self, row: int) -> Run:
        """The run of a row."""
        return self._runs[row]

    def row_of(self, folder: Path) -> int:
        """The row of the run in `folder`; −1: it is not listed."""
        return next((row for row, run in enumerate(self._runs) if run.folder == folder), -1)

    def show_runs(self, found: list[Run]) -> None:
        """List these. Rows stay where they are as long as their runs do, so that what is selected stays selected."""
        if [run.folder for run in found] == [run.folder for run in self._runs]:
            for row, (old, new) in enumerate(zip(self._runs, found, strict=True)):
                if old != new:
                    self._runs[row] = new
                    self.dataChanged.emit(self.index(row, 0), self.index(row, len(_COLUMNS) - 1))
            return
        wanted = {run.folder for run in found}
        for row in reversed(range(len(self._runs))):
            if self._runs[row].folder not in wanted:
                self.beginRemoveRows(QModelIndex(), row, row)
                del self._runs[row]
                self.endRemoveRows()
        for row, run in enumerate(found):
            if row < len(self._runs) and self._runs[row].folder == run.folder:
                if self._runs[row] != run:
                    self._runs[row] = run
                    self.dataChanged.emit(self.index(row, 0), self.index(row, len(_COLUMNS) - 1))
                continue
            self.beginInsertRows(QModelIndex(), row, row)
            self._runs.insert(row, run)
            self.endInsertRows()

    # Qt ---------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """See Qt."""
        return 0 if parent.isValid() else len(self._runs)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        """See Qt."""
        return 0 if parent.isValid() else len(_COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """See Qt."""
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return translate("runs", _COLUMNS[section][0])
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """See Qt."""
        run, (title, show) = self._runs[index.row()], _COLUMNS[index.column()]
        if run.state is State.DAMAGED and index.column() not in (NAME, STATE, NOTES):
            show = _unknown
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return clean(show(run))
            case Qt.ItemDataRole.ToolTipRole:
                return tooltip(clean(show(run)))
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{translate('runs', title)}: {clean(show(run))}"
            case Qt.ItemDataRole.ForegroundRole if index.column() == STATE:
                return theme.colour(words.LOOKS[run.state])
            case Qt.ItemDataRole.ForegroundRole if index.column() == NAME and not run.label.name:
                return theme.colour("quiet")
        return None


def _unknown(run: Run) -> str:
    return "–"


def _epochs(run: Run) -> str:
    if run.members:
        text = translate("runs", "{count} of {total} members")
        return text.format(count=run.digest.epoch, total=len(run.members))
    wanted = run.digest.epochs or run.spec.get("epochs", 0)
    return translate("runs", "{count} of {total}").format(count=run.digest.epoch, total=wanted)

"""What came out of a grading: a table by criterion, what it allows to say, and where the files are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from fullfield.enhance import models
from fullfield.grading.statistics import Outcome
from fullfield_app.gui.grading import report
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label


class ResultsPage(QWidget):
    """`left`: it has been read; `again`: another reader is to grade the same pairs; `take_asked`: take the model that
    was graded for the part of the body `offer`, a key of the parts of models; "": that is not offered. `why_not`: a
    sentence why the model of such an offer is none after all; "": it is."""

    left = Signal()
    again = Signal()
    take_asked = Signal()

    def __init__(
        self,
        outcomes: Sequence[Outcome],
        names: tuple[str, str],
        folder: Path,
        *,
        offer: str = "",
        why_not: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        name(self, self.tr("Result of the grading"))
        title = plain_label(self.tr("Result"), object_name="title")
        about = plain_label(report.meaning(names), wrap=True)
        name(about, self.tr("What the scores mean"))
        caution = plain_label(report.caution(outcomes), object_name="caution", wrap=True)
        name(caution, self.tr("What the numbers cannot say"))
        caution.setVisible(bool(caution.text()))
        other = plain_label(why_not if offer else "", object_name="caution", wrap=True)
        name(other, self.tr("Why the model is not offered"))
        other.setVisible(bool(other.text()))
        text = self.tr("All answers and the statistics (CSV) and this result as text are in {folder}.").format(
            folder=folder
        )
        where = plain_label(text, object_name="quiet", wrap=True)
        name(where, self.tr("Where the files are"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 16, 22, 16)
        layout.setSpacing(10)
        for widget in (title, about):
            layout.addWidget(widget)
        layout.addWidget(self._table(outcomes), 1)
        for widget in (caution, other, where):
            layout.addWidget(widget)
        layout.addLayout(self._buttons(folder, "" if why_not else offer))

    def _table(self, outcomes: Sequence[Outcome]) -> QTableWidget:
        headings = report.headings()
        table = QTableWidget(len(outcomes), len(headings))
        name(table, self.tr("Scores by criterion"))
        table.setHorizontalHeaderLabels(headings)
        table.verticalHeader().hide()
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setWordWrap(True)
        for number, outcome in enumerate(outcomes):
            for column, cell in enumerate(report.row(outcome)):
                item = QTableWidgetItem(cell)
                item.setTextAlignment(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
                table.setItem(number, column, item)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        return table

    def _buttons(self, folder: Path, offer: str) -> QHBoxLayout:
        line = QHBoxLayout()
        for text, whole, act in (
            (
                self.tr("Show folder"),
                self.tr("Show the folder of the result"),
                lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))),
            ),
            (self.tr("Another reader"), self.tr("Let another reader grade the same pairs"), self.again.emit),
        ):
            button = QPushButton(text)
            name(button, whole)
            button.clicked.connect(lambda _=False, act=act: act())
            line.addWidget(button)
        if offer:
            title = say_core(models.body_parts()[offer])
            take = QPushButton(self.tr("Use the model for: {part}").format(part=title))
            name(take, self.tr("Use the graded model for a body part"))
            take.clicked.connect(self.take_asked)
            line.addWidget(take)
        line.addStretch()
        close = QPushButton(self.tr("Close"))
        close.setObjectName("primary")
        close.setDefault(True)
        name(close, self.tr("Close the grading"))
        close.clicked.connect(self.left)
        line.addWidget(close)
        return line

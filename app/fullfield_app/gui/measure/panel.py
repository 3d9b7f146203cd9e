"""What was measured, as a table before and after, with the line's length and profile, and ways to take it along."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from fullfield_app.gui.measure import table
from fullfield_app.gui.measure.calibration import Calibration
from fullfield_app.gui.measure.marks import Marks
from fullfield_app.gui.measure.measured import Measured
from fullfield_app.gui.measure.profile_plot import ProfilePlot, Values
from fullfield_app.gui.view.picture import Picture
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label, tooltip

NOTHING = Measured(marks=Marks(), before=None, after=None)
ROW_HEIGHT = 20
BESIDE_TITLE = 6  # pixels on each side of a column's title
FILE_NAME = "measurements.csv"


class MeasurePanel(QWidget):
    """`save_asked`: a Path and the text for it."""

    save_asked = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Measure"))
        self._measured, self._calibration = NOTHING, Calibration()
        self._build()
        self._connect_signals()
        self.show_measured(NOTHING, Calibration(), (None, None))

    def offer(self, tools: list[QAction]) -> None:
        """Buttons for the tools that draw marks."""
        for place, action in enumerate(tools):
            button = QToolButton()
            button.setDefaultAction(action)
            name(button, self.tr("Measure: {action}").format(action=action.text()))
            self._tools.insertWidget(place, button)

    def show_measured(
        self, measured: Measured, calibration: Calibration, pictures: tuple[Picture | None, Picture | None]
    ) -> None:
        """Show these numbers."""
        self._measured, self._calibration = measured, calibration
        for place, row in enumerate(table.rows(measured)):
            for column, text in enumerate(row.texts()):
                self._put(place, column, text, row.tip)
        line, placed = measured.marks.line(), bool(measured.marks.placed)
        parts = [table.areas(measured, calibration)] if measured.marks.regions() else []
        if line is not None:
            parts.append(self.tr("Length: {length}").format(length=calibration.say_length(line)))
        hint = self.tr("Draw on an image: two regions for the contrast between them, or a line.")
        self._facts.setText("\n".join(parts) if placed else hint)
        self._facts.setToolTip(tooltip(calibration.say_source() if placed else ""))
        self._plot.setVisible(line is not None)
        if line is not None:
            curves = [
                _share(numbers.profile if numbers is not None else None, picture)
                for numbers, picture in zip((measured.before, measured.after), pictures, strict=True)
            ]
            self._plot.show_curves(curves[0], curves[1], calibration.say_length(line))
        for button in (self._copy, self._save, self._delete):
            button.setEnabled(placed)

    def _build(self) -> None:
        self._table = QTableWidget(7, 4)
        name(self._table, self.tr("Regions before and after"))
        titles = ["", self.tr("Before"), self.tr("After"), self.tr("After/before")]
        self._table.setHorizontalHeaderLabels(titles)
        self._table.verticalHeader().setVisible(False)
        self._table.verticalHeader().setDefaultSectionSize(ROW_HEIGHT)
        self._table.verticalHeader().setMinimumSectionSize(ROW_HEIGHT)
        self._table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self._table.horizontalHeader().setHighlightSections(False)
        widest = max(map(self._table.horizontalHeader().fontMetrics().horizontalAdvance, titles))
        self._table.setMinimumWidth(4 * (widest + 2 * BESIDE_TITLE))
        self._table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._table.setShowGrid(False)
        self._table.setTabKeyNavigation(False)
        self._table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._table.setFixedHeight(7 * ROW_HEIGHT + self._table.horizontalHeader().sizeHint().height() + 4)
        self._facts = plain_label(wrap=True, object_name="quiet")
        name(self._facts, self.tr("Areas and length"))
        self._plot = ProfilePlot()
        self._delete, self._copy = QPushButton(self.tr("Delete")), QPushButton(self.tr("Copy"))
        name(self._delete, self.tr("Delete the chosen region or line"))
        name(self._copy, self.tr("Copy the measurements"))
        self._copy.setToolTip(tooltip(self.tr("Copy the numbers for a spreadsheet or a letter")))
        self._save = QPushButton(self.tr("Save CSV…"))
        name(self._save, self.tr("Save the measurements"))
        self._tools = QHBoxLayout()
        self._tools.setSpacing(3)
        self._tools.addStretch()
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        for button in (self._delete, self._copy, self._save):
            buttons.addWidget(button)
        buttons.addStretch()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addLayout(self._tools)
        layout.addWidget(self._table)
        layout.addWidget(self._facts)
        layout.addWidget(self._plot)
        layout.addLayout(buttons)

    def _connect_signals(self) -> None:
        self._copy.clicked.connect(self._copy_text)
        self._save.clicked.connect(self._ask_file)
        self.delete_asked = self._delete.clicked

    def _put(self, row: int, column: int, text: str, tip: str) -> None:
        item = self._table.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
            side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
            item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
            item.setToolTip(tooltip(tip))
            self._table.setItem(row, column, item)
        if item.text() != text:
            item.setText(text)

    def _copy_text(self) -> None:
        QGuiApplication.clipboard().setText(table.as_text(self._measured, self._calibration))

    def _ask_file(self) -> None:
        dialog = QFileDialog(self, self.tr("Save the measurements"), FILE_NAME, self.tr("Tables (*.csv)"))
        name(dialog, self.tr("Save the measurements to a file"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        dialog.fileSelected.connect(self._save_to)
        dialog.open()

    def _save_to(self, path: str) -> None:
        self.save_asked.emit(Path(path), table.as_csv(self._measured, self._calibration))


def _share(profile: Values | None, picture: Picture | None) -> Values | None:
    if profile is None or picture is None:
        return None
    lowest, highest = picture.scale.own(picture.lowest), picture.scale.own(picture.highest)
    shares: Values = (profile - lowest) / ((highest - lowest) or 1)  # high is dark in some files: bright stays up
    return np.asarray(shares, np.float64)

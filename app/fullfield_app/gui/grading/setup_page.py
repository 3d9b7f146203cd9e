"""What is to be graded: images of the list, the two versions of each, the criteria, and who reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from fullfield.grading.criteria import GENERAL, MOST, CriteriaSet
from fullfield.grading.study import Pair
from fullfield_app.gui.grading.candidates import LISTED, ORIGINAL, Candidate, Version, pairs
from fullfield_app.gui.grading.paused import PausedLine
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import clean, plain_label, tooltip

LONGEST_LINE, LONGEST_READER = 160, 12
HANGING, LINE_GAP = 16, 4  # pixels


@dataclass(frozen=True, kw_only=True)
class Wish:
    """A grading that a user wants to begin."""

    pairs: tuple[Pair, ...]
    criteria: tuple[str, ...]
    source: str
    reader: str


class SetupPage(QWidget):
    """`wished` carries a Wish; `left`: nothing is to be graded."""

    wished = Signal(object)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("What to grade"))
        self._candidates: tuple[Candidate, ...] = ()
        self._sets: tuple[CriteriaSet, ...] = ()
        self.paused = PausedLine()
        self._build()
        self._connect_signals()
        self._count()

    def offer(self, candidates: Sequence[Candidate], versions: Sequence[Version], sets: Sequence[CriteriaSet]) -> None:
        """What there is to choose from; the enhanced images, before and after, are chosen.

        Of criteria those for the part that all of them show, else the general ones.
        """
        self._candidates, self._sets = tuple(candidates), tuple(sets)
        for one in self._candidates:
            item = QListWidgetItem(one.name)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if one.result is not None else Qt.CheckState.Unchecked)
            self._images.addItem(item)
        for combo, first in ((self._reference, ORIGINAL), (self._test, LISTED)):
            for version in versions:
                combo.addItem(version.title, version.key)
            combo.setCurrentIndex(combo.findData(first))
        parts = {one.part for one in self._candidates if one.result is not None}
        fitting = parts.pop() if len(parts) == 1 else GENERAL
        for shipped in self._sets:
            self._set.addItem(shipped.title, shipped.key)
        self._set.setCurrentIndex(max(self._set.findData(fitting), 0))
        self._show_set()
        self._count()

    def choose(self, reference: str, test: str) -> None:
        """Compare these two versions, by their keys."""
        for combo, key in ((self._reference, reference), (self._test, test)):
            if combo.findData(key) >= 0:
                combo.setCurrentIndex(combo.findData(key))

    def wish(self) -> Wish:
        """What is chosen now."""
        chosen = [
            one
            for place, one in enumerate(self._candidates)
            if self._images.item(place).checkState() == Qt.CheckState.Checked
        ]
        made = pairs(chosen, str(self._reference.currentData()), str(self._test.currentData()))
        lines = (clean(" ".join(line.split()))[:LONGEST_LINE] for line in self._lines.toPlainText().splitlines())
        criteria = tuple(dict.fromkeys(line for line in lines if line))[:MOST]
        shipped = self._sets[self._set.currentIndex()] if self._set.currentIndex() >= 0 else None
        source = shipped.source if shipped is not None and criteria == shipped.lines else self.tr("the reader's own")
        return Wish(pairs=made, criteria=criteria, source=source, reader=clean(self._reader.text().strip()))

    # Within -----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        title = plain_label(self.tr("Grade blind"), object_name="title")
        about = plain_label(
            self.tr(
                "Two versions of each image are shown side by side, in random order and on random sides. You say which "
                "is better; which was which is told at the end."
            ),
            object_name="quiet",
            wrap=True,
        )
        foot = QHBoxLayout()
        self._number = plain_label(object_name="quiet", wrap=True)
        name(self._number, self.tr("How many pairs"))
        self._leave, self._begin = QPushButton(self.tr("Cancel")), QPushButton(self.tr("Start"))
        name(self._leave, self.tr("Close without grading"))
        name(self._begin, self.tr("Start grading"))
        self._begin.setObjectName("primary")
        self._begin.setDefault(True)
        foot.addWidget(self._number, 1)
        foot.addWidget(self._leave)
        foot.addWidget(self._begin)
        columns = QHBoxLayout()
        columns.setSpacing(18)
        columns.addLayout(self._build_images(), 1)
        columns.addLayout(self._build_form(), 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 16, 22, 16)
        layout.setSpacing(10)
        layout.addWidget(title)
        layout.addWidget(about)
        layout.addWidget(self.paused)
        layout.addLayout(columns, 1)
        layout.addLayout(foot)

    def _build_images(self) -> QVBoxLayout:
        self._images = QListWidget()
        name(self._images, self.tr("Images to grade"))
        self._all, self._none = QPushButton(self.tr("All")), QPushButton(self.tr("None"))
        name(self._all, self.tr("Grade all images"))
        name(self._none, self.tr("Grade no image"))
        line = QHBoxLayout()
        line.addWidget(plain_label(self.tr("Images")), 1)
        line.addWidget(self._all)
        line.addWidget(self._none)
        layout = QVBoxLayout()
        layout.addLayout(line)
        layout.addWidget(self._images, 1)
        return layout

    def _build_form(self) -> QGridLayout:
        self._reference, self._test, self._set = QComboBox(), QComboBox(), QComboBox()
        self._lines, self._reader = QTextEdit(), QLineEdit()
        self._lines.setAcceptRichText(False)
        self._lines.setMinimumHeight(90)
        self._lines.setTabChangesFocus(True)
        self._lines.setToolTip(tooltip(self.tr("One criterion per line, at most ten; change them as you like.")))
        self._reader.setMaxLength(LONGEST_READER)
        self._reader.setPlaceholderText(self.tr("may stay empty"))
        self._source = plain_label(object_name="quiet", wrap=True)
        for widget, text in (
            (self._reference, self.tr("First version")),
            (self._test, self.tr("Second version")),
            (self._set, self.tr("Criteria for")),
            (self._lines, self.tr("Criteria, one per line")),
            (self._source, self.tr("Where the criteria come from")),
            (self._reader, self.tr("Reader's initials")),
        ):
            name(widget, text)
        for combo in (self._reference, self._test, self._set):
            combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        form = QGridLayout()
        form.setColumnStretch(1, 1)
        form.setVerticalSpacing(8)
        labels = (self.tr("Compare"), self.tr("with"), self.tr("Criteria"), "", "", self.tr("Initials"))
        fields: tuple[QWidget, ...] = (self._reference, self._test, self._set, self._lines, self._source, self._reader)
        for row, (label, field) in enumerate(zip(labels, fields, strict=True)):
            form.addWidget(plain_label(label), row, 0)
            form.addWidget(field, row, 1)
        form.setRowStretch(3, 1)
        return form

    def _connect_signals(self) -> None:
        self._images.itemChanged.connect(lambda _: self._count())
        for combo in (self._reference, self._test):
            combo.currentIndexChanged.connect(lambda _: self._count())
        self._set.activated.connect(lambda _: self._show_set())
        self._lines.textChanged.connect(self._count)
        self._all.clicked.connect(lambda: self._check(Qt.CheckState.Checked))
        self._none.clicked.connect(lambda: self._check(Qt.CheckState.Unchecked))
        self._leave.clicked.connect(self.left)
        self._begin.clicked.connect(lambda: self.wished.emit(self.wish()))

    def _check(self, state: Qt.CheckState) -> None:
        for place in range(self._images.count()):
            self._images.item(place).setCheckState(state)

    def _show_set(self) -> None:
        shipped = self._sets[self._set.currentIndex()] if self._set.currentIndex() >= 0 else None
        if shipped is not None:
            self._lines.setPlainText("\n".join(shipped.lines))
            self._hang_lines()

    def _hang_lines(self) -> None:
        """What is broken at the edge is indented, so that it looks like no line of its own."""
        hanging = QTextBlockFormat()
        hanging.setLeftMargin(HANGING)
        hanging.setTextIndent(-HANGING)
        hanging.setBottomMargin(LINE_GAP)
        cursor = QTextCursor(self._lines.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(hanging)
        self._lines.document().clearUndoRedoStacks()

    def _count(self) -> None:
        wish = self.wish()
        self._begin.setEnabled(bool(wish.pairs and wish.criteria))
        self._source.setText(self.tr("Source: {source}").format(source=wish.source))
        if self._reference.currentData() == self._test.currentData():
            text = self.tr("Choose two different versions.")
        elif not wish.pairs:
            text = self.tr("Choose images that have both versions: those that are enhanced.")
        elif not wish.criteria:
            text = self.tr("Write at least one criterion.")
        else:
            text = self.tr("Pairs: {pairs}. Questions about each: {criteria}.").format(
                pairs=len(wish.pairs), criteria=len(wish.criteria)
            )
        self._number.setText(text)

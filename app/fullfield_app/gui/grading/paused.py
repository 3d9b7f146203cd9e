"""The gradings that were begun before: a line to choose one, and to go on with it or see what came out."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QPushButton, QWidget

from fullfield.grading.store import Kept
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label


class PausedLine(QWidget):
    """`open_asked`, `delete_asked` carry a `Kept`."""

    open_asked = Signal(object)
    delete_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Earlier gradings"))
        self._kept: tuple[Kept, ...] = ()
        self._there: Collection[str] = ()
        self._build()
        self.offer((), ())

    def offer(self, kept: Sequence[Kept], there: Collection[str]) -> None:
        """These gradings; `there`: the images of the list."""
        self._kept, self._there = tuple(kept), there
        self._choice.clear()
        self._choice.addItems([self._title(one) for one in self._kept])
        self.setVisible(bool(self._kept))
        self._tell()

    def _build(self) -> None:
        label = plain_label(self.tr("Earlier"), object_name="quiet")
        name(label, self.tr("Earlier gradings, caption"))
        self._choice = QComboBox()
        name(self._choice, self.tr("Earlier grading"))
        self._open, self._delete = QPushButton(self.tr("Resume")), QPushButton(self.tr("Delete"))
        name(self._open, self.tr("Open the earlier grading"))
        name(self._delete, self.tr("Delete the earlier grading"))
        self._about = plain_label(object_name="quiet", wrap=True)
        name(self._about, self.tr("About the earlier grading"))
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setColumnStretch(1, 1)
        for column, widget in enumerate((label, self._choice, self._open, self._delete)):
            layout.addWidget(widget, 0, column)
        layout.addWidget(self._about, 1, 1, 1, 3)
        self._choice.currentIndexChanged.connect(lambda _: self._tell())
        self._open.clicked.connect(lambda: self.open_asked.emit(self._chosen()))
        self._delete.clicked.connect(lambda: self.delete_asked.emit(self._chosen()))

    def _chosen(self) -> Kept:
        return self._kept[self._choice.currentIndex()]

    def _title(self, one: Kept) -> str:
        study = one.study
        readers = ", ".join(reading.reader for reading in study.readings if reading.reader)
        text = self.tr("{date}: {done} of {count} pairs").format(
            date=study.started, done=study.done, count=len(study.pairs)
        )
        return f"{text} ({readers})" if readers else text

    def _tell(self) -> None:
        if not self._kept or self._choice.currentIndex() < 0:
            return
        study = self._chosen().study
        self._open.setText(self.tr("Show result") if study.reading.ended else self.tr("Resume"))
        missing = sum(pair.image not in self._there for pair in study.pairs)
        text = ""
        if missing and not study.reading.ended:
            text = self.tr(
                "{missing} of its {count} images are not in the list. Close this, open the same files, and come back."
            ).format(missing=missing, count=len(study.pairs))
        self._about.setText(text)
        self._about.setVisible(bool(text))

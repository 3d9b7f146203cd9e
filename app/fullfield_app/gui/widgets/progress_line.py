"""How far the queue is: how many of how many, the time left, and the way to stop it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from fullfield.units import format_seconds
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label


class ProgressLine(QWidget):
    """Shows numbers; `cancel_asked`: leave out what has not begun."""

    cancel_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Progress of the queue"))
        self._build()
        self.show_progress(0, 0, None)

    def show_progress(self, done: int, total: int, seconds_left: float | None) -> None:
        """`done` of `total`; 0 of 0 or all done is a queue at rest."""
        busy = done < total
        self._bar.setRange(0, max(total, 1))
        self._bar.setValue(done)
        self._bar.setVisible(busy)
        self._cancel.setEnabled(busy)
        self._cancel.setVisible(busy)
        text = self.tr("{done} of {total} done").format(done=done, total=total) if total else ""
        if busy and seconds_left is not None:
            text = self.tr("{progress}, about {time} left").format(progress=text, time=format_seconds(seconds_left))
        self._text.setText(text)
        self._text.setAccessibleDescription(text)

    def _build(self) -> None:
        self._text = plain_label(object_name="quiet")
        name(self._text, self.tr("Progress in words"))
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(4)
        name(self._bar, self.tr("Progress of all images"))
        self._cancel = QPushButton(self.tr("Cancel"))
        name(self._cancel, self.tr("Cancel what has not begun"))
        self._cancel.clicked.connect(self.cancel_asked)
        line = QHBoxLayout()
        line.addWidget(self._text, 1)
        line.addWidget(self._cancel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(line)
        layout.addWidget(self._bar)

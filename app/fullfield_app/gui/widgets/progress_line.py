"""How far the queue is: how many of how many, how fast, the time left, and the ways to pause, stop and try again."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from fullfield_app.gui import numbers
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label


class ProgressLine(QWidget):
    """Shows numbers; `cancel_asked`: leave out what has not begun; `pause_asked`: pause or go on; `again_asked`: try
    what failed or was cancelled once more.
    """

    cancel_asked = Signal()
    pause_asked = Signal()
    again_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Progress of the queue"))
        self._build()
        self.show_progress(0, 0, None)

    def show_progress(
        self,
        done: int,
        total: int,
        seconds_left: float | None,
        *,
        busy: bool = False,
        per_minute: float | None = None,
        paused: bool = False,
    ) -> None:
        """`done` of `total`; while the queue is `busy` at `per_minute` images a minute."""
        self._bar.setRange(0, max(total, 1))
        self._bar.setValue(done)
        self._bar.setVisible(busy)
        self._cancel.setEnabled(busy)
        self._cancel.setVisible(busy)
        self._pause.setVisible(busy or paused)
        self._pause.setText(self.tr("Go on") if paused else self.tr("Pause"))
        text = self.tr("{done} of {total} done").format(done=done, total=total) if total else ""
        if paused:
            text = self.tr("Paused. {progress}").format(progress=text).strip()
        elif busy and seconds_left is not None and per_minute is not None:
            text = self.tr("{progress}, {rate} a minute, about {time} left").format(
                progress=text, rate=_rate(per_minute), time=numbers.seconds(seconds_left)
            )
        self._text.setText(text)

    def offer_again(self, count: int) -> None:
        """Offer to try `count` images once more; 0: there is none."""
        one, many = self.tr("Try 1 again"), self.tr("Try {count} again").format(count=count)
        self._again.setText(one if count == 1 else many)
        self._again.setVisible(bool(count))

    def _build(self) -> None:
        self._text = plain_label(object_name="quiet", wrap=True)
        name(self._text, self.tr("Progress in words"))
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(4)
        name(self._bar, self.tr("Progress of all images"))
        self._cancel = QPushButton(self.tr("Cancel"))
        name(self._cancel, self.tr("Cancel what has not begun"))
        self._cancel.clicked.connect(self.cancel_asked)
        self._pause = QPushButton()
        name(self._pause, self.tr("Pause the list or go on with it"))
        self._pause.clicked.connect(self.pause_asked)
        self._again = QPushButton()
        name(self._again, self.tr("Try again what failed or was cancelled"))
        self._again.clicked.connect(self.again_asked)
        self._again.hide()
        line = QHBoxLayout()
        line.addWidget(self._text, 1)
        for button in (self._again, self._pause, self._cancel):
            line.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(line)
        layout.addWidget(self._bar)


def _rate(per_minute: float) -> str:
    return numbers.number(per_minute, 0 if per_minute >= 10 else 1)

"""Which weights the network starts from, said before Start; and the button that fetches ImageNet's."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from fullfield_app.gui import numbers
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label

MEGABYTE = 1_000_000


class WeightsLine(QWidget):
    """`fetch_asked`: bring ImageNet's; `cancel_asked`: not any more."""

    fetch_asked = Signal()
    cancel_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("First weights of the network"))
        self._text = plain_label(wrap=True)
        name(self._text, self.tr("Which first weights"))
        self._fetch = QPushButton(self.tr("Fetch ImageNet weights…"))
        name(self._fetch, self.tr("Fetch ImageNet weights"))
        self._fetch.clicked.connect(self.fetch_asked)
        self._cancel = QPushButton(self.tr("Cancel"))
        name(self._cancel, self.tr("Stop fetching weights"))
        self._cancel.clicked.connect(self.cancel_asked)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        for widget in (self._text, self._fetch, self._cancel):
            layout.addWidget(widget)
        self.show_weights("", offered=False)

    def show_weights(self, text: str, *, offered: bool) -> None:
        """Which they are, in a sentence; `offered`: ImageNet's can be fetched."""
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._fetch.setVisible(offered)
        self._cancel.hide()

    def show_fetching(self, done: int, total: int) -> None:
        """So many bytes of ImageNet's have arrived."""
        text = self.tr("Fetching ImageNet weights: {done} of {total} MB.")
        shown = [numbers.number(round(count / MEGABYTE)) for count in (done, total)]
        self._text.setText(text.format(done=shown[0], total=shown[1]))
        self._text.show()
        self._fetch.hide()
        self._cancel.show()

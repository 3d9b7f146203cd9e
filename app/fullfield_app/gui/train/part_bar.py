"""What stands above the page that trains where its part is not installed: what that is, and what brings it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from fullfield_app.gui import numbers
from fullfield_app.gui.train.weights_line import MEGABYTE
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label


class PartBar(QFrame):
    """`install_asked`: bring it over the network; `folder_asked`: from a folder; `cancel_asked`: not any more."""

    install_asked = Signal()
    folder_asked = Signal()
    cancel_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Training part"))
        self._text = plain_label(wrap=True)
        name(self._text, self.tr("State of the training part"))
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setFixedHeight(4)
        name(self._progress, self.tr("Progress of the installation"))
        self._install = QPushButton(self.tr("Install…"))
        name(self._install, self.tr("Install the training part"))
        self._install.clicked.connect(self.install_asked)
        self._folder = QPushButton(self.tr("From a folder…"))
        name(self._folder, self.tr("Install the training part from a folder"))
        self._folder.clicked.connect(self.folder_asked)
        self._cancel = QPushButton(self.tr("Cancel"))
        name(self._cancel, self.tr("Stop the installation"))
        self._cancel.clicked.connect(self.cancel_asked)
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(self._text, 1)
        for button in (self._install, self._folder, self._cancel):
            line.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 6)
        layout.setSpacing(4)
        layout.addLayout(line)
        layout.addWidget(self._progress)
        self.hide()

    def show_offer(self, text: str) -> None:
        """It is not here: `text` says so; the buttons bring it."""
        self._show(text, working=False)

    def show_work(self, text: str, done: int = 0, total: int = 0, *, cancel: bool = True) -> None:
        """`text` is at work: so many bytes of it are done; `total` 0: nobody knows of how many."""
        if total:
            shown = [numbers.number(round(count / MEGABYTE)) for count in (done, total)]
            text = self.tr("{what}: {done} of {total} MB.").format(what=text, done=shown[0], total=shown[1])
        self._progress.setRange(0, round(total / MEGABYTE))
        self._progress.setValue(round(done / MEGABYTE))
        self._show(text, working=True)
        self._cancel.setVisible(cancel)

    def _show(self, text: str, *, working: bool) -> None:
        self._text.setText(text)
        for button in (self._install, self._folder):
            button.setVisible(not working)
        for widget in (self._cancel, self._progress):
            widget.setVisible(working)
        self.show()

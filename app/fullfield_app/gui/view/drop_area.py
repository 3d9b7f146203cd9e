"""What is there while no image is: an invitation to drop files, and the two ways to open them otherwise."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import plain_label

TEXT_WIDTH = 520  # about seventy letters: a line that reads well


class DropArea(QWidget):
    """Asks for files: `files_asked`, `folder_asked`. The window itself takes the drop, wherever it falls."""

    files_asked = Signal()
    folder_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Start: no images yet"))
        self._hovered = False
        self._build()

    def hover(self, above: bool) -> None:
        """Files are held above the window, or no longer."""
        self._hovered = above
        self.update()

    def _build(self) -> None:
        title = plain_label(self.tr("Drop radiographs or folders here"), object_name="title")
        text = plain_label(
            self.tr(
                "DICOM, PNG, TIFF, JPEG or WebP; folders and ZIP archives too. Each image is shown at once and "
                "enhanced at its native resolution. Your files are never changed."
            ),
            object_name="quiet",
            wrap=True,
        )
        text.setFixedWidth(TEXT_WIDTH)
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        buttons = QHBoxLayout()
        buttons.setSpacing(12)
        buttons.addStretch()
        for label, signal in (
            (self.tr("Open files…"), self.files_asked),
            (self.tr("Open folder…"), self.folder_asked),
        ):
            button = QPushButton(label)
            name(button, self.tr("Start: {action}").format(action=label.rstrip("…")))
            button.clicked.connect(signal)
            buttons.addWidget(button)
        buttons.addStretch()
        self._stack(title, text, buttons)

    def _stack(self, title: QLabel, text: QLabel, buttons: QHBoxLayout) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(48, 48, 48, 48)
        layout.setSpacing(14)
        layout.addStretch()
        layout.addWidget(title, alignment=Qt.AlignmentFlag.AlignCenter)
        middle = QHBoxLayout()  # not an alignment: that takes a wrapped text for one line
        middle.addStretch()
        middle.addWidget(text)
        middle.addStretch()
        layout.addLayout(middle)
        layout.addSpacing(10)
        layout.addLayout(buttons)
        layout.addStretch()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A dashed frame, brighter while files are held above it."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            accent = self.palette().highlight().color()
            colour = accent if self._hovered else self.palette().mid().color()
            painter.setPen(QPen(colour, 2 if self._hovered else 1.5, Qt.PenStyle.DashLine))
            painter.setBrush(
                QColor(accent.red(), accent.green(), accent.blue(), 26) if self._hovered else QColor(0, 0, 0, 0)
            )
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(24, 24, -24, -24), 12, 12)

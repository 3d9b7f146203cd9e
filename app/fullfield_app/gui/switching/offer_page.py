"""What is about to change, and the offer to look at it on images of one's own first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from fullfield.enhance import models
from fullfield_app.gui.switching.finder import MOST
from fullfield_app.gui.switching.wanted import Switch
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.accessible import complete, name
from fullfield_app.gui.widgets.label import breakable, plain_label


class OfferPage(QWidget):
    """`asked`: to compare on the files that are known; `folder_chosen`: on those of this folder; `used`, `kept`."""

    asked = Signal()
    folder_chosen = Signal(object)
    used = Signal()
    kept = Signal()

    def __init__(self, switch: Switch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("What would change"))
        self._build(switch)
        self.show_count(None)

    def show_count(self, count: int | None) -> None:
        """How many files are known; None: they are being looked for."""
        if count is None:
            text = self.tr("Looking for your images…")
        elif not count:
            text = self.tr("No images of yours are known here: choose a folder of them.")
        elif count == 1:
            text = self.tr("1 file of yours is known.")
        else:
            text = self.tr("{count} files of yours are known.").format(count=count)
        self._known.setText(text)
        self._compare.setEnabled(bool(count))

    def _build(self, switch: Switch) -> None:
        part = say_core(models.body_parts()[switch.part])
        asked = self.tr("{part}: use {model}?").format(part=part, model=switch.new)
        title = plain_label(breakable(asked), object_name="title", wrap=True)
        name(title, self.tr("Body part and what it would be enhanced with"))
        said = self.tr("From now on “Automatic” would take {new} for these images. In use now: {now}.")
        change = plain_label(breakable(said.format(new=switch.new, now=switch.now)), wrap=True)
        name(change, self.tr("What would be in use, and what is"))
        about = plain_label(
            self.tr(
                "Look first at up to {count} of your own images of this body part, as they are enhanced now and as "
                "they would be, side by side. Looking changes nothing, and nothing is written beside your images."
            ).format(count=MOST),
            object_name="quiet",
            wrap=True,
        )
        name(about, self.tr("What is compared"))
        self._known = plain_label(wrap=True)
        name(self._known, self.tr("Which images are known"))
        self._compare = self._button(self.tr("Compare side by side"), self.asked.emit)
        self._compare.setObjectName("primary")
        folder = self._button(self.tr("Choose a folder…"), self._ask_folder)
        name(folder, self.tr("Choose a folder of images to compare on"))
        use = self._button(self.tr("Use it without looking"), self.used.emit)
        keep = self._button(self.tr("Keep the one in use"), self.kept.emit)
        name(keep, self.tr("Keep the one in use, without looking"))
        images, foot = QHBoxLayout(), QHBoxLayout()
        for button in (self._compare, folder):
            images.addWidget(button)
        images.addStretch()
        foot.addStretch()
        for button in (use, keep):
            foot.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 16, 22, 16)
        layout.setSpacing(12)
        for label in (title, change, about, self._known):
            layout.addWidget(label)
        layout.addLayout(images)
        layout.addStretch()
        layout.addLayout(foot)

    def _button(self, text: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)  # Enter changes nothing by itself
        name(button, text)
        button.clicked.connect(lambda: act())
        return button

    def _ask_folder(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a folder of your own images"))
        name(dialog, self.tr("Folder of images to compare on"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(lambda folder: self.folder_chosen.emit(Path(folder)))
        dialog.finished.connect(dialog.deleteLater)
        complete(dialog)
        dialog.open()

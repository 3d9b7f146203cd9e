"""With what images are enhanced: automatically, with a preset by name, or with a model from a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QPushButton, QWidget

from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import clean, plain_label, tooltip

AUTOMATIC = "auto"
_FROM_FILE = ""


class ChoiceBar(QWidget):
    """`chosen`: another choice was made, for the images that are selected; `all_asked`: use it for all of them."""

    chosen = Signal(str)
    all_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Enhance with"))
        self._last = AUTOMATIC
        self._build()
        self._connect_signals()

    @property
    def choice(self) -> str:
        """`auto`, a preset's name, or a model's file."""
        return self._last

    def offer(self, presets: tuple[tuple[str, str], ...]) -> None:
        """The presets there are: name and title of each."""
        for place, (key, title) in enumerate(presets):
            self._combo.insertItem(1 + place, clean(title), key)

    def _build(self) -> None:
        label = plain_label(self.tr("Enhance with"), object_name="quiet")
        name(label, self.tr("Enhance with, caption"))
        self._combo = QComboBox()
        name(self._combo, self.tr("Preset or model"))
        self._combo.setToolTip(
            tooltip(self.tr("Automatic chooses the preset by body part, species and kind of input of each image."))
        )
        self._combo.addItem(self.tr("Automatic"), AUTOMATIC)
        self._combo.addItem(self.tr("Model from a file…"), _FROM_FILE)
        self._combo.setMinimumContentsLength(12)
        self._combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._all = QPushButton(self.tr("Apply to all"))
        name(self._all, self.tr("Enhance all images with this choice"))
        self._all.setToolTip(tooltip(self.tr("Enhance every image in the list with this choice")))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(label)
        layout.addWidget(self._combo, 1)
        layout.addWidget(self._all)

    def _connect_signals(self) -> None:
        self._combo.activated.connect(self._choose)
        self._all.clicked.connect(self.all_asked)

    def _choose(self, place: int) -> None:
        choice = str(self._combo.itemData(place))
        if choice == _FROM_FILE:
            self._ask_for_file()
        elif choice != self._last:
            self._take(choice)

    def _ask_for_file(self) -> None:
        self._combo.setCurrentIndex(self._combo.findData(self._last))
        dialog = QFileDialog(self, self.tr("Choose a model"), "", self.tr("Fullfield models (*.safetensors)"))
        name(dialog, self.tr("Choose a model file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.take_model)
        dialog.open()

    def take_model(self, path: str) -> None:
        """Use the model in the file `path`; it joins the list of choices."""
        if self._combo.findData(path) < 0:
            place = self._combo.count() - 1
            self._combo.insertItem(place, self.tr("Model: {name}").format(name=clean(Path(path).stem)), path)
        self._combo.setCurrentIndex(self._combo.findData(path))
        self._take(path)

    def _take(self, choice: str) -> None:
        self._last = choice
        self.chosen.emit(choice)


def preset_titles() -> tuple[tuple[str, str], ...]:
    """Name and title of every preset; reads their files, so it is a background task's."""
    from fullfield.image import presets

    return tuple((key, presets.load(key).title) for key in presets.names())

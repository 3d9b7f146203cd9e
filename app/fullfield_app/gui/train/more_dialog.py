"""The settings that few change, each with a sentence; what is wrong is told below the field it was typed into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from fullfield.plan import first_weights
from fullfield_app.gui import numbers
from fullfield_app.gui.train.choices import USUAL, Choices
from fullfield_app.gui.train.more_fields import FIELDS, FILE, Field, say
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.label import clean, plain_label
from fullfield_app.gui.widgets.scrolled import on_screen

WIDTH, HEIGHT = 760, 620  # pixels: smaller than a small laptop's screen
FRAME = 5  # pixels above the text of a field: titles and sentences begin where it does


class MoreDialog(QDialog):
    """`changed`: a field of `TrainSpec` and its value; a text that is no number is told as it is, and is a mistake."""

    changed = Signal(str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("More settings"))
        name(self, self.tr("More settings, dialog"))
        self._editors: dict[str, QCheckBox | QComboBox | QLineEdit] = {}
        self._troubles: dict[str, QLabel] = {}
        self._build()
        self.resize(on_screen(self, QSize(WIDTH, HEIGHT)))

    def offer(self, presets: Sequence[tuple[str, str]]) -> None:
        """The conventional presets, for references."""
        combo = self._editors["reference"]
        assert isinstance(combo, QComboBox)
        with QSignalBlocker(combo):
            for key, title in presets:
                if combo.findData(key) < 0:
                    combo.addItem(clean(title), key)

    def show_choices(self, choices: Choices, mistakes: Mapping[str, str]) -> None:
        """Show these."""
        for key, editor in self._editors.items():
            value = choices.value(key)
            with QSignalBlocker(editor):
                if isinstance(editor, QCheckBox):
                    editor.setChecked(bool(value))
                elif isinstance(editor, QComboBox):
                    _choose(editor, str(value))
                elif not editor.hasFocus():
                    editor.setText(numbers.short(value, 6) if isinstance(value, float) else str(value))
            trouble = self._troubles[key]
            trouble.setText(mistakes.get(key, ""))
            trouble.setVisible(key in mistakes)
            editor.setAccessibleDescription(mistakes.get(key, ""))

    def _build(self) -> None:
        inside = QWidget()
        name(inside, self.tr("More settings, form"))
        grid = QGridLayout(inside)
        grid.setColumnStretch(1, 1)
        grid.setHorizontalSpacing(14)
        for place, field in enumerate(FIELDS):
            self._add(grid, place, field)
        scroll = QScrollArea()
        name(scroll, self.tr("More settings, list"))
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        close = QPushButton(self.tr("Close"))
        name(close, self.tr("Close the settings"))
        close.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.addWidget(scroll, 1)
        layout.addWidget(close, alignment=Qt.AlignmentFlag.AlignRight)

    def _add(self, grid: QGridLayout, place: int, field: Field) -> None:
        title = say(field.title)
        label = plain_label(title)
        name(label, self.tr("{field}, title").format(field=title))
        editor = self._editor(field)
        name(editor, title)
        label.setBuddy(editor)
        tip = plain_label(say(field.tip), object_name="quiet", wrap=True)
        name(tip, self.tr("{field}, in a sentence").format(field=title))
        trouble = plain_label(object_name="trouble", wrap=True)
        name(trouble, self.tr("{field}, what is wrong").format(field=title))
        trouble.hide()
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(tip)
        texts.addWidget(trouble)
        texts.addStretch(1)
        beside = 0 if isinstance(editor, QCheckBox) else FRAME
        label.setContentsMargins(0, beside, 0, 0)
        texts.setContentsMargins(0, beside, 0, 0)
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(label, place, 0, top)
        grid.addLayout(texts, place, 1)
        grid.addWidget(editor, place, 2, top)
        self._editors[field.key], self._troubles[field.key] = editor, trouble

    def _editor(self, field: Field) -> QCheckBox | QComboBox | QLineEdit:
        usual = USUAL[field.key]
        if isinstance(usual, bool):
            box = QCheckBox(self.tr("on"))
            box.toggled.connect(lambda on: self.changed.emit(field.key, on))
            return box
        choices = field.choices() if callable(field.choices) else field.choices
        if choices:
            combo = QComboBox()
            combo.setMinimumContentsLength(24)
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            for key, text in choices:
                combo.addItem(say(text), key)
            combo.activated.connect(lambda place: self._chose(field.key, str(combo.itemData(place))))
            return combo
        line = QLineEdit()
        line.textEdited.connect(lambda text: self.changed.emit(field.key, _typed(text, usual)))
        return line

    def _chose(self, key: str, value: str) -> None:
        if value != FILE:
            self.changed.emit(key, value)
            return
        dialog = QFileDialog(self, self.tr("First weights"), "", self.tr("Weights (*.safetensors *.pth)"))
        name(dialog, self.tr("Choose the file of first weights"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.changed.emit(key, first_weights.named(path)))
        dialog.rejected.connect(lambda: self.changed.emit(key, USUAL[key]))
        dialog.open()


def _choose(combo: QComboBox, value: str) -> None:
    """Show a choice; a file's name joins the list."""
    if combo.findData(value) < 0:
        combo.addItem(clean(Path(value).name), value)
    combo.setCurrentIndex(combo.findData(value))


def _typed(text: str, usual: object) -> object:
    """The number that was typed, or the text as it is."""
    plain = numbers.amount(text)
    try:
        return int(plain) if isinstance(usual, int) else float(plain) if isinstance(usual, float) else text
    except ValueError:
        return text

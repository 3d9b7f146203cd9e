"""The settings that everybody sets: size, epochs, batch; a way to the others; what is wrong, where it is typed."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QPushButton, QSpinBox, QWidget

from fullfield.plan.spec import NATIVE
from fullfield_app.gui.train.choices import GRID, SIZES, Choices, nearest
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.flow import Flow
from fullfield_app.gui.widgets.label import plain_label, tooltip


class SizeForm(QWidget):
    """`changed`: a field of `TrainSpec` and its value; `more_asked`: show the other settings."""

    changed = Signal(str, object)
    more_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Settings of the training"))
        self._build()
        self._connect_signals()

    def show_choices(self, choices: Choices, mistakes: Mapping[str, str], elsewhere: int) -> None:
        """Show these; `elsewhere`: how many mistakes are among the other settings."""
        size = choices.value("size")
        text = self.tr("native") if size == NATIVE else str(size)
        with QSignalBlocker(self._size), QSignalBlocker(self._epochs), QSignalBlocker(self._batch):
            if self._size.currentText() != text:
                self._size.setEditText(text)
            self._epochs.setValue(choices.value("epochs"))
            self._batch.setValue(choices.value("batch"))
        reported = "\n".join(mistakes[key] for key in ("size", "epochs", "batch") if key in mistakes)
        self._say(reported, trouble=True) if reported else self._say(self._advice(size), trouble=False)
        more = self.tr("More… ({count} to correct)").format(count=elsewhere) if elsewhere else self.tr("More…")
        self._more.setText(more)

    def _advice(self, size: object) -> str:
        if isinstance(size, int) and size % GRID:
            below, above = nearest(size)
            text = self.tr("{size} is no multiple of 32: it is padded to {above}. {below} or {above} waste nothing.")
            return text.format(size=size, below=below, above=above)
        if size == NATIVE:
            return self.tr("Every image at its own size: the largest one decides how much memory it takes.")
        return ""

    def _say(self, text: str, *, trouble: bool) -> None:
        self._reported.setText(text)
        self._reported.setVisible(bool(text))
        self._reported.setObjectName("trouble" if trouble else "quiet")
        self._reported.style().unpolish(self._reported)
        self._reported.style().polish(self._reported)

    def _build(self) -> None:
        self._size = QComboBox()
        self._size.setEditable(True)
        self._size.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self._size.setToolTip(tooltip(self.tr("The longer side in pixels: choose one, or type one from 192 on.")))
        for size in SIZES:
            self._size.addItem(self.tr("native") if size == NATIVE else str(size), size)
        self._size.setMinimumContentsLength(7)
        name(self._size, self.tr("Size in pixels"))
        self._epochs, self._batch = QSpinBox(), QSpinBox()
        self._epochs.setRange(1, 100_000)
        self._batch.setRange(1, 4096)
        name(self._epochs, self.tr("Epochs"))
        name(self._batch, self.tr("Images per step"))
        self._more = QPushButton(self.tr("More…"))
        name(self._more, self.tr("More settings"))
        self._reported = plain_label(object_name="quiet", wrap=True)
        name(self._reported, self.tr("About the size"))
        line = Flow(spacing=14, below=4)
        for text, widget, tip in (
            (self.tr("Size"), self._size, ""),
            (self.tr("Epochs"), self._epochs, self.tr("How often every image is learnt from.")),
            (self.tr("Batch"), self._batch, self.tr("How many images each step learns from at once.")),
        ):
            label = plain_label(text)
            name(label, self.tr("{field}, caption").format(field=text))
            label.setToolTip(tooltip(tip))
            label.setBuddy(widget)
            field = QHBoxLayout()
            field.setSpacing(6)
            field.addWidget(label)
            field.addWidget(widget)
            line.add_layout(field)
        last = QHBoxLayout()
        last.addStretch(1)
        last.addWidget(self._more)
        line.add_layout(last)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(4)
        layout.addLayout(line, 0, 0)
        layout.addWidget(self._reported, 1, 0, Qt.AlignmentFlag.AlignTop)

    def _connect_signals(self) -> None:
        self._size.currentTextChanged.connect(lambda text: self.changed.emit("size", self._typed(text)))
        self._epochs.valueChanged.connect(lambda value: self.changed.emit("epochs", value))
        self._batch.valueChanged.connect(lambda value: self.changed.emit("batch", value))
        self._more.clicked.connect(self.more_asked)

    def _typed(self, text: str) -> int | str:
        """A number, "native", or what was typed as it is: the form then says what is wrong with it."""
        plain = text.strip()
        if plain.lower() in (NATIVE, self.tr("native").lower()):
            return NATIVE
        return int(plain) if plain.isascii() and plain.isdigit() and len(plain) < 9 else plain

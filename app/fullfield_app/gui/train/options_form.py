"""The options of a technique as a form, made from the fields of its `Options`: their types decide how it asks."""

from __future__ import annotations

from dataclasses import Field
from decimal import Decimal
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.decimal_box import DecimalBox
from fullfield_app.gui.widgets.flow import Flow
from fullfield_app.gui.widgets.label import plain_label

MOST = 1_000_000  # where an option sets no upper limit


class OptionsForm(QWidget):
    """`changed`: an option by its name, and its value."""

    changed = Signal(str, object)

    def __init__(self, title: str, options: tuple[Field[Any], ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("{technique}: options").format(technique=title))
        self._editors: dict[str, _Editor] = {}
        layout = QGridLayout(self)
        layout.setContentsMargins(26, 0, 8, 4)
        layout.setHorizontalSpacing(12)
        layout.setColumnStretch(0, 1)
        for row, item in enumerate(options):
            text = QCoreApplication.translate("techniques", item.metadata["text"])
            label = plain_label(text, object_name="quiet", wrap=True)
            name(label, self.tr("{technique}: {option}, caption").format(technique=title, option=text))
            editor = _Editor(item, title, text)
            editor.changed.connect(lambda value, key=item.name: self.changed.emit(key, value))
            self._editors[item.name] = editor
            layout.addWidget(label, row, 0)
            layout.addWidget(editor, row, 1, Qt.AlignmentFlag.AlignRight)

    def show_values(self, values: dict[str, Any]) -> None:
        """Show these, and the defaults of the others; tells no change."""
        for key, editor in self._editors.items():
            editor.show_value(values.get(key))


class _Editor(QWidget):
    """Asks for one option of the technique `technique`, which `text` describes."""

    changed = Signal(object)

    def __init__(self, item: Field[Any], technique: str, text: str) -> None:
        super().__init__()
        name(self, self.tr("{technique}: {option}, part").format(technique=technique, option=text))
        self._default, self._choices = item.default, tuple(item.metadata["choices"])
        self._least, self._most = item.metadata["least"], item.metadata["most"]
        self._quiet = False
        self._layout = Flow(spacing=6, below=2)
        self.setLayout(self._layout)
        self._technique, self._title = technique, f"{technique}: {text}"
        self._show = self._build()
        self.show_value(None)

    def show_value(self, value: Any) -> None:
        """Show a value; None: the default."""
        self._quiet = True
        self._show(self._default if value is None else value)
        self._quiet = False

    def _tell(self, value: Any) -> None:
        if not self._quiet:
            self.changed.emit(value)

    def _build(self) -> Any:
        default = self._default
        if isinstance(default, bool):
            return self._build_switch()
        if isinstance(default, tuple):
            return self._build_several() if self._choices else self._build_list()
        if self._choices:
            return self._build_choice()
        return self._build_number() if isinstance(default, int | float) else self._build_text()

    def _build_switch(self) -> Any:
        box = self._add(QCheckBox(self.tr("on")))
        box.toggled.connect(self._tell)
        return box.setChecked

    def _build_choice(self) -> Any:
        combo = self._add(QComboBox())
        for choice in self._choices:
            combo.addItem(_say(choice), choice)
        combo.currentIndexChanged.connect(lambda place: self._tell(self._choices[place]))
        return lambda value: combo.setCurrentIndex(self._choices.index(value))

    def _build_several(self) -> Any:
        boxes = {
            choice: self._add(QCheckBox(_say(choice)), f"{self._technique}: {_say(choice)}") for choice in self._choices
        }

        def reported() -> tuple[str, ...]:
            return tuple(choice for choice, box in boxes.items() if box.isChecked())

        for box in boxes.values():
            box.toggled.connect(lambda _: self._tell(reported()))

        def show(value: tuple[str, ...]) -> None:
            for choice, box in boxes.items():
                box.setChecked(choice in value)

        return show

    def _build_number(self) -> Any:
        whole = isinstance(self._default, int)
        spin: Any = self._add(QSpinBox() if whole else DecimalBox())
        least, most = self._least or 0, MOST if self._most is None else self._most
        spin.setRange(int(least) if whole else least, int(most) if whole else most)
        if not whole:
            decimals = max(2, *(_decimals(value) for value in (self._default, least, most)))
            spin.setDecimals(decimals)
            spin.setSingleStep(5 * 10**-decimals)
        spin.valueChanged.connect(self._tell)
        return lambda value: spin.setValue(min(value, spin.maximum()))  # Qt cannot take a whole number of 64 bits

    def _build_list(self) -> Any:
        line = self._add(QLineEdit())
        line.editingFinished.connect(lambda: self._tell(tuple(part for part in line.text().split("+") if part)))
        return lambda value: line.setText("+".join(value))

    def _build_text(self) -> Any:
        line = self._add(QLineEdit())
        line.editingFinished.connect(lambda: self._tell(line.text()))
        return line.setText

    def _add(self, widget: Any, title: str = "") -> Any:
        name(widget, title or self._title)
        self._layout.addWidget(widget)
        return widget


def _decimals(value: object) -> int:
    """Of the shortest text that means this number."""
    return max(0, -int(Decimal(repr(value)).normalize().as_tuple().exponent))


def _say(choice: object) -> str:
    """One of an option's choices; what is no word stays as it is."""
    return QCoreApplication.translate("options", str(choice)).replace("_", " ")

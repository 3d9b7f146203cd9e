"""One number of a preset: its name, a slider, the number itself, and the way back to the preset's own value."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QGridLayout, QToolButton, QWidget

from fullfield.image.preset import Parameter
from fullfield_app.gui import numbers
from fullfield_app.gui.enhance.parameter_texts import TEXTS
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.decimal_box import DecimalBox
from fullfield_app.gui.widgets.label import ElidedLabel, tooltip
from fullfield_app.gui.widgets.number_slider import NumberSlider

STEPS = 400  # of the slider at most: each changes the number as it is said


class ParameterSlider(QWidget):
    """`moved`: the value is being changed; `rested`: the slider was let go."""

    moved = Signal()
    rested = Signal()

    def __init__(self, parameter: Parameter, place: int | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parameter, self.place = parameter, place
        width = parameter.high - parameter.low
        self._decimals = 3 if width <= 1 else 2
        self._steps: int = min(STEPS, round(width * 10**self._decimals))
        self.title = TEXTS[parameter.key].say(place)
        self._spoken = TEXTS[parameter.key].say_in(parameter.key.partition(".")[0], place)
        self._own = self._own_said = parameter.low
        name(self, self.tr("Parameter: {title}").format(title=self._spoken))
        self._build()
        self._connect_signals()

    @property
    def value(self) -> float:
        """The value now: the preset's own as its file holds it, which may be finer than the box says."""
        return self._number.value() if self.changed else self._own

    @property
    def changed(self) -> bool:
        """The value is not the preset's own."""
        return self._number.value() != self._own_said

    @property
    def down(self) -> bool:
        """The slider is held."""
        return self._slider.isSliderDown()

    def take_typed(self) -> None:
        """What is typed and not entered yet counts from now on."""
        self._number.interpretText()

    def show_value(self, value: float, own: float) -> None:
        """Show `value`; `own` is the preset's. What is being typed stays where the value is the one of before."""
        self._own, before, typed = own, self._number.value(), self._number.typed
        with QSignalBlocker(self._number), QSignalBlocker(self._slider):
            self._number.setValue(own)
            self._own_said = self._number.value()
            self._number.setValue(value)
            self._slider.setValue(self._step(self._number.value()))
            if typed and self._number.value() == before:
                self._number.lineEdit().setText(typed)
        self._show_changed()

    # Within -----------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        low, high = self.parameter.low, self.parameter.high
        label = ElidedLabel()
        label.show_text(self.title)
        name(label, self.tr("{title}, caption").format(title=self._spoken))
        self._slider = NumberSlider(self._shown_at, self._step, least=(high - low) / self._steps)
        self._slider.setRange(0, self._steps)
        self._slider.setPageStep(self._steps // 10)
        name(self._slider, self.tr("Slider: {title}").format(title=self._spoken))
        self._number = DecimalBox()
        self._number.setRange(low, high)
        self._number.setDecimals(self._decimals)
        self._number.setSingleStep((high - low) / 100)
        self._number.setKeyboardTracking(False)
        self._number.setObjectName("bare")  # the stylesheet draws no buttons
        self._number.setFixedWidth(64)
        name(self._number, self.tr("Number: {title}").format(title=self._spoken))
        self._reset = QToolButton()
        self._reset.setText("↺")
        self._reset.setToolTip(tooltip(self.tr("Back to the value of the preset")))
        name(self._reset, self.tr("Reset: {title}").format(title=self._spoken))
        hint = self.tr("{text} {low} to {high}. Unit: {unit}. Source: {source}.").format(
            text=TEXTS[self.parameter.key].explain(),
            low=numbers.short(low),
            high=numbers.short(high),
            unit=say_core(self.parameter.unit),
            source=say_core(self.parameter.source),
        )
        self.setToolTip(tooltip(hint))
        self._slider.setAccessibleDescription(hint)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(6)
        layout.setVerticalSpacing(1)
        layout.addWidget(label, 0, 0, 1, 3)
        layout.addWidget(self._slider, 1, 0)
        layout.addWidget(self._number, 1, 1)
        layout.addWidget(self._reset, 1, 2)
        layout.setColumnStretch(0, 1)

    def _connect_signals(self) -> None:
        self._slider.valueChanged.connect(self._slide)
        self._slider.sliderReleased.connect(self.rested)
        self._number.valueChanged.connect(self._type)
        self._reset.clicked.connect(self._go_back)

    def _slide(self, step: int) -> None:
        with QSignalBlocker(self._number):
            self._number.setValue(self._value_at(step))
        self._show_changed()
        self.moved.emit()

    def _type(self, value: float) -> None:
        with QSignalBlocker(self._slider):
            self._slider.setValue(self._step(value))
        self._show_changed()
        self.moved.emit()

    def _go_back(self) -> None:
        self.take_typed()
        self.show_value(self._own, self._own)
        self.moved.emit()
        self.rested.emit()

    def _show_changed(self) -> None:
        self._reset.setEnabled(self.changed)

    def _shown_at(self, step: int) -> float:
        """What the number is, or would be, where the slider stands at this step."""
        number = self._number.value()
        return number if step == self._step(number) else round(self._value_at(step), self._decimals)

    def _value_at(self, step: int) -> float:
        """The value of a step; of the one that the preset's own is nearest to, that."""
        low, high = self.parameter.low, self.parameter.high
        return self._own if step == self._step(self._own_said) else low + (high - low) * step / self._steps

    def _step(self, value: float) -> int:
        low, high = self.parameter.low, self.parameter.high
        return round(self._steps * (value - low) / (high - low))

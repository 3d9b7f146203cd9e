"""A slider that tells screen readers the number that it stands for; Qt's own tells them the place of its handle."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable
from functools import cache
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface, QAccessibleValueInterface
from PySide6.QtWidgets import QAccessibleWidget, QSlider, QWidget
from shiboken6 import VoidPtr

from fullfield_app.gui import numbers

_NO_INTERFACE = VoidPtr(0)


class NumberSlider(QSlider):
    """`number`: what a place of the handle stands for; `place`: where the handle is at a number, or nearest to it;
    `least`: by how much a screen reader makes the number larger or smaller."""

    def __init__(
        self,
        number: Callable[[int], float],
        place: Callable[[float], int],
        least: float,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.number, self.place, self.least = number, place, least
        _install()


class _Value(QAccessibleValueInterface):
    """The number of a slider, and its range."""

    def __init__(self, slider: NumberSlider) -> None:
        super().__init__()
        self._slider: NumberSlider = weakref.proxy(slider)  # PySide keeps an interface for good

    def currentValue(self) -> float:
        """See Qt."""
        return self._number(self._slider.value())

    def minimumValue(self) -> float:
        """See Qt."""
        return self._number(self._slider.minimum())

    def maximumValue(self) -> float:
        """See Qt."""
        return self._number(self._slider.maximum())

    def minimumStepSize(self) -> float:
        """See Qt."""
        return self._slider.least

    def setCurrentValue(self, value: Any) -> None:
        """See Qt. To the next place at least, also where that is farther than the number that is asked for; what is
        beyond the range is its border, and what is no number is ignored."""
        if not math.isfinite(value):
            return
        wanted = min(max(float(value), self.minimumValue()), self.maximumValue())
        now, more = self._slider.value(), wanted - self.currentValue()
        place = self._slider.place(wanted)
        if place == now and abs(more) >= self._slider.least:
            place += 1 if more > 0 else -1
        self._slider.setValue(place)

    def _number(self, place: int) -> float:
        return float(self._slider.number(place))


class _Interface(QAccessibleWidget):
    """What Qt tells of every widget, as a slider, with the number as its value."""

    def __init__(self, slider: NumberSlider) -> None:
        super().__init__(slider, QAccessible.Role.Slider)
        self._value = _Value(slider)

    def text(self, t: QAccessible.Text) -> str:
        """See Qt."""
        return numbers.short(self._value.currentValue(), 6) if t is QAccessible.Text.Value else super().text(t)

    def interface_cast(self, kind: QAccessible.InterfaceType) -> Any:
        """See Qt. None for "there is none" ends the process: PySide takes it for a pointer."""
        if kind is QAccessible.InterfaceType.ValueInterface:
            return self._value
        found = super().interface_cast(kind)
        return _NO_INTERFACE if found is None else found


@cache
def _install() -> None:
    QAccessible.installFactory(_interface)


def _interface(_: str, widget: QObject | None) -> QAccessibleInterface | None:
    """None: Qt makes its own."""
    return _Interface(widget) if isinstance(widget, NumberSlider) else None

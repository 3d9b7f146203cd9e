"""The wheel scrolls past a field that it happens to come over: only a field that has the focus is changed by it."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QSlider, QWidget

FIELDS = (QComboBox, QAbstractSpinBox, QSlider)


class _Passing(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the wheel to what lies around a field without the focus."""
        if event.type() is QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False


@cache
def _passing() -> _Passing:
    return _Passing(QCoreApplication.instance())


def spare(widget: QWidget) -> None:
    """Where `widget` is a field whose value the wheel changes: only with the focus, which the wheel does not give."""
    if isinstance(widget, FIELDS):
        widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        widget.installEventFilter(_passing())

"""Coalescing: of a thousand values a second only the latest is worth a redraw."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal


class Throttle(QObject):
    """Passes on the first value at once and then the latest one, at most every `milliseconds`."""

    passed = Signal(object)

    def __init__(self, milliseconds: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._latest: Any = None
        self._waiting = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(milliseconds)
        self._timer.timeout.connect(self._release)

    def offer(self, value: object) -> None:
        """Pass `value` on now or, when one has just been passed, soon; a later value takes its place."""
        if self._timer.isActive():
            self._latest, self._waiting = value, True
            return
        self._timer.start()
        self.passed.emit(value)

    def _release(self) -> None:
        if self._waiting:
            value, self._latest, self._waiting = self._latest, None, False
            self._timer.start()
            self.passed.emit(value)

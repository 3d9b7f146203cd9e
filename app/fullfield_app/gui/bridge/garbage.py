"""Cycles of garbage are looked for on the window's thread alone.

Python looks for them on whatever thread has just made an object, and destroys there what it finds, which may be objects
of the window: that takes Qt's locks while it waits for the interpreter. Where the window holds the interpreter and
waits for those locks, both wait for ever.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

LOOK_MILLISECONDS = 200


class Garbage(QObject):
    """While it is there, looks for garbage as often as Python would; made and ended on the window's thread."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(LOOK_MILLISECONDS)

    def end(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        gc.enable()

    def _look(self) -> None:
        due = [count > most > 0 for count, most in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if any(due):
            gc.collect(max(generation for generation, is_due in enumerate(due) if is_due))

"""Changes of a small file, written in the background one after another, and all before the window has closed."""

from __future__ import annotations

import contextlib
import functools
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from fullfield.errors import FullfieldError
from fullfield_app.gui.bridge.task import Tasks

T = TypeVar("T")


class Writer(QObject, Generic[T]):
    """`update` reads the file, changes its value and writes it. `failed`: an exception, where it could not."""

    failed = Signal(object)

    def __init__(self, update: Callable[[Callable[[T], T]], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._update = update
        self._tasks: Tasks | None = None
        self._unwritten: deque[Callable[[T], T]] = deque()

    def write(self, change: Callable[[T], T]) -> None:
        """Change the file soon."""
        if self._tasks is None:
            self._tasks = Tasks(self)
            self._tasks.failed.connect(self.failed)
        self._unwritten.append(change)
        self._tasks.start(self._write, lambda _: None)

    def close(self) -> None:
        """Wait until all is written; more than once does no harm."""
        if self._tasks is not None:
            self._tasks.close()
            self._tasks = None
            with contextlib.suppress(FullfieldError, ValueError):  # nobody is left to tell
                self._write()

    def _write(self) -> None:
        """All that was changed meanwhile at one go; what cannot be written is tried again with the next change."""
        changes = [self._unwritten.popleft() for _ in range(len(self._unwritten))]
        if changes:
            try:
                self._update(lambda value: functools.reduce(lambda now, change: change(now), changes, value))
            except (FullfieldError, ValueError):
                self._unwritten.extendleft(reversed(changes))
                raise

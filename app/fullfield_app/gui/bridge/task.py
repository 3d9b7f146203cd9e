"""One-off work outside the window's thread: walking a folder, building an image's pyramid, looking for files.

A task is a plain function. Its value comes back on the window's thread; a FullfieldError goes to the same place as
all others, and an exception that nobody foresaw too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal, Slot

T = TypeVar("T")


class Tasks(QObject):
    """Runs tasks one after another in a background thread of its own; `failed` carries the exception of one."""

    failed = Signal(object)
    _finished = Signal(object, object)

    def __init__(self, parent: QObject | None = None, *, threads: int = 1) -> None:
        super().__init__(parent)
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(threads)
        self._closed = False
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def start(self, work: Callable[[], T], done: Callable[[T], None], *, failed: Failed | None = None) -> None:
        """Do `work` in the background, then call `done` with its value, or `failed` with its exception, here."""

        def run() -> None:
            try:
                value = work()
            except Exception as error:  # noqa: BLE001 - carried over to the window's thread and shown there
                self._finished.emit(failed or self.failed.emit, error)
            else:
                self._finished.emit(done, value)

        if not self._closed:
            self._pool.start(QRunnable.create(run))

    def close(self) -> None:
        """Forget what has not begun, wait for what has; nothing is delivered any more."""
        self._closed = True
        self._pool.clear()
        self._pool.waitForDone()

    @Slot(object, object)
    def _deliver(self, receive: Callable[[Any], None], value: object) -> None:
        if not self._closed:
            receive(value)


Failed = Callable[[BaseException], None]

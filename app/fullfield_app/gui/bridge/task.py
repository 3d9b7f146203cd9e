"""One-off work outside the window's thread: walking a folder, building an image's pyramid, looking for files.

A task is a plain function. Its value comes back on the window's thread; a FullfieldError goes to the same place as
all others, and an exception that nobody foresaw too.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

T = TypeVar("T")
Failed = Callable[[BaseException], None]


class Tasks(QObject):
    """Runs tasks one after another in a background thread of its own; `failed` carries the exception of one.

    The thread is Python's: a QRunnable is deleted by Qt's pool while Python may still hold it, and PySide then takes
    the next object at its address for it (seen with 6.11.3: a selection model that was a QRunnable).
    """

    failed = Signal(object)
    _finished = Signal(object, object)

    def __init__(self, parent: QObject | None = None, *, waits: bool = True) -> None:
        """`waits` false: a drive that answers no more holds up neither another task nor the end of the program. Only
        for what reads: each task has a thread of its own then, and is left where it is."""
        super().__init__(parent)
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="window task") if waits else None
        self._closed = False
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def start(self, work: Callable[[], T], done: Callable[[T], None], *, failed: Failed | None = None) -> None:
        """Do `work` in the background, then call `done` with its value, or `failed` with its exception, here."""

        def run() -> None:
            try:
                value = work()
            except Exception as error:  # noqa: BLE001 - carried over to the window's thread and shown there
                self._tell(failed or self.failed.emit, error)
            else:
                self._tell(done, value)

        if self._closed:
            return
        if self._thread is None:
            threading.Thread(target=run, name="window task that is left", daemon=True).start()
        else:
            self._thread.submit(run)

    def close(self) -> None:
        """Forget what has not begun, wait for what has unless it is left; nothing is delivered any more."""
        self._closed = True
        if self._thread is not None:
            self._thread.shutdown(wait=True, cancel_futures=True)

    def _tell(self, receive: Callable[[Any], None], value: object) -> None:
        if not self._closed:
            with contextlib.suppress(RuntimeError):  # a task that was left, and all that it belonged to is gone
                self._finished.emit(receive, value)

    @Slot(object, object)
    def _deliver(self, receive: Callable[[Any], None], value: object) -> None:
        if not self._closed:
            receive(value)

"""Threads that do work in turn: each lane does one kind of it, so that the quick never waits for the slow."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

Work = Callable[[], None]


class Lane:
    """One thread that does in turn what it is given; or `threads`, of which each takes the next. `latest`, of one: what
    waits is dropped when more comes.

    What the work raises is kept for `check`, and the lane goes on: nobody who waits for it waits for ever.
    """

    def __init__(self, *, threads: int = 1, latest: bool = False) -> None:
        self._latest = latest
        self._fault: Exception | None = None
        self._queue: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._loop, daemon=True) for _ in range(threads)]
        for one in self._threads:
            one.start()

    def put(self, work: Work) -> None:
        """Do this when its turn comes."""
        self._queue.put(work)

    def check(self) -> None:
        """Raise the first error that the work has raised."""
        if self._fault is not None:
            raise self._fault

    def close(self) -> None:
        """End when all that was put is done."""
        for _ in self._threads:
            self._queue.put(None)
        for one in self._threads:
            one.join()

    def _loop(self) -> None:
        while (work := self._queue.get()) is not None:
            while self._latest and not self._queue.empty():
                later = self._queue.get()
                if later is None:
                    return
                work = later
            try:
                work()
            except Exception as error:  # noqa: BLE001 - raised again by `check`, in the thread that can end the run
                self._fault = self._fault or error


__all__ = ["Lane", "Work"]

"""Threads that take commands in turn: each lane does one kind of work, so that the quick never waits for the slow."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Any

Command = dict[str, Any]
Work = Callable[[Command], None]


class Lane:
    """One thread that takes commands in turn. `first`: done before all of them. `work` must not raise.

    `latest`: a command that waits is dropped when another comes.
    """

    def __init__(self, work: Work, *, first: Callable[[], None] | None = None, latest: bool = False) -> None:
        self._work, self._first, self._latest = work, first, latest
        self._queue: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._loop, daemon=True)
        self._thread.start()

    def put(self, command: Command) -> None:
        """Do this when its turn comes."""
        self._queue.put(command)

    def close(self) -> None:
        """End the thread when all that was put is done."""
        self._queue.put(None)
        self._thread.join()

    def _loop(self) -> None:
        if self._first is not None:
            self._first()
        while (command := self._queue.get()) is not None:
            while self._latest and not self._queue.empty():
                later = self._queue.get()
                if later is None:
                    return
                command = later
            self._work(command)


__all__ = ["Command", "Lane"]

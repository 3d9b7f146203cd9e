"""A worker's sign of life: the time of a file that it touches, and how long that has not changed.

A process that is stopped, or that a library holds without letting Python run, is neither dead nor at work; nobody
would be told. The file's own time is not trusted, only that it changes: clocks jump, and a computer sleeps.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path

from fullfield import files
from fullfield.jobs.job import of_rank

FILE = "pulse"
BEAT_SECONDS = 1.0
SLEPT_SECONDS = 3.0  # between two looks that are to be milliseconds apart: the reader itself was stopped


def beat(folder: Path, rank: int = 0) -> None:
    """Touch the file of this rank of the run in the background, as long as this process lives."""

    path = folder / of_rank(FILE, rank)

    def go_on() -> None:
        while True:
            with contextlib.suppress(OSError):  # a full disk or a folder that is gone is told by the work itself
                files.touch(path)
            time.sleep(BEAT_SECONDS)

    threading.Thread(target=go_on, name="heartbeat", daemon=True).start()


class Listener:
    """Looks at the pulse of a rank of the run in `folder`; to be asked often."""

    def __init__(self, folder: Path, rank: int = 0, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._clock = folder / of_rank(FILE, rank), clock
        self._seen: int | None = None
        self._changed = self._looked = clock()

    def silent_seconds(self) -> float:
        """How long there has been no sign of life; 0 while the worker has not given its first."""
        now = self._clock()
        with contextlib.suppress(OSError):
            seen = self._path.stat().st_mtime_ns
            if seen != self._seen:
                self._seen, self._changed = seen, now
        if self._seen is None or now - self._looked > SLEPT_SECONDS:
            self._changed = now
        self._looked = now
        return now - self._changed

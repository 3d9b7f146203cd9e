"""How fast the queue goes: images per minute, and the time that is left. Time at rest does not count."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], float]


class Pace:
    """A stopwatch of one batch that can be paused."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or time.monotonic
        self._before = 0.0
        self._began: float | None = None

    def begin(self) -> None:
        """A new batch."""
        self._before, self._began = 0.0, self._clock()

    def pause(self) -> None:
        """Stop the clock."""
        self._before, self._began = self._seconds(), None

    def resume(self) -> None:
        """Let it go on."""
        if self._began is None:
            self._began = self._clock()

    def per_minute(self, done: int) -> float | None:
        """Images per minute after `done` of them; None while that cannot be told."""
        seconds = self._seconds()
        return 60 * done / seconds if done and seconds > 0 else None

    def seconds_left(self, done: int, total: int) -> float | None:
        """How long the rest will take at this pace; None while that cannot be told, and when nothing is left."""
        return self._seconds() / done * (total - done) if done and done < total else None

    def _seconds(self) -> float:
        return self._before + (self._clock() - self._began if self._began is not None else 0.0)

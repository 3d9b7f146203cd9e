"""Which optimizer steps are told: a day of quick ones would leave hundreds of megabytes of events."""

from __future__ import annotations

import time
from collections.abc import Callable

ALL = 1000  # of a process are told, each
LEAST_SECONDS = 1.0  # between two of those that follow


class Pace:
    """All of the first `ALL` steps are told, then those that are `LEAST_SECONDS` apart, and the last of every epoch."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._reported, self._reported_at = clock, 0, 0.0

    def due(self, *, last: bool) -> bool:
        """Whether the step that has just been made is told; `last`: of its epoch."""
        now = self._clock()
        if self._reported >= ALL and not last and now - self._reported_at < LEAST_SECONDS:
            return False
        self._reported, self._reported_at = self._reported + 1, now
        return True

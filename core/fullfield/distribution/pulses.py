"""Signs of life of the nodes of a training, in the head's store: who is silent is lost, whatever its connections say.

A node that is switched off, frozen or behind a cut line closes nothing, so nobody's read would end.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any

BEAT_SECONDS = 0.5
SILENT_SECONDS = 5.0
SLEPT_SECONDS = 3.0
"""Between two looks that are to be half a second apart: this computer itself was stopped."""


class Pulses:
    """Tells that node `number` lives, and looks at the pulses of `others`, from a thread with a connection of its own
    that `connect` makes."""

    def __init__(self, connect: Callable[[], Any], number: int, others: tuple[int, ...]) -> None:
        self._connect, self._number, self._others = connect, number, others
        self._counts: dict[int, bytes] = {}
        self._changed: dict[int, float] = {}
        self._began, self._token = time.monotonic(), time.time_ns()
        threading.Thread(target=self._beat, name="pulses", daemon=True).start()

    def silent_seconds(self, number: int) -> float:
        """How long a node has given no sign of life; one that has given none yet, since this began to look."""
        return time.monotonic() - self._changed.get(number, self._began)

    def alive(self) -> set[int]:
        """The others that give signs of life."""
        return {number for number in list(self._changed) if self.silent_seconds(number) < SILENT_SECONDS}

    def _beat(self) -> None:
        store, count, looked = None, 0, time.monotonic()
        while True:
            with contextlib.suppress(RuntimeError):
                try:
                    store = store or self._connect()
                    count += 1
                    store.set(f"pulse/{self._number}", f"{self._token} {count}")
                    self._look(store, slept=time.monotonic() - looked > SLEPT_SECONDS)
                except RuntimeError:  # the line is cut: what comes late would be taken for another answer
                    store = None
                    raise
                finally:
                    looked = time.monotonic()
            time.sleep(BEAT_SECONDS)

    def _look(self, store: Any, *, slept: bool) -> None:
        for number in self._others:
            key = f"pulse/{number}"
            seen = store.get(key) if store.check([key]) else None
            if seen is not None and (slept or seen != self._counts.get(number)):
                if number in self._counts or number == 0:  # of a node that has gone its last count stays
                    self._changed[number] = time.monotonic()
                self._counts[number] = seen

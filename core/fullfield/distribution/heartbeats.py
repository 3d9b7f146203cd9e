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
LOOK_SECONDS = 4.0
"""Of one look at most: one that takes longer was none, for this computer itself was stopped."""


class Heartbeats:
    """Tells that node `number` lives, and looks at the pulses of `others`, from a thread with a connection of its own
    that `connect` makes."""

    def __init__(self, connect: Callable[[], Any], number: int, others: tuple[int, ...]) -> None:
        self._connect, self._number, self._others = connect, number, others
        self._counts: dict[int, bytes] = {}
        self._silent = dict.fromkeys(others, 0.0)
        self._seen: set[int] = set()
        self._token = time.time_ns()
        threading.Thread(target=self._beat, name="heartbeats", daemon=True).start()

    def silent_seconds(self, number: int) -> float:
        """How long a node has given no sign of life; one that has given none yet, since this began to look."""
        return self._silent[number]

    def alive(self) -> set[int]:
        """The others that give signs of life."""
        return {number for number in self._others if number in self._seen and self._silent[number] < SILENT_SECONDS}

    def _beat(self) -> None:
        store, count, looked = None, 0, time.monotonic()
        while True:
            received: set[int] = set()
            with contextlib.suppress(RuntimeError):
                try:
                    store = store or self._connect()
                    count += 1
                    store.set(f"pulse/{self._number}", f"{self._token} {count}")
                    received = self._received(store)
                except RuntimeError:  # the line is cut: what comes late would be taken for another answer
                    store = None
                    raise
                finally:
                    now = time.monotonic()
                    for number in self._others:
                        more = min(now - looked, LOOK_SECONDS)
                        self._silent[number] = 0.0 if number in received else self._silent[number] + more
                    looked = now
            time.sleep(BEAT_SECONDS)

    def _received(self, store: Any) -> set[int]:
        """Those that have given a sign of life since the last look."""
        received = set()
        for number in self._others:
            key = f"pulse/{number}"
            count = store.get(key) if store.check([key]) else None
            if count is not None and count != self._counts.get(number):
                if number in self._counts:  # the last one of a node that has gone stays there
                    received.add(number)
                self._counts[number] = count
        self._seen |= received
        return received

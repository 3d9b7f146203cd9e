"""One network on several devices: an image for each while images wait, and where they are fewer, the parts of one."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from fullfield.enhance.backends.base import Backend
from fullfield.enhance.tiles import Tile


class Shared:
    """The network's backends, one for each device. Threads take some and give them back. `waiting`: how many of them
    have none."""

    def __init__(self, backends: Sequence[Backend]) -> None:
        self.waiting, self._free = 0, list(backends)
        self._changed = threading.Condition()

    @contextmanager
    def taken(self, most: int) -> Iterator[list[Backend]]:
        """At least one, as soon as it is free; up to `most`, where no other image waits for them."""
        with self._changed:
            self.waiting += 1
            self._changed.wait_for(lambda: self._free)
            count = max(1, min(most, len(self._free) // self.waiting))
            self.waiting -= 1
            mine, self._free = self._free[:count], self._free[count:]
        try:
            yield mine
        finally:
            with self._changed:
                self._free = [*mine, *self._free]
                self._changed.notify_all()


def compute_all(backends: Sequence[Backend], tiles: Iterable[Tile], work: Callable[[Backend, Tile], None]) -> None:
    """Have all tiles computed; each of several backends takes the next one when it is free. The first error ends it."""
    left: queue.SimpleQueue[Tile] = queue.SimpleQueue()
    for tile in tiles:
        left.put(tile)
    failed = threading.Event()

    def compute(backend: Backend) -> None:
        try:
            while not failed.is_set():
                work(backend, left.get_nowait())
        except queue.Empty:
            pass
        except BaseException:
            failed.set()
            raise

    if len(backends) == 1:
        compute(backends[0])
        return
    with ThreadPoolExecutor(max_workers=len(backends), thread_name_prefix="device") as pool:
        for _ in pool.map(compute, backends):
            pass

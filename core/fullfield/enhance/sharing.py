"""One network on several devices: an image for each while images wait, and where they are fewer, the parts of one."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from fullfield.enhance.backends.base import Backend
from fullfield.enhance.portions import Ended, Portion, divided
from fullfield.enhance.tiles import Cut, Tile

Work = Callable[[Backend, Tile, Portion | None], None]
"""Computes a tile; or a portion, of the tile that is the whole image."""


class Shared:
    """The network's backends, one for each device. Threads take some and give them back. `waiting`: an entry for each
    that has none, in the order of arrival."""

    def __init__(self, backends: Sequence[Backend]) -> None:
        self.waiting, self._free = list[object](), list(backends)
        self._changed = threading.Condition()

    @contextmanager
    def taken(self, most: int, least: int = 1) -> Iterator[list[Backend]]:
        """At least `least`, all of them at once, as soon as so many are free and those who came before have theirs; up
        to `most`, where no other image waits for them."""
        with self._changed:
            self.waiting.append(me := object())
            try:
                self._changed.wait_for(lambda: self.waiting[0] is me and len(self._free) >= least)
                count = max(least, min(most, len(self._free) // len(self.waiting)))
                mine, self._free = self._free[:count], self._free[count:]
            finally:
                self.waiting.remove(me)
                self._changed.notify_all()
        try:
            yield mine
        finally:
            with self._changed:
                self._free = [*mine, *self._free]
                self._changed.notify_all()


def compute_all(backends: Sequence[Backend], cut: Cut, work: Work) -> None:
    """Have all of an image computed: its portions at once, or its tiles, of which each of several backends takes the
    next one when it is free. The first error ends it. Raises ValueError where backends are fewer than portions."""
    if cut.together:
        _together(backends, cut, work)
    elif len(backends) == 1:
        for tile in cut:
            work(backends[0], tile, None)
    else:
        _in_turn(backends, cut, work)


def _together(backends: Sequence[Backend], cut: Cut, work: Work) -> None:
    """No portion is done before all have begun, so each has a backend and a thread of its own."""
    portions = divided((rows.first, rows.last) for rows in cut.row_spans)
    pairs = tuple(zip(backends[: len(portions)], portions, strict=True))
    faults: list[BaseException] = []

    def end() -> None:
        for portion in portions:
            portion.end()

    def compute(backend: Backend, portion: Portion) -> None:
        try:
            work(backend, cut.whole, portion)
        except Ended:
            pass
        except BaseException as error:  # noqa: BLE001 - raised again below, once nobody computes any more
            faults.append(error)
            end()

    with _threads(len(portions)) as pool:
        try:
            for pair in pairs:
                pool.submit(compute, *pair)
        except BaseException:  # a thread that cannot begin is waited for by those that have
            end()
            raise
    if faults:
        raise faults.pop(0)


def _in_turn(backends: Sequence[Backend], tiles: Iterable[Tile], work: Work) -> None:
    left: queue.SimpleQueue[Tile] = queue.SimpleQueue()
    for tile in tiles:
        left.put(tile)
    failed = threading.Event()

    def compute(backend: Backend) -> None:
        try:
            while not failed.is_set():
                work(backend, left.get_nowait(), None)
        except queue.Empty:
            pass
        except BaseException:
            failed.set()
            raise

    with _threads(len(backends)) as pool:
        for _ in pool.map(compute, backends):
            pass


def _threads(count: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=count, thread_name_prefix="device")

"""Turns of the event loop, one by one: the thread's CPU and the wall's clock of each, and where the longest ones were.

The loop is ours: turn after turn of the dispatcher, as in `QEventLoop.exec`, but it never waits in there: where there
was nothing to do it sleeps a millisecond outside, so that waiting counts in neither figure.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QAbstractEventDispatcher, QEventLoop

from fullfield_app.gui.bridge.sampler import Sampler

IDLE_SECONDS = 0.001
LONG_MILLISECONDS = 5.0  # from here on a turn is kept with its place


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A long turn. `place`: the function of ours that was seen most often while it ran; "" where Qt alone was."""

    phase: str
    cpu_milliseconds: float
    wall_milliseconds: float
    place: str


@dataclass(frozen=True, kw_only=True)
class Turns:
    """All turns of a phase, in milliseconds; `longest`: a few of them, by CPU."""

    phase: str
    count: int
    worst_cpu: float
    percentile_99_cpu: float
    worst_wall: float
    percentile_99_wall: float
    longest: tuple[Turn, ...]


class TurnMeter:
    """Runs the loop until something is so, and measures every turn."""

    def __init__(self) -> None:
        self._sampler = Sampler()
        self._dispatcher = QAbstractEventDispatcher.instance()
        self._cpu: list[float] = []
        self._wall: list[float] = []
        self._long: list[Turn] = []

    def run(self, phase: str, until: Callable[[], bool], *, seconds: float) -> None:
        """Turn after turn until `until`, which is no part of them; TimeoutError after `seconds`."""
        end = time.monotonic() + seconds
        while not until():
            if time.monotonic() > end:
                raise TimeoutError(phase)
            self._sampler.begin()
            begun = (time.thread_time(), time.perf_counter())
            busy = self._dispatcher.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
            ended = (time.thread_time(), time.perf_counter())
            place = self._sampler.end()
            if not busy:
                time.sleep(IDLE_SECONDS)
                continue
            cpu, wall = (1000 * (now - before) for now, before in zip(ended, begun, strict=True))
            self._cpu.append(cpu)
            self._wall.append(wall)
            if max(cpu, wall) > LONG_MILLISECONDS:
                self._long.append(Turn(phase=phase, cpu_milliseconds=cpu, wall_milliseconds=wall, place=place))

    def take(self, phase: str) -> Turns:
        """What has been measured since the last call."""
        count, long = len(self._cpu), self._long
        cpu, wall = self._cpu or [0.0], self._wall or [0.0]
        self._cpu, self._wall, self._long = [], [], []
        return Turns(
            phase=phase,
            count=count,
            worst_cpu=round(max(cpu), 1),
            percentile_99_cpu=round(float(np.percentile(cpu, 99)), 1),
            worst_wall=round(max(wall), 1),
            percentile_99_wall=round(float(np.percentile(wall, 99)), 1),
            longest=tuple(sorted(long, key=lambda turn: -turn.cpu_milliseconds)[:8]),
        )

    def close(self) -> None:
        """Look no longer."""
        self._sampler.close()

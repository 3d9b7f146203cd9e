"""What ranks tell: rank 0 appends for all, and the others leave theirs where it finds it, without a word between them.

rank-N.json    what rank N has told: its last state, and the few events that are told once; replaced when either is new

No collective operation carries it: one from a thread would come between those of the training.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
from dataclasses import asdict, dataclass
from pathlib import Path

from fullfield import checked, system
from fullfield.checked import Count
from fullfield.memory.watch import span
from fullfield.protocol import event_lines, events
from fullfield.protocol.events import Event, StepProfiled
from fullfield.protocol.rank_events import RanksSampled, RankStarted, RankState

ONCE = (RankStarted, StepProfiled)
"""Told once or twice by a rank in its life."""
LEAST_SECONDS = 1.0
FRESH = os.O_WRONLY | os.O_CREAT | os.O_TRUNC


@dataclass(frozen=True, kw_only=True)
class _Left:
    """`number`: how many states were left so far. `once`: lines of events."""

    number: Count = 0
    state: RankState | None = None
    once: tuple[str, ...] = ()


class Leaving:
    """The news of a rank that is not rank 0."""

    def __init__(self, folder: Path, rank: int) -> None:
        self._path = folder / _name(rank)
        self._lock = threading.Lock()
        self._left = _Left()

    def leave(self, event: Event) -> None:
        """Leave it where rank 0 finds it; what others need not know is passed over. Raises OSError."""
        with self._lock:
            before = self._left
            if isinstance(event, RanksSampled):
                self._left = _Left(number=before.number + 1, state=event.ranks[0], once=before.once)
            elif isinstance(event, ONCE):
                once = (*before.once, events.to_line(event))
                self._left = _Left(number=before.number, state=before.state, once=once)
            else:
                return
            self._write(json.dumps(asdict(self._left)))

    def _write(self, text: str) -> None:
        """In one piece, and readable by this user alone; not for after a power cut."""
        part = self._path.with_name(f".{self._path.name}.part")
        with os.fdopen(system.open_own(part, FRESH), "w", encoding="utf-8") as stream:
            stream.write(text)
        system.rename(part, self._path)


class Joining:
    """The news of all ranks, as rank 0 tells them."""

    def __init__(self, folder: Path, world: int) -> None:
        self._paths = [folder / _name(rank) for rank in range(1, world)]
        self._lock = threading.Lock()
        self._numbers: dict[Path, int] = {}
        self._once: dict[Path, int] = {}
        self._states: dict[int, RankState] = {}
        self._seconds, self._step, self._reported_at = 0.0, 0, 0.0

    def joined(self, own: RanksSampled) -> list[Event]:
        """What is to be told when rank 0 tells of itself: of all ranks at once, as often as memory is told."""
        with self._lock:
            reported = self._look()
            self._take(own.ranks[0])
            if own.seconds < self._seconds:  # of another part of the training
                self._reported_at = 0.0
            self._seconds, self._step = own.seconds, own.step
            if own.seconds - self._reported_at >= max(LEAST_SECONDS, span(own.seconds)):
                reported += self._states_reported()
            return reported

    def rest(self) -> list[Event]:
        """What is left when the run ends."""
        with self._lock:
            return [*self._look(), *self._states_reported()]

    def _states_reported(self) -> list[Event]:
        states = tuple(self._states[rank] for rank in sorted(self._states))
        self._states, self._reported_at = {}, self._seconds
        return [RanksSampled(seconds=self._seconds, step=self._step, ranks=states)] if states else []

    def _take(self, state: RankState) -> None:
        self._states[state.rank] = state.after(self._states.get(state.rank))

    def _look(self) -> list[Event]:
        """Take the states that are new, and return the events that are."""
        reported: list[Event] = []
        for path in self._paths:
            left = _read(path)
            if left.state is not None and left.number > self._numbers.get(path, 0):
                self._numbers[path] = left.number
                self._take(left.state)
            for line in left.once[self._once.get(path, 0) :]:
                event = event_lines.from_line(line)
                reported += [event] if event is not None else []
            self._once[path] = max(self._once.get(path, 0), len(left.once))
        return reported


def _name(rank: int) -> str:
    return f"rank-{rank}.json"


def _read(path: Path) -> _Left:
    with contextlib.suppress(OSError, ValueError):  # not yet there
        return checked.make(_Left, checked.parse(path.read_bytes()))
    return _Left()

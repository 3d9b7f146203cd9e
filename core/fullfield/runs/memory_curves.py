"""The memory of a training as curves: what the card, the process and torch's allocator held, and its two phases.

On a card the phases are the most that torch had given out; without one all figures are the process's own memory.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from types import MappingProxyType

from fullfield.hardware.meter import Reading
from fullfield.memory.readback import Readback
from fullfield.memory.watch import BACKWARD, FORWARD
from fullfield.protocol.events import Event, MemorySampled, PlanMade, RungTaken, RunStarted
from fullfield.protocol.rank_events import RanksSampled
from fullfield.runs.decimated import NO_CURVE, Curve, DecimatedCurve

FIGURES = ("device_bytes", "process_bytes", "reserved_bytes", "peak_bytes", "host_bytes")
RECENT_SECONDS = 60.0
MOST_RECENT = 6000  # points of all lines together


@dataclass(frozen=True, kw_only=True)
class MemorySnapshot:
    """Curves over seconds of training, pauses left out, in bytes, of rank 0; `phases`, `peak_bytes`, `predicted_bytes`
    are of the fullest rank. `curves`: by the figures of `FIGURES` that this machine tells. `forward`, `backward`: the
    highest of each time that phase was told. `recent`: the last `RECENT_SECONDS` of all of them, every point that was
    told. `phases`: the highest of every figure by phase, of the techniques that run now. `predicted_bytes`: what the
    process holds of the device's memory at its highest (`Plan.process_bytes`); `budget_bytes`: what it may; 0 where not
    known. `peak_bytes`: since there was a plan of other techniques. `rungs`: when memory ran out.
    """

    on_card: bool = False
    curves: MappingProxyType[str, Curve] = field(default_factory=lambda: MappingProxyType({}))
    forward: Curve = NO_CURVE
    backward: Curve = NO_CURVE
    recent: MappingProxyType[str, Curve] = field(default_factory=lambda: MappingProxyType({}))
    phases: MappingProxyType[str, Reading] = field(default_factory=lambda: MappingProxyType({}))
    peak_bytes: int = 0
    predicted_bytes: int = 0
    budget_bytes: int = 0
    rungs: tuple[float, ...] = ()
    sentence: str = ""


class MemoryState:
    """Hears events, and keeps a bounded number of points."""

    def __init__(self) -> None:
        self._curves = {name: DecimatedCurve() for name in FIGURES}
        self._phases = {FORWARD: DecimatedCurve(), BACKWARD: DecimatedCurve()}
        self._recent: deque[tuple[float, str, float]] = deque()
        self._readback = Readback()
        self._offset = self._now = 0.0
        self._on_card = False
        self._peak = {True: 0, False: 0}  # of a card, of the computer
        self._predicted = self._budget = 0
        self._rungs: list[float] = []

    def apply(self, event: Event) -> None:
        """Take an event in; those that say nothing of memory are passed over."""
        self._readback.apply(event)
        match event:
            case MemorySampled():
                self._sample(event)
            case RanksSampled():
                for state in event.ranks:
                    self._raise(state.device_bytes, state.host_bytes)
            case RunStarted():
                self._offset = self._now
            case PlanMade():
                self._predicted = event.plan.process_bytes or event.plan.peak_bytes
                if not self._readback.phases:  # what other techniques have held is not held against these
                    self._peak = {True: 0, False: 0}
                self._budget = event.budget_bytes or self._budget  # a budget that was set stays when it is gone on with
            case RungTaken():
                self._rungs.append(self._now)
                self._offset = self._now
                self._predicted = event.peak_bytes
            case _:
                pass

    def snapshot(self) -> MemorySnapshot:
        """What is known, as a value."""
        curves = {name: curve for name, thin in self._curves.items() if (curve := thin.curve()).x}
        return MemorySnapshot(
            on_card=self._on_card,
            curves=MappingProxyType(curves),
            forward=self._phases[FORWARD].curve(),
            backward=self._phases[BACKWARD].curve(),
            recent=MappingProxyType(self._recently()),
            phases=MappingProxyType(dict(self._readback.phases)),
            peak_bytes=self._peak[self._on_card],
            predicted_bytes=self._predicted,
            budget_bytes=self._budget,
            rungs=tuple(self._rungs),
            sentence=" ".join(filter(None, (self._readback.sentences(), self._readback.of_ranks()))),
        )

    def _add(self, name: str, curve: DecimatedCurve, value: float) -> None:
        curve.add(self._now, value)
        self._recent.append((self._now, name, value))
        while self._now - self._recent[0][0] > RECENT_SECONDS or len(self._recent) > MOST_RECENT:
            self._recent.popleft()

    def _recently(self) -> dict[str, Curve]:
        points: dict[str, list[tuple[float, float]]] = {}
        for x, name, y in self._recent:
            points.setdefault(name, []).append((x, y))
        return {name: Curve(x=tuple(x for x, _ in line), y=tuple(y for _, y in line)) for name, line in points.items()}

    def _sample(self, event: MemorySampled) -> None:
        self._now = max(self._now, self._offset + event.seconds)
        self._on_card = self._on_card or event.allocated_bytes is not None or event.device_bytes is not None
        if event.rank == 0:
            self._draw(event)
        card = max((count for count in (event.process_bytes, event.reserved_bytes) if count is not None), default=0)
        self._raise(card, event.host_bytes)

    def _raise(self, card: int | None, host: int) -> None:
        self._peak = {True: max(self._peak[True], card or 0), False: max(self._peak[False], host)}

    def _draw(self, event: MemorySampled) -> None:
        for name, curve in self._curves.items():
            value = getattr(event, name)
            if value is not None:
                self._add(name, curve, float(value))
        phase = self._phases.get(event.phase)
        value = event.peak_bytes if self._on_card else event.host_bytes
        if phase is not None and value is not None:
            self._add(event.phase, phase, float(value))


NO_MEMORY = MemorySnapshot()

"""The processes of a training, folded from what rank 0 tells of them: of each its memory as a curve, its phase, and how
long it waits for the others. Nothing where there is one.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from fullfield.protocol.events import Event, PlanMade, RungTaken, RunStarted
from fullfield.protocol.plan import Plan
from fullfield.protocol.rank_events import RankLost, RanksSampled, RankStarted, RankState
from fullfield.runs.decimated import NO_CURVE, Curve, DecimatedCurve

MOST_POINTS = 400  # of a process: there may be many, and each has a small plot
WAITING_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class RankSnapshot:
    """A process at one moment. `title`: of its device. `waiting`: its share of the last `WAITING_SECONDS`; None where
    not known. `curve`: bytes that it held over seconds of training, pauses left out; `peak_bytes`: the most of them.
    `predicted_bytes`, `budget_bytes`: what its plan says of it, and what it may take; 0 where not known. `lost`: how it
    ended and took the others along (`RankLost.how`), or "".
    """

    rank: int
    title: str = ""
    phase: str = ""
    waiting: float | None = None
    curve: Curve = NO_CURVE
    held_bytes: int = 0
    peak_bytes: int = 0
    predicted_bytes: int = 0
    budget_bytes: int = 0
    sent_bytes: int = 0
    lost: str = ""


@dataclass(kw_only=True)
class _Rank:
    title: str = ""
    lost: str = ""
    state: RankState | None = None
    peak: int = 0
    curve: DecimatedCurve = field(default_factory=lambda: DecimatedCurve(most=MOST_POINTS))
    waited: deque[tuple[float, float, float]] = field(default_factory=deque)  # moment, seconds, share of them

    def take(self, now: float, state: RankState) -> None:
        self.state, self.peak = state, max(self.peak, state.held_bytes)
        self.curve.add(now, float(state.held_bytes))
        if state.waiting is not None:
            self.waited.append((now, state.seconds, state.waiting))
        while self.waited and now - self.waited[0][0] > WAITING_SECONDS:
            self.waited.popleft()

    def waiting(self) -> float | None:
        seconds = sum(span for _, span, _ in self.waited)
        return sum(span * share for _, span, share in self.waited) / seconds if seconds else None


class RanksState:
    """Hears events, and keeps a bounded number of points."""

    def __init__(self) -> None:
        self._ranks: dict[int, _Rank] = {}
        self._offset = self._now = 0.0
        self._plan = Plan()
        self._budget = 0

    def apply(self, event: Event) -> None:
        """Take an event in; those that say nothing of processes are passed over."""
        match event:
            case RanksSampled():
                self._now = max(self._now, self._offset + event.seconds)
                for state in event.ranks:
                    self._of(state.rank).take(self._now, state)
            case RankStarted():
                self._of(event.rank).title = event.title
            case RankLost():
                self._of(event.rank).lost = event.how
            case RunStarted():
                self._start(event.world)
            case PlanMade():
                self._plan, self._budget = event.plan, event.budget_bytes or self._budget
            case RungTaken():
                self._offset = self._now
            case _:
                pass

    def snapshot(self) -> tuple[RankSnapshot, ...]:
        """What is known of each, in their order."""
        return tuple(self._snapshot(rank, self._ranks[rank]) for rank in sorted(self._ranks))

    def _of(self, rank: int) -> _Rank:
        return self._ranks.setdefault(rank, _Rank())

    def _start(self, world: int) -> None:
        self._offset = self._now
        if world != len(self._ranks):  # it goes on with others
            self._ranks = {}
        for rank in self._ranks.values():
            rank.lost, rank.state = "", None
            rank.waited.clear()

    def _snapshot(self, rank: int, known: _Rank) -> RankSnapshot:
        state = known.state or RankState(rank=rank)
        devices = self._plan.devices
        plan = devices[rank] if rank < len(devices) else self._plan
        return RankSnapshot(
            rank=rank,
            title=known.title,
            phase=state.phase,
            waiting=known.waiting(),
            curve=known.curve.curve(),
            held_bytes=state.held_bytes,
            peak_bytes=known.peak,
            predicted_bytes=plan.process_bytes or plan.peak_bytes,
            budget_bytes=self._budget,
            sent_bytes=state.sent_bytes + state.shared_bytes,
            lost=known.lost,
        )

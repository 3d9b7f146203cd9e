"""One rank of several, told once a second while it trains: its memory, its phase, and how long it waited for others.

Each rank tells of itself alone; who takes it joins them (`fullfield.jobs.rank_news`), and looks twice as often as
others tell, so that nothing is passed over.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from fullfield.distribution.team import Team
from fullfield.hardware.meter import Reading
from fullfield.protocol.rank_events import RanksSampled, RankState

TELL_SECONDS, JOIN_SECONDS = 1.0, 0.5


class RankWatch:
    """Beside the `Watch` of a rank of `team`, which lends it what it reads."""

    def __init__(
        self, team: Team, tell: Callable[[RanksSampled], None], *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`tell` is called from the thread that calls `look`."""
        self._team, self._tell, self._clock = team, tell, clock
        self._lock = threading.Lock()
        self._highest: Reading | None = None
        self._phase = ""
        self._began = self._reported_at = clock()
        self._waited = team.traffic.seconds()

    def see(self, phase: str, reading: Reading) -> None:
        """What is held just now. From any thread."""
        with self._lock:
            self._phase = phase
            self._highest = self._highest.highest(reading) if self._highest else reading

    def look(self, step: int, *, last: bool = False) -> None:
        """Tell what is due, or with `last` what is left. `step`: optimizer steps done. Raises OSError of `tell`."""
        now = self._clock()
        seconds, waited = now - self._reported_at, self._team.traffic.seconds()
        with self._lock:
            highest = self._highest
            if highest is None or (not last and seconds < (JOIN_SECONDS if self._team.writes else TELL_SECONDS)):
                return
            phase, self._highest = self._phase, None
        card = [count for count in (highest.process_bytes, highest.reserved_bytes) if count is not None]
        share = (waited - self._waited) / seconds if seconds else 0.0
        traffic = self._team.traffic
        state = RankState(
            rank=self._team.rank,
            seconds=round(seconds, 3),
            phase=phase,
            host_bytes=highest.host_bytes,
            device_bytes=max(card, default=None),
            peak_bytes=highest.peak_bytes,
            waiting=round(min(1.0, max(0.0, share)), 3) if traffic.timed else None,
            sent_bytes=traffic.sent,
            messages=traffic.messages,
            shared_bytes=traffic.shared,
            collectives=traffic.collectives,
        )
        self._reported_at, self._waited = now, waited
        self._tell(RanksSampled(seconds=round(now - self._began, 3), step=step, ranks=(state,)))

"""Memory while a training runs: looked at twenty times a second and at the borders of its phases, told as events.

What is told stays in the run's folder for ever, so not every look is told. The rule:

- Every look raises the highest figures of the phase that runs, each figure for itself, until they are told. So an
  event holds the highest since the event before it of the same phase, and no maximum is lost.
- The border at a phase's end is told at once, unless a border of the same phase was told less than a span before: see
  `SPANS`, a quarter of a second in the first minutes and coarser in time later. So every optimizer step that takes that
  long tells one border of forward, one of backward, one of update.
- In between, when nothing was told for a span, the phase that runs is told where a figure has moved by more than
  `LEAST_CHANGE` of itself. After `QUIET_SPANS` of them it is told without that, and so is what is left of other phases.
- What is left at the end is told at the end.

So a span tells at most a border of each of the four phases and one look between: sixteen events a second in the first
two minutes, two and a half in the first hour, less than one from then on. A day of a training whose steps are short and
whose memory never rests is below 30 MB, and what is looked at live is as fine as a window can draw.

On a card no look waits for it: torch's allocator counts on the host, when a kernel is enqueued. The watch begins its
peak anew at the borders; nothing else may do so meanwhile.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from fullfield.hardware.meter import Meter, Reading
from fullfield.memory.rank_watch import RankWatch
from fullfield.protocol.events import MemorySampled

SAMPLE_SECONDS = 0.05
SPANS = ((0.0, 0.25), (120.0, 2.0), (3600.0, 6.0))  # from so many seconds of training on, a span of so many
QUIET_SPANS = 4
LEAST_CHANGE = 0.01
FORWARD, BACKWARD, UPDATE, EVALUATION = "forward", "backward", "update", "evaluation"


class Watch:
    """Opened around a training: looks in a thread of its own until it is left, whatever the training ends with.

    `step`: optimizer steps done, which the training counts up. `rank`: whose memory it is; `ranks`: what else is told
    of a rank of several.
    """

    def __init__(
        self,
        meter: Meter,
        tell: Callable[[MemorySampled], None],
        *,
        rank: int = 0,
        ranks: RankWatch | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`tell` may be called from any thread."""
        self.step = 0
        self._rank, self._ranks = rank, ranks
        self._meter, self._tell, self._clock = meter, tell, clock
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="memory", daemon=True)
        self._phase = ""
        self._began = 0.0
        self._gathered: dict[str, Reading] = {}
        self._reported: Reading | None = None
        self._reported_at = 0.0
        self._border_at: dict[str, float] = {}

    def __enter__(self) -> Watch:
        self._began = self._reported_at = self._clock()
        with contextlib.suppress(OSError):  # a full disk: the training's own events say so
            self._meter.look_at_card()
            self._gather()
            self._tell_of(self._phase)  # what there is before the first phase, over which the others grow
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._stop.set()
        self._thread.join()
        with self._lock, contextlib.suppress(OSError):  # a full disk: the training's own events say so
            self._tell_of(*self._gathered)
            if self._ranks:
                self._ranks.look(self.step, last=True)
        self._meter.close()

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """What runs inside is the phase `name`."""
        with self._lock:
            self._gather()  # the highest of the phase around it, which begins anew
            outer, self._phase = self._phase, name
            self._meter.begin_peak()
        try:
            yield
        finally:
            with self._lock:
                self._border(name, outer)

    def look(self) -> None:
        """Look once, and tell what is due. The thread calls it, twenty times a second."""
        self._meter.look_at_card()
        with self._lock:
            self._gather()
            self._tell_of(*self._due(self._clock() - self._reported_at))
        if self._ranks:
            self._ranks.look(self.step)

    def _run(self) -> None:
        while not self._stop.wait(SAMPLE_SECONDS):
            try:
                self.look()
            except OSError:  # a full disk: the training's own events say so
                continue

    def _border(self, name: str, outer: str) -> None:
        self._gather()
        self._phase = outer
        self._meter.begin_peak()
        now = self._clock()
        if name not in self._border_at or now - self._border_at[name] >= self._span():
            self._border_at[name] = now
            with contextlib.suppress(OSError):  # an error that ends the phase counts more
                self._tell_of(name, border=True)

    def _gather(self) -> None:
        reading, before = self._meter.read(), self._gathered.get(self._phase)
        if self._ranks:
            self._ranks.see(self._phase, reading)
        self._gathered[self._phase] = before.highest(reading) if before else reading

    def _due(self, silent: float) -> list[str]:
        """The phases to tell after so many seconds without an event, between borders."""
        span = self._span()
        if silent >= QUIET_SPANS * span:
            return list(self._gathered)
        if silent < span or (self._reported and not _differs(self._reported, self._gathered[self._phase])):
            return []
        return [self._phase]

    def _span(self) -> float:
        return span(self._clock() - self._began)

    def _tell_of(self, *phases: str, border: bool = False) -> None:
        """Tell what has gathered in these phases, and let go of it. Inside the lock, so that events are in order."""
        now = self._clock()
        seconds = round(now - self._began, 3)
        for name in phases:
            reading = self._reported = self._gathered.pop(name)
            self._reported_at = now
            sample = MemorySampled(seconds=seconds, step=self.step, phase=name, border=border, **vars(reading))
            self._tell(replace(sample, rank=self._rank))


def span(seconds: float) -> float:
    """How many seconds are told as one, so long after the training began."""
    return next(span for begin, span in reversed(SPANS) if seconds >= begin)


def _differs(one: Reading, other: Reading) -> bool:
    """A figure has moved by more than `LEAST_CHANGE` of itself, or is known to one of them alone."""
    for before, after in zip(vars(one).values(), vars(other).values(), strict=True):
        if (before is None) != (after is None):
            return True
        if before is not None and abs(after - before) > LEAST_CHANGE * before:
            return True
    return False

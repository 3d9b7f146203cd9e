"""A rank that lives and does nothing: it is stopped, or a library holds Python and waits for what never comes.

Silence alone proves nothing, for no thread of Python runs while a large library is loaded from a slow disk: what the
process does meanwhile is asked of the system.
"""

from __future__ import annotations

import time
from pathlib import Path

from fullfield import process_activity, process_identity
from fullfield.jobs import heartbeat
from fullfield.jobs import job as jobs

FROZEN_SECONDS = 8.0
"""Without a sign of life, of a process that is stopped, or has done nothing for the last `IDLE_SECONDS` of them."""
IDLE_SECONDS = 5.0
HELD_SECONDS = 120.0
"""Without a sign of life, of any other."""
READ_SECONDS = 1.0  # between two readings


class Watched:
    """One rank of the run in `folder`, on this computer; to be asked often."""

    def __init__(self, folder: Path, rank: int) -> None:
        self._folder, self._rank = folder, rank
        self._listener = heartbeat.Listener(folder, rank)
        self._worker: jobs.Worker | None = None
        self._last: process_activity.Reading | None = None
        self._idle: float  # set with the first of a row of readings

    @property
    def pid(self) -> int:
        """Its process, once `frozen_seconds` has found it."""
        return self._worker.pid if self._worker else 0

    def frozen_seconds(self) -> float:
        """How long it has been silent, where it is frozen and lives; else 0."""
        silent = self._listener.silent_seconds()
        if silent < heartbeat.BEAT_SECONDS + READ_SECONDS:
            self._last = None
            return 0.0
        worker = jobs.worker(self._folder, self._rank)
        if worker is None or not process_identity.is_alive(worker.pid, worker.started):
            return 0.0
        before, self._worker = self._worker, worker
        if before not in (None, worker):  # the silence was that of the one before it
            self._listener = heartbeat.Listener(self._folder, self._rank)
            return 0.0
        self._read(worker.pid)
        idle = self._idle > IDLE_SECONDS or process_identity.is_stopped(worker.pid)
        return silent if silent > (FROZEN_SECONDS if idle else HELD_SECONDS) else 0.0

    def _read(self, pid: int) -> None:
        last, now = self._last, time.monotonic()
        if last is not None and now - last.moment < READ_SECONDS:
            return
        self._last = found = process_activity.read(pid)
        if found is None or last is None or found.worked(last):
            self._idle = 0.0
        else:
            self._idle += found.moment - last.moment

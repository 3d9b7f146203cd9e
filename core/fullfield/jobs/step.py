"""The process that does a run on a node of a cluster (`launchers.slurm`): `python -m fullfield.jobs.step RUN PID`, in
the folder of the worker on the login node, which has this pid, holds its lock, and tells its end where this one cannot.

It stops where that worker gives no sign of life any more: its `srun` may have been killed without its step. Where
another worker has the run, it ends without a word: a file system that several computers share may know no locks.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import signal
import sys
from pathlib import Path
from types import FrameType

from fullfield import files, interpreter, log, offline
from fullfield.errors import ExitCode, UsageError
from fullfield.jobs import heartbeat, worker
from fullfield.jobs import job as jobs
from fullfield.protocol.events import Event, Notice

STARTED = "step"
"""A file that says that it has begun."""
LOG = "worker-1.log"
ENDED = "The cluster ends the run: its time there is over, or it was cancelled there. It stops, and keeps what is done."
LOST_SECONDS = 60.0
"""Without a sign of life of the worker; a file system that several computers share may show it late."""


class StepContext(worker.WorkerContext):
    """The context of a rank that is alone, and stops once the worker on the login node is gone. `pid`: of that one."""

    def __init__(self, folder: Path, pid: int) -> None:
        super().__init__(folder, rank=0, world=1)
        self._worker, self._pid = heartbeat.Listener(folder), pid
        self._ended_there = False

    def emit(self, event: Event, /) -> None:
        """See `Context`."""
        self._leave_to_another()
        super().emit(event)

    def ask_to_stop(self, signum: int, frame: FrameType | None) -> None:
        """The cluster asks, and kills soon after: nobody else sends a signal. No lock is taken here."""
        self._ended_there = True
        self._stop.set()

    def stopping(self) -> bool:
        """See `Context`."""
        self._leave_to_another()
        if self._ended_there:
            self._ended_there = False
            self.emit(Notice(text=ENDED, level="warning"))
        if self._worker.silent_seconds() > LOST_SECONDS:
            self._stop.set()
        return super().stopping()

    def _leave_to_another(self) -> None:
        """End at once where another worker has the run, whose events these would be."""
        now = jobs.worker(self.folder)
        if now is not None and now.pid != self._pid:
            os._exit(int(ExitCode.INTERRUPTED))


def main(arguments: list[str]) -> int:
    """Do the job of the run; the exit code is that of the command line."""
    offline.stay_offline()
    folder = Path(arguments[0])
    log.configure(file=folder / LOG, level=logging.INFO, own=True)
    interpreter.prepare_for_torch()
    with files.open_to_append(folder / "crash.log") as crash:
        faulthandler.enable(crash)
        context = StepContext(folder, int(arguments[1]))
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, context.ask_to_stop)
        files.touch(folder / STARTED)
        try:
            return worker.reported(context, lambda: worker.do(jobs.asked(folder), context))
        except worker.BeginAnew:
            interpreter.begin_anew()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise UsageError("The step takes two arguments: the folder of a run, and the pid of its worker.")
    interpreter.leave(main(sys.argv[1:]))

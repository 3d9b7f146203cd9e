"""The entry point of every worker: `python -m fullfield.jobs.worker RUN`, alone or as one of several ranks.

It says what it is (`worker.json`), does the job, turns every end into a last event, and never shows a traceback.
"""

from __future__ import annotations

import contextlib
import errno
import faulthandler
import json
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType

import filelock

from fullfield import __version__, files, interpreter, log, offline, parts, process_identity, system
from fullfield.errors import ExitCode, FullfieldError, Interrupted, OutOfMemory, UsageError
from fullfield.jobs import event_log, heartbeat, launch, post_mortem, rank_news, ranks, registry
from fullfield.jobs import job as jobs
from fullfield.protocol import command_lines, events, specs
from fullfield.protocol.commands import PAUSED, Command, Stop
from fullfield.protocol.computers import Computer
from fullfield.protocol.events import Event, RunEnded, RunFailed, RunStarted
from fullfield.protocol.places import LOCAL
from fullfield.protocol.rank_events import RankLost, RanksSampled

_log = logging.getLogger(__name__)
OWNER_SECONDS = 2.0
STOPPED = "stopped"


def main(arguments: list[str]) -> int:
    """Run the job of the folder named by the only argument; the exit code is that of the command line."""
    offline.stay_offline()
    folder = Path(arguments[0])
    rank, world = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    name = jobs.of_rank("worker", rank)
    log.configure(file=folder / f"{name}.log", level=logging.INFO, own=True)
    interpreter.prepare_for_torch()
    with files.open_to_append(folder / "crash.log") as crash:
        faulthandler.enable(crash)
        if world > 1:
            system.end_with_parent()  # a killed torchrun agent must not leave its ranks behind
        lock = filelock.FileLock(folder / f"{name}.lock")
        try:
            with lock.acquire(timeout=0):
                heartbeat.beat(folder, rank)
                ranks.watch(folder, rank, world)
                return _work(folder, rank=rank, world=world)
        except filelock.Timeout:
            return int(ExitCode.USAGE)  # another worker is at it, and tells its own story
        except BeginAnew:
            interpreter.begin_anew()


def _steady() -> float:
    """Seconds on a clock that nobody sets, and that goes on while the computer sleeps."""
    clock = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class BeginAnew(BaseException):
    """Leaves a job as if it ended, and is nobody's error."""


class WorkerContext:
    """The context of one rank: events go to the run's folder (those of other ranks through rank 0), commands come from
    it."""

    def __init__(self, folder: Path, *, rank: int, world: int) -> None:
        self.folder, self.rank, self.world = folder, rank, world
        self.worlds: tuple[int, ...] = (world,)
        self.nodes: tuple[Computer, ...] = ()
        self._lock = threading.Lock()
        self._leaving = rank_news.Leaving(folder, rank) if rank > 0 else None
        self._joining = rank_news.Joining(folder, world) if rank == 0 else None
        self._stop = threading.Event()
        self._why = STOPPED
        self._began = False  # to tell
        self._read = 0
        self._waiting: list[Command] = []
        self._owner: tuple[int, str | float] | None = None
        self._looked = time.monotonic()
        self._since = time.time() - _steady()
        self.end_lock = threading.Lock()  # held by who says the last word

    def end_with(self, owner: tuple[int, str | float] | None) -> None:
        """Ask the run to stop once this process is gone."""
        self._owner = owner

    def emit(self, event: Event, /) -> None:
        """Append the event, stamped with the time, to `events.jsonl`; on other ranks, leave it to rank 0 to tell.

        Between two events of one worker lies the time that passed, also where the computer's clock was set meanwhile.
        """
        if self._leaving is not None:
            with contextlib.suppress(OSError):  # a full disk, which rank 0 tells of
                self._leaving.leave(event)
        elif self._joining is not None and isinstance(event, RanksSampled):
            self._append(*self._joining.joined(event))
        elif self._joining is not None and isinstance(event, RankLost | RunFailed | RunEnded):
            self._append(*self._joining.rest(), event)
        else:
            self._append(event)

    def _append(self, *reported: Event) -> None:
        for event in reported:
            line = events.to_line(replace(event, time=self._since + _steady()))
            with self._lock:
                if not self._began:
                    files.end_cut_line(event_log.path(self.folder))
                    self._began = True
                try:
                    files.append_line(self.folder / "events.jsonl", line)
                except OSError:  # no room, after a part of it perhaps
                    self._began = False
                    raise

    def stopping(self) -> bool:
        """A signal came, `stop` was posted, or the owner is gone."""
        if not self._stop.is_set():
            self._listen()
            self._look_for_owner()
        return self._stop.is_set()

    def accept(self) -> None:
        """See `Context`."""
        if self.rank == 0:
            jobs.accept(self.folder)

    def begin_anew(self) -> None:
        """See `Context`. What was posted is heard again: the commands of a run are kept. A stop by a signal would be
        forgotten: who was asked to stop does that here.
        """
        if not system.WINDOWS and self.world == 1 and not self.stopping():
            raise BeginAnew

    def is_to_regroup(self) -> bool:
        """See `Context`."""
        return False

    def commands(self) -> list[Command]:
        """What was posted since the last call, without `stop`."""
        self._listen()
        with self._lock:
            waiting, self._waiting = self._waiting, []
        return waiting

    def reason(self) -> str:
        """How the run ended that did not fail: see `RunEnded`."""
        return self._why if self.stopping() else "completed"

    def ask_to_stop(self, signum: int, frame: FrameType | None) -> None:
        """The first signal asks, and all ranks where one is asked; the second ends at once, and says so. No lock is
        taken here: the code that was interrupted may hold it."""
        if self._stop.is_set():
            with contextlib.suppress(OSError):
                if self.rank == 0:
                    files.append_line(self.folder / "events.jsonl", events.to_line(post_mortem.stopped()))
            os._exit(int(ExitCode.INTERRUPTED))
        if self.rank > 0:  # rank 0 says how the run ended
            with contextlib.suppress(OSError):
                files.append_line(self.folder / "commands.jsonl", Stop().to_line())
        self._stop.set()

    def _look_for_owner(self) -> None:
        if self._owner is not None and time.monotonic() - self._looked > OWNER_SECONDS:
            self._looked = time.monotonic()
            if not process_identity.is_alive(*self._owner):
                self._stop.set()

    def _listen(self) -> None:
        path = self.folder / "commands.jsonl"
        with self._lock, contextlib.suppress(FileNotFoundError), path.open("rb") as stream:
            stream.seek(self._read)
            for line in stream:
                if not line.endswith(b"\n"):
                    break  # its writer is not done
                self._read += len(line)
                command = command_lines.from_line(line)
                if isinstance(command, Stop):
                    if command.why == PAUSED and not self._stop.is_set():
                        self._why = PAUSED
                    self._stop.set()
                elif command is not None:
                    self._waiting.append(command)


def _work(folder: Path, *, rank: int, world: int) -> int:
    context = WorkerContext(folder, rank=rank, world=world)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, context.ask_to_stop)

    def work() -> int:
        say_what_it_is(folder, rank=rank, world=world)
        ranks.outlive(folder, rank, world, lambda error: os._exit(_fail(context, error)))
        job = jobs.asked(folder)
        if job.kind in registry.BOUND:
            system.end_with_starter()
        context.end_with(job.owner)
        if job.place != LOCAL:
            return launch.work(job, context)
        context.emit(RunStarted(job=job.kind, pid=os.getpid(), rank=rank, world=world, version=__version__))
        return do(job, context)

    return reported(context, work)


def do(job: jobs.Job, context: WorkerContext) -> int:
    """Do it and tell that it is done; the exit code. Raises what ends it before."""
    kind = registry.find(job.kind)
    if kind.low_priority:
        system.lower_priority()
    spec = specs.read(job.kind, job.spec)
    with interpreter.uncollected(stays=True):
        run = kind.load()  # imports what computes, which can take long
    if context.world == 1 and context.stopping():  # several stop together, once they have met
        raise Interrupted("The run was stopped before it began.")
    summary = run(spec, context)
    context.accept()
    return _last_word(context, ExitCode.ALL_DONE, RunEnded(reason=context.reason(), summary=summary))


def reported(context: WorkerContext, work: Callable[[], int]) -> int:
    """What `work` returns; what ends it before is told. The exit code."""
    try:
        return work()
    except Interrupted as error:
        reason = context.reason() if context.stopping() else STOPPED
        _refuse(context)
        return _last_word(context, error.exit_code, RunEnded(reason=reason, summary=error.as_fields()))
    except Exception as error:  # noqa: BLE001 - the last line of defence: said plainly, details to the log
        return _fail(context, in_words(error, jobs.of_rank("worker.log", context.rank)))


def in_words(error: Exception, name: str) -> FullfieldError:
    """What ended a run, for people; details of what was not foreseen go to the log, which has this `name`."""
    if isinstance(error, FullfieldError):
        return error
    if isinstance(error, MemoryError) or _had_no_room(error):
        if isinstance(error, ImportError):
            _log.error("a library was not loaded", exc_info=error)
        return OutOfMemory("The run needed more memory than this machine has.", hint=_SMALLER)
    if not isinstance(error, OSError) and (missing := parts.missing(error)) is not None:
        return missing
    _log.error("the run failed", exc_info=error)
    if isinstance(error, OSError) and error.errno is not None:  # else a library says it, as of one that is not loaded
        return files.cannot_write(error)
    return FullfieldError(
        "The run ended by an error that we did not foresee.",
        detail=log.describe(error),
        hint=f"Start it again; if it happens again, send us {name} of the run's folder.",
    )


def _had_no_room(error: Exception) -> bool:
    """Whether memory did not suffice to load a library. Of that glibc's loader gives a message and no number, and the
    same message for a file system that is mounted noexec."""
    if not isinstance(error, ImportError):
        return False
    path, _, why = str(error).partition(": ")
    if os.strerror(errno.ENOMEM) in why:
        return True
    with contextlib.suppress(OSError):
        return "failed to map segment" in why and not os.statvfs(path).f_flag & os.ST_NOEXEC
    return False


def say_what_it_is(folder: Path, *, rank: int, world: int) -> None:
    """Leave which process a rank is. Raises CannotWrite."""
    pid = os.getpid()
    values = {"pid": pid, "started": process_identity.process_started(pid), "world": world}
    files.write_text(folder / jobs.of_rank(jobs.WORKER, rank), json.dumps(values))


_SMALLER = "Choose a smaller size, or close other programs, and start again."


def _fail(context: WorkerContext, error: FullfieldError) -> int:
    if context.rank > 0:
        with contextlib.suppress(OSError):  # rank 0 then says that this one has ended
            ranks.tell(context.folder, context.rank, error)
        return int(error.exit_code)
    found = ranks.cause(context.folder, context.world, error)
    reported = RunFailed(error=found.fields, exit_code=int(found.code), refused=_refuse(context))
    return _last_word(context, found.code, *([found.lost] if found.lost else []), reported, RunEnded(reason="failed"))


def _refuse(context: WorkerContext) -> bool:
    """What was asked and is not accepted is forgotten; False where all is accepted."""
    return context.rank == 0 and jobs.refuse(context.folder)


def _last_word(context: WorkerContext, code: ExitCode, *reported: Event) -> int:
    """Tell how it ended. The exit code, which alone says it where nothing can be written."""
    context.end_lock.acquire()  # for good: whoever comes later, waits for the end of the process
    try:
        for event in reported:
            context.emit(event)
        if context.world > 1 and code in (ExitCode.ALL_DONE, ExitCode.INTERRUPTED):
            ranks.end(context.folder, context.rank)
    except OSError:
        return int(ExitCode.CANNOT_WRITE)
    return int(code)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise UsageError("The worker takes one argument: the folder of a run.")
    interpreter.leave(main(sys.argv[1:]))

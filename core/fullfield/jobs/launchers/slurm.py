"""Runs in the queue of a cluster (SLURM): the worker on the login node waits for `srun`, whose one process
(`fullfield.jobs.step`) does the job where the cluster lets it, in the run's folder, which both see.

Source: the manuals of srun and scancel, SLURM 22.05.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import signal
import subprocess
import time
from pathlib import Path

from fullfield import __version__, log, system
from fullfield.context import Context
from fullfield.errors import FullfieldError, Interrupted, UsageError, WorkerDied
from fullfield.jobs import event_log, post_mortem, step
from fullfield.jobs.job import Job
from fullfield.jobs.launchers import local
from fullfield.jobs.launchers.local import LocalJob
from fullfield.protocol.commands import Stop
from fullfield.protocol.events import PhaseStarted, RunStarted

SAID = "srun.log"
LOOK_SECONDS = 0.1
CANCEL_SECONDS = 20.0
_TIME_LIMIT = "DUE TO TIME LIMIT"
_ERROR = re.compile(r"(?:srun|slurmstepd)[^:]*: (?:error: )?(.+)")
_HINT = "Look at the options that this node was added with: fullfield node add … --slurm OPTIONS."


def launch(job: Job, /, *, folder: Path | None = None) -> Queued:
    """See `fullfield.jobs.launch.launch`. Raises UsageError also for several processes."""
    if job.processes > 1:
        raise UsageError(
            f"Cannot start {job.processes} processes in the queue of a cluster.",
            detail="One process trains there, on one card.",
            hint="Start one.",
        )
    local.interpreter(job.kind)  # it lacks nothing
    return Queued(*local.begun(job, folder))


def attach(folder: Path, /) -> Queued:
    """See `fullfield.jobs.launch.Launcher`."""
    return Queued(folder)


class Queued(LocalJob):
    """A run in a queue, followed through the files of its folder."""

    def kill(self) -> None:
        """See `JobHandle.kill`. A step whose srun is killed would go on."""
        super().kill()
        _cancel(self.folder)


def work(job: Job, context: Context, /) -> int:
    """See `fullfield.jobs.launch.Launcher`. Raises what the cluster says where it does not take the run, or ends it."""
    folder = context.folder
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: LocalJob(folder).post(Stop()))
    (folder / step.STARTED).unlink(missing_ok=True)
    if (folder / SAID).exists():  # of a worker that was killed, its srun may still wait or train
        _cancel(folder)
    context.emit(RunStarted(job=job.kind, pid=os.getpid(), version=__version__))
    context.emit(PhaseStarted(name="Waiting in the queue of the cluster"))
    watch = post_mortem.Watch(folder)
    with (folder / SAID).open("wb") as said:
        process = _start(job, folder, said.fileno())
    while process.poll() is None:
        if context.stopping() and not (folder / step.STARTED).exists():
            process.terminate()
            process.wait()
            if event_log.has_ended(folder):  # it began meanwhile, and says so itself
                break
            raise Interrupted("The run was stopped while it waited in the queue of the cluster.")
        time.sleep(LOOK_SECONDS)
    if event_log.has_ended(folder):
        return process.returncode
    raise _ended(folder, process.returncode, watch)


def _cancel(folder: Path) -> None:
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        subprocess.run(["scancel", f"--name={_name(folder)}"], timeout=CANCEL_SECONDS, check=False)


def _start(job: Job, folder: Path, said: int) -> subprocess.Popen[bytes]:
    python = local.interpreter(job.kind)
    does = [*system.python_command(step.__name__, python), str(folder), str(os.getpid())]
    command = ["srun", *job.slurm, "--ntasks=1", "--input=none", f"--job-name={_name(folder)}", *does]
    environment = local.environment(python)
    try:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, env=environment
        )
    except OSError as error:
        raise UsageError(
            "Cannot wait in the queue of a cluster.",
            detail="This machine has no command srun: it is no login node.",
            hint='Add the node again with --slurm="", or name the login node.',
        ) from error


def _ended(folder: Path, code: int, watch: post_mortem.Watch) -> FullfieldError:
    """Why the run has no end: it did not begin, or its process is gone."""
    text = (folder / SAID).read_bytes()[-post_mortem.LAST_BYTES :].decode("utf-8", "replace")
    if _TIME_LIMIT in text:
        hint = "Go on with the run (--resume): what was saved is kept. Ask for more time: --slurm=--time=HH:MM:SS."
        return WorkerDied("The cluster has ended the run.", detail="Its time there is over.", hint=hint)
    if (folder / step.STARTED).exists():
        return watch.explain(None if code > 0 else code)
    lines = [found[1] for found in map(_ERROR.fullmatch, text.splitlines()) if found]
    detail = f"SLURM says: {log.redact(lines[0])}" if lines else f"srun ended with exit code {code}."
    return FullfieldError("The cluster does not take the run.", detail=detail, hint=_HINT)


def _name(folder: Path) -> str:
    """Of the job in the cluster's list, which its other users see."""
    return f"fullfield-{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"


__all__ = ["Queued", "attach", "launch", "work"]

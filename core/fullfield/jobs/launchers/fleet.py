"""Runs on several nodes, on each of them: its worker starts torchrun's agent there (`fullfield.jobs.agent`), and tells
how the run has ended. The run's folder is the head's; the others' hold what their own ranks leave."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

from fullfield import __version__, system
from fullfield.context import Context
from fullfield.distribution import elastic, interfaces
from fullfield.errors import ExitCode, FullfieldError
from fullfield.jobs import event_log, post_mortem, ranks
from fullfield.jobs.agent import Part
from fullfield.jobs.job import Job
from fullfield.jobs.launchers import local
from fullfield.jobs.launchers.local import LocalJob
from fullfield.protocol import rank_events
from fullfield.protocol.commands import Stop
from fullfield.protocol.events import RunEnded, RunFailed, RunStarted
from fullfield.protocol.fleets import Fleet

AGENT = "fullfield.jobs.agent"
LOOK_SECONDS = 0.1


def launch(job: Job, /, *, folder: Path | None = None) -> LocalJob:
    """See `fullfield.jobs.launch.launch`. Raises UsageError also where this node has no such interface."""
    local.refuse_several(2)
    local.interpreter(job.kind)  # it lacks nothing
    assert job.fleet is not None
    return LocalJob(*local.begun(replace(job, fleet=_placed(job.fleet)), folder))


def attach(folder: Path, /) -> LocalJob:
    """See `fullfield.jobs.launch.Launcher`."""
    return LocalJob(folder)


def _placed(fleet: Fleet) -> Fleet:
    """With where the head listens, which is decided there."""
    own = interfaces.address(fleet.interface)
    if not fleet.leads:
        return fleet
    with elastic.listening(own) as free:
        return replace(fleet, address=own, port=free.getsockname()[1])


def work(job: Job, context: Context, /) -> int:
    """See `fullfield.jobs.launch.Launcher`."""
    assert job.fleet is not None
    for number in (signal.SIGTERM, signal.SIGINT):  # the ranks stop together, after a step
        signal.signal(number, lambda *_: LocalJob(context.folder).post(Stop()))
    context.accept()
    context.emit(RunStarted(job=job.kind, pid=os.getpid(), world=len(job.fleet.names), version=__version__))
    python = local.interpreter(job.kind)
    environment = local.environment(python)
    agent = system.spawn_bound([*system.python_command(AGENT, python), str(context.folder)], environment)
    try:
        while agent.poll() is None:
            time.sleep(LOOK_SECONDS)
    finally:
        system.kill_tree(agent.pid)
    return _ended(job, agent.returncode or 0, context)


def _ended(job: Job, code: int, context: Context) -> int:
    """Tell how it ended, where a rank has not; the exit code."""
    assert job.fleet is not None
    if event_log.has_ended(context.folder):  # rank 0 has said how
        return int(ExitCode.INTERRUPTED if context.stopping() else ExitCode.ALL_DONE)
    if code == Part.DONE and not job.fleet.leads:
        context.emit(RunEnded(reason="completed"))
        return int(ExitCode.ALL_DONE)
    if code == Part.STOPPED:
        context.emit(RunEnded(reason="stopped"))
        return int(ExitCode.INTERRUPTED)
    for path in sorted(context.folder.glob("failed-*.json")):
        rank = int(path.stem.removeprefix("failed-"))
        found = ranks.failure(context.folder, rank)
        if found is not None:
            how, cause = found
            world = len(job.fleet.names) * job.processes
            context.emit(rank_events.RankLost(rank=rank, world=max(world, rank + 1), how=how))
            context.emit(RunFailed(error=cause.fields, exit_code=int(cause.code)))
            context.emit(RunEnded(reason="failed"))
            return int(cause.code)
    error: FullfieldError = _HEAD_LOST if code == Part.HEAD_LOST else post_mortem.Watch(context.folder).explain(code)
    context.emit(RunFailed(error=error.as_fields(), exit_code=int(error.exit_code)))
    context.emit(RunEnded(reason="failed"))
    return int(error.exit_code)


_HEAD_LOST = FullfieldError(
    "This node's part of the training has ended.",
    detail="The node that leads it does not answer any more.",
    hint="It is started again when the line is back.",
)

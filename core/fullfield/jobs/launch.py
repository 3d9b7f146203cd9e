"""Starting a run and finding it again: `launch(job) -> JobHandle`, `attach(folder) -> JobHandle`.

The place of a job decides by which launcher. A handle is only a reader of the run's folder, so a window that was closed
finds its training again.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Protocol, cast

from fullfield.context import Context
from fullfield.errors import UsageError
from fullfield.jobs import event_log
from fullfield.jobs import job as jobs
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.job import Job
from fullfield.protocol import places
from fullfield.protocol.places import LOCAL, PLACES


class Launcher(Protocol):
    """A module that starts runs in one place."""

    def launch(self, job: Job, /, *, folder: Path | None = None) -> JobHandle:
        """See `launch`."""

    def attach(self, folder: Path, /) -> JobHandle:
        """The handle of a run that is there already; its events are told from the first. Its files may be damaged."""

    def work(self, job: Job, context: Context, /) -> int:
        """What the worker of this machine does for a run in another place: it tells all of its events, the last one
        too. The exit code. A launcher whose worker does the job itself has none."""


def launch(job: Job, *, folder: Path | None = None) -> JobHandle:
    """Write `job` into a run folder (a new one, or `folder` to go on in) and start its worker at the job's place.

    A run that is there already stays what it was until the worker has accepted `job`. Raises UsageError where the place
    is not known, or where the run goes on at another one, and what its launcher raises: MissingPart where it lacks what
    the job needs, UsageError where a worker is at the run in `folder`, CannotWrite.
    """
    if folder is not None:
        _refuse_elsewhere(folder, job.place)
    return _launcher(job.place).launch(job, folder=folder)


def _refuse_elsewhere(folder: Path, place: str) -> None:
    try:
        before = jobs.asked(folder).place
    except UsageError:
        return
    if before == place or places.kind(before) != places.NODE or event_log.has_ended(folder):
        return
    if _launcher(before).attach(folder).alive():
        raise UsageError(
            "Cannot start this run.",
            detail=f"It goes on elsewhere ({places.which(before)}).",
            hint="Go on with it there (--resume without --on) and stop it; if no line comes, press Ctrl-C twice.",
        )


def attach(folder: Path) -> JobHandle:
    """The handle of a run that is there already; its events are told from the first. Raises UsageError where the folder
    holds no run that this version knows."""
    return _launcher(jobs.load(folder).place).attach(folder)


def alive(folder: Path) -> bool:
    """Whether a worker is at the run in `folder`. One whose job cannot be read is looked for on this machine."""
    try:
        handle = attach(folder)
    except UsageError:
        handle = _launcher(LOCAL).attach(folder)
    return handle.alive()


def work(job: Job, context: Context) -> int:
    """See `Launcher.work`. Raises UsageError, and what the launcher raises."""
    return _launcher(job.place).work(job, context)


def _launcher(place: str) -> Launcher:
    """Imported only now. Raises UsageError."""
    kind = places.kind(place)
    if kind not in PLACES:
        raise UsageError(f"Cannot start a run at {place!r}.", hint=f"Known places: {', '.join(places.chosen())}.")
    return cast(Launcher, importlib.import_module(PLACES[kind]))

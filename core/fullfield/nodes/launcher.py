"""Runs on a node: a worker of this computer mirrors them, so a handle reads the run's folder here, as of any run."""

from __future__ import annotations

from pathlib import Path

from fullfield import files, process_identity, system
from fullfield.errors import UsageError
from fullfield.jobs import event_log
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.jobs.launchers import local
from fullfield.jobs.launchers.local import LocalJob
from fullfield.nodes import mirror, node, results, together
from fullfield.nodes.mirror import KILL, Mirror
from fullfield.nodes.remote import work
from fullfield.plan import spec as plans
from fullfield.protocol import places, specs
from fullfield.protocol.events import Event
from fullfield.protocol.training import Training

__all__ = ["attach", "launch", "work"]

KINDS = ("empty", "train")
MOST_RESTARTS = 3


def launch(job: Job, /, *, folder: Path | None = None) -> Remote:
    """See `fullfield.jobs.launch.launch`. Raises UsageError also where this user has allowed images to go to one of the
    nodes neither at any time nor for this run. Nothing is asked of a node yet: what is wrong with it is told as the
    run's error."""
    several = tuple(map(node.find, places.several(job.place)))
    if job.kind not in KINDS:
        raise UsageError(f"Cannot start a job of kind {job.kind!r} on a node.", hint=f"Kinds: {', '.join(KINDS)}.")
    for one in several if job.kind == "train" else ():
        node.require_consent(one, job.images_to, title=f"Cannot train on {one.title}.")
    together.refuse(several)
    asked = specs.read(job.kind, job.spec)
    if isinstance(asked, Training) and asked.compare:
        raise UsageError(
            f"Cannot hold a model against others on {several[0].title}.",
            detail="Presets are chosen by the headers of images, which stay on this computer.",
            hint="Train without --compare, or on this computer (--on local).",
        )
    from_file = isinstance(asked, Training) and plans.fileless(asked.weights) == plans.WEIGHTS_FILE
    if from_file and not (folder is not None and results.steps(folder)):  # what was saved needs no file
        raise UsageError(
            f"Cannot start from a file of weights on the node {next(one.name for one in several if not one.here)}.",
            detail="The file is on this computer alone.",
            hint="Start from ImageNet's (--weights imagenet, which the node must have), from the model that ships "
            "(--weights shipped), or without.",
        )
    elsewhere = folder is not None and _place(folder) != job.place

    def start(folder: Path) -> system.Process:
        (folder / KILL).unlink(missing_ok=True)
        before = Mirror(folder)
        before.mend()
        before.leave()
        if elsewhere:  # what another machine has of it is older than what is here
            before.forget()
        return local.spawn(folder)

    return Remote(*local.begun(job, folder, start))


def attach(folder: Path, /) -> Remote:
    """See `fullfield.jobs.launch.Launcher`."""
    return Remote(folder)


def _place(folder: Path) -> str:
    """Where the run in `folder` was the last time; "" where there is none."""
    try:
        return jobs.load(folder).place
    except UsageError:
        return ""


class Remote(LocalJob):
    """A run on a node, followed through the folder that mirrors it. Where nothing mirrors it any more (this computer
    was switched off), `poll` starts what does."""

    _tidies = True

    def __init__(self, folder: Path, begin: int = 0, process: system.Process | None = None) -> None:
        super().__init__(folder, begin, process)
        self._restarts = 0

    def poll(self) -> list[Event]:
        """See `JobHandle.poll`."""
        self._look_for_another()
        if self._restarts < MOST_RESTARTS and not super().alive() and self._is_followed():
            self._restarts += 1
            self._process = local.spawn(self.folder)
        return super().poll()

    def _look_for_another(self) -> None:
        """Of two who follow a run whose mirror is gone, one starts the next: it is the other's, too."""
        if not super().alive():
            worker = jobs.worker(self.folder)
            if worker is not None and process_identity.is_alive(worker.pid, worker.started):
                self._process = None

    def kill(self) -> None:
        """See `JobHandle.kill`; what has been started on the node is ended there."""
        if self._is_followed():
            files.touch(self.folder / KILL)
        else:
            super().kill()

    def alive(self) -> bool:
        """See `JobHandle.alive`; also where nothing has told of its end on the node."""
        return super().alive() or (self._restarts < MOST_RESTARTS and self._is_followed())

    def _is_followed(self) -> bool:
        return mirror.read(self.folder).following and not event_log.has_ended(self.folder)

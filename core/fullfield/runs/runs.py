"""The trainings of this user, and the ensembles that are made of some: found, listed and named, without importing what
computes.

Beside what a run itself leaves, its folder holds

    label.json        the name and the notes that its user gave it
    prediction.json   what was predicted of its memory before it began (see `fullfield.runs.reading`)
    seen.json         of how many bytes of events its user knows: its end is not told again
    digest.json       the figures of a list (see `fullfield.runs.digest`)
"""

from __future__ import annotations

import contextlib
import errno
import json
import logging
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path

from fullfield import checked, files, system
from fullfield.checked import Fields
from fullfield.errors import CannotWrite, UsageError
from fullfield.jobs import event_log, launch
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.plan.spec import TrainSpec
from fullfield.protocol import fields
from fullfield.protocol.ensembles import EnsembleSpec
from fullfield.runs import digest
from fullfield.runs.digest import Digest
from fullfield.runs.reading import Reader, read
from fullfield.runs.run_state import RunSnapshot

_log = logging.getLogger(__name__)
KIND, ENSEMBLE = "train", "ensemble"
GONE = ".gone-"  # begins the name of a folder that is being deleted


class State(StrEnum):
    """What a run is doing, or how it ended; damaged: what its folder holds cannot be read as a run."""

    PREPARING = "preparing"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"
    COMPLETED = "completed"
    FAILED = "failed"
    DIED = "died"
    DAMAGED = "damaged"

    @property
    def alive(self) -> bool:
        """A worker is at it."""
        return self in (State.PREPARING, State.RUNNING)

    @property
    def resumable(self) -> bool:
        """It can be gone on with; one that failed may fail again, and may not."""
        return self in (State.PAUSED, State.STOPPED, State.DIED, State.FAILED)


ENDS = frozenset({State.PAUSED, State.STOPPED, State.COMPLETED, State.FAILED, State.DIED})
"""The states that a RunEnded tells as its reason."""


@dataclass(frozen=True, kw_only=True)
class Label:
    """What the user calls a run, and notes of it."""

    name: str = ""
    notes: str = ""


@dataclass(frozen=True, kw_only=True)
class Run:
    """A training: its folder, what it was asked (the fields of `TrainSpec`), and how far it is; of one that is damaged
    no more than its folder and label. `members`: of an ensemble, the folder of each member's run; that one is what
    begins and follows them, and `spec` is what all are asked."""

    folder: Path
    spec: Fields
    label: Label
    state: State
    digest: Digest
    members: tuple[Path, ...] = ()

    @property
    def techniques(self) -> tuple[str, ...]:
        """What it runs by."""
        planned = self.digest.techniques
        return tuple(self.spec.get("techniques", ())) if planned is None else planned


def folders() -> list[Path]:
    """The folders of this user's trainings and ensembles, the newest first; others are passed over, and one that is
    being deleted."""
    found = [path for kind in (KIND, ENSEMBLE) for path in files.runs_folder().glob(f"[!.]*-{kind}-*")]
    return sorted(filter(_holds_run, found), key=lambda path: path.name, reverse=True)


def _holds_run(folder: Path) -> bool:
    try:
        return (folder / jobs.JOB).exists()
    except OSError:  # it may not be looked at: that is said in the list
        return True


class Shelf:
    """Lists trainings; of those that go on, only what is new since the last time is read."""

    def __init__(self) -> None:
        self._readers: dict[Path, Reader] = {}

    def listed(self) -> list[Run]:
        """All trainings, the newest first. What is left of deleted ones goes."""
        _sweep(files.runs_folder())
        found = [run for folder in folders() if (run := self._find(folder)) is not None]
        alive = {run.folder for run in found if run.state.alive}
        self._readers = {folder: reader for folder, reader in self._readers.items() if folder in alive}
        return found

    def _find(self, folder: Path) -> Run | None:
        try:
            return find(folder, self._reported)
        except Exception:  # noqa: BLE001 - whatever is wrong with one run, the others are listed
            _log.exception("a run cannot be read")
            return _damaged(folder)

    def _reported(self, folder: Path) -> RunSnapshot:
        return self._readers.setdefault(folder, Reader(folder)).snapshot()


def find(folder: Path, tell: Callable[[Path], RunSnapshot] = read) -> Run | None:
    """One training; None where its folder is none of this version's. `tell`: its state so far."""
    try:
        job = jobs.load(folder)
        if job.kind not in (KIND, ENSEMBLE):
            return None
        spec, members = (job.spec, ()) if job.kind == KIND else _of_ensemble(job)
        checked.known(TrainSpec, spec)
        figures = digest.of_run(folder, tell)
    except jobs.OtherVersion:
        return None
    except (UsageError, OSError, ValueError):
        return _damaged(folder) if _holds_run(folder) else None  # it may have been deleted meanwhile
    state = state_of(folder, figures.ended, stepping=figures.stepping)
    return Run(folder=folder, spec=spec, label=label(folder), state=state, digest=figures, members=members)


def _of_ensemble(job: Job) -> tuple[Fields, tuple[Path, ...]]:
    """What its members are asked, and their folders. Raises ValueError."""
    made = checked.make(EnsembleSpec, job.spec)
    return fields.of(made.training), tuple(map(Path, made.runs))


def _damaged(folder: Path) -> Run:
    return Run(folder=folder, spec={}, label=label(folder), state=State.DAMAGED, digest=Digest())


def state_of(folder: Path, ended: str, *, stepping: bool) -> State:
    """The state of a run whose last event was RunEnded with the reason `ended`, or another one (""). `stepping`: its
    worker has made steps."""
    if ended in ENDS:
        return State(ended)
    if launch.alive(folder):
        return State.RUNNING if stepping else State.PREPARING
    return State.DIED


def unfinished() -> tuple[list[Path], list[Path]]:
    """Trainings whose worker is at work, and those whose worker died and of which nobody knows yet. Quick.

    What cannot be read is passed over: the list says which that is. Members go with their ensemble.
    """
    running, died = list[Path](), list[Path]()
    followed, members = set[Path](), set[Path]()
    for folder in folders():
        try:
            job = jobs.load(folder)
            own = _of_ensemble(job)[1] if job.kind == ENSEMBLE else ()
        except (UsageError, ValueError):
            continue
        if event_log.has_ended(folder):
            continue
        if launch.alive(folder):
            running.append(folder)
            followed.update(own)
        elif not _seen(folder):
            died.append(folder)
            members.update(own)
    members |= followed
    return [one for one in running if one not in followed], [one for one in died if one not in members]


def label(folder: Path) -> Label:
    """The user's name and notes; empty where there are none."""
    try:
        return checked.make(Label, checked.parse((folder / "label.json").read_bytes()))
    except (OSError, ValueError):
        return Label()


def rename(folder: Path, given: Label) -> None:
    """Keep another name and other notes. Raises CannotWrite, also where the run is gone."""
    if not folder.is_dir():
        raise files.cannot_write(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
    with files.atomic_write(folder / "label.json", private=True) as stream:
        stream.write(json.dumps(asdict(given)).encode())


def resumed(folder: Path, *, watch: int | None = None) -> Job:
    """The job to launch in `folder` to go on with it exactly; `watch`: the image to watch from now on."""
    job = jobs.load(folder)
    spec = job.spec if watch is None else {**job.spec, "watch": watch}
    return replace(job, spec=spec, owner=None)


def remove(folder: Path) -> None:
    """Delete a run for good. Raises UsageError where a worker is at it, CannotWrite."""
    gone = folder.with_name(f"{GONE}{folder.name}")
    try:
        if launch.alive(folder) and not event_log.has_ended(folder):
            raise UsageError("Cannot delete this run.", detail="It is running.", hint="Stop it first.")
        jobs.refuse_running(folder, patience=1.0)
        system.rename(folder, gone)  # at once, so that no half of it is listed
    except FileNotFoundError:
        return  # somebody else has deleted it
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CannotWrite(
            "Cannot delete this run.",
            detail=f"The system says: {reason}.",
            hint="Close what has its files open, then try again.",
        ) from error
    _sweep(folder.parent)


def see(folder: Path) -> None:
    """Somebody knows of this run's end: it is not told at the next start."""
    if not folder.is_dir():
        return  # somebody else has deleted it
    with contextlib.suppress(CannotWrite):  # then it is told once more
        files.write_text(folder / "seen.json", json.dumps({"size": event_log.size(folder), "time": time.time()}))


def _sweep(folder: Path) -> None:
    """Delete what is left of deleted runs; what a program has open goes the next time."""
    for gone in folder.glob(f"{GONE}*"):
        shutil.rmtree(gone, ignore_errors=True)


def _seen(folder: Path) -> bool:
    try:
        seen = checked.make(_Seen, checked.parse((folder / "seen.json").read_bytes()))
    except (OSError, ValueError):
        return False
    return seen.size == event_log.size(folder)


@dataclass(frozen=True, kw_only=True)
class _Seen:
    size: int

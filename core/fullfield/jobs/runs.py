"""The trainings of this user: found, listed and named, without importing what computes.

Beside what a run itself leaves, its folder holds

    label.json        the name and the notes that its user gave it
    prediction.json   what was predicted of its memory before it began (see `fullfield.jobs.reading`)
    digest.json       the figures of a list, and of how many bytes of events they are: a long story is read once
"""

from __future__ import annotations

import contextlib
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from fullfield import events, files, system
from fullfield.errors import CannotWrite, UsageError
from fullfield.events import RunEnded
from fullfield.jobs import job as jobs
from fullfield.jobs import launch
from fullfield.jobs.job import Job
from fullfield.jobs.reading import Reader, read
from fullfield.jobs.story import Told

KIND = "train"
TAIL_BYTES = 16384
VERSION = 1


class State(StrEnum):
    """What a run is doing, or how it ended."""

    PREPARING = "preparing"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPED = "stopped"
    COMPLETED = "completed"
    FAILED = "failed"
    DIED = "died"

    @property
    def alive(self) -> bool:
        """A worker is at it."""
        return self in (State.PREPARING, State.RUNNING)

    @property
    def resumable(self) -> bool:
        """It can be gone on with; one that failed may fail again, and may not."""
        return self in (State.PAUSED, State.STOPPED, State.DIED, State.FAILED)


@dataclass(frozen=True, kw_only=True)
class Label:
    """What the user calls a run, and notes of it."""

    name: str = ""
    notes: str = ""


@dataclass(frozen=True, kw_only=True)
class Digest:
    """The figures of a list. `peak_bytes`: of the card, where `on_card`; else of the computer. `seconds`: at work."""

    began: float = 0.0
    seconds: float = 0.0
    epoch: int = 0
    epochs: int = 0
    best_loss: float | None = None
    best_epoch: int = 0
    peak_bytes: int = 0
    on_card: bool = False
    stepping: bool = False
    ended: str = ""
    techniques: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Run:
    """A training: its folder, what it was asked (the fields of `TrainSpec`), and how far it is."""

    folder: Path
    spec: dict[str, Any]
    label: Label
    state: State
    digest: Digest

    @property
    def techniques(self) -> tuple[str, ...]:
        """What it runs by."""
        planned = self.digest.techniques
        return tuple(self.spec.get("techniques", ())) if planned is None else planned


def folders() -> list[Path]:
    """The folders of this user's trainings, the newest first; others are passed over, and one that is being deleted."""
    found = files.runs_folder().glob(f"[!.]*-{KIND}-*")
    return sorted((path for path in found if (path / "job.json").exists()), key=lambda path: path.name, reverse=True)


class Shelf:
    """Lists trainings; of those that go on, only what is new since the last time is read."""

    def __init__(self) -> None:
        self._readers: dict[Path, Reader] = {}

    def listed(self) -> list[Run]:
        """All trainings, the newest first."""
        found = [run for folder in folders() if (run := find(folder, self._told)) is not None]
        alive = {run.folder for run in found if run.state.alive}
        self._readers = {folder: reader for folder, reader in self._readers.items() if folder in alive}
        return found

    def _told(self, folder: Path) -> Told:
        return self._readers.setdefault(folder, Reader(folder)).told()


def find(folder: Path, tell: Callable[[Path], Told] = read) -> Run | None:
    """One training; None where its folder is none of this version's. `tell`: its story so far."""
    try:
        job = jobs.load(folder)
    except UsageError:
        return None
    if job.kind != KIND:
        return None
    digest = _digest(folder, tell)
    state = state_of(folder, digest.ended, stepping=digest.stepping)
    return Run(folder=folder, spec=job.spec, label=label(folder), state=state, digest=digest)


def state_of(folder: Path, ended: str, *, stepping: bool) -> State:
    """The state of a run whose last event was RunEnded with the reason `ended`, or another one (""). `stepping`: its
    worker has made steps."""
    if ended in set(State):
        return State(ended)
    if launch.LocalJob(folder).alive():
        return State.RUNNING if stepping else State.PREPARING
    return State.DIED


def unfinished() -> tuple[list[Path], list[Path]]:
    """Trainings whose worker is at work, and those whose worker died and of which nobody knows yet. Quick."""
    running, died = [], []
    for folder in folders():
        if _last_is_an_end(folder):
            continue
        if launch.LocalJob(folder).alive():
            running.append(folder)
        elif not _seen(folder):
            died.append(folder)
    return running, died


def label(folder: Path) -> Label:
    """The user's name and notes; empty where there are none."""
    try:
        values = json.loads((folder / "label.json").read_text(encoding="utf-8"))
        return Label(name=str(values["name"]), notes=str(values["notes"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Label()


def rename(folder: Path, given: Label) -> None:
    """Keep another name and other notes. Raises CannotWrite."""
    with files.atomic_write(folder / "label.json", private=True) as stream:
        stream.write(json.dumps(asdict(given)).encode())


def resumed(folder: Path, *, watch: int | None = None) -> Job:
    """The job to launch in `folder` to go on with it exactly; `watch`: the image to watch from now on."""
    job = jobs.load(folder)
    spec = job.spec if watch is None else {**job.spec, "watch": watch}
    return Job(kind=job.kind, spec=spec, processes=job.processes)


def remove(folder: Path) -> None:
    """Delete a run for good. Raises UsageError where a worker is at it."""
    if launch.LocalJob(folder).alive() and not _last_is_an_end(folder):
        raise UsageError("Cannot delete this run.", detail="It is running.", hint="Stop it first.")
    jobs.refuse_running(folder)
    gone = folder.with_name(f".gone-{folder.name}")
    system.rename(folder, gone)  # at once, so that no half of it is listed
    shutil.rmtree(gone, ignore_errors=True)


def see(folder: Path) -> None:
    """Somebody knows of this run's end: it is not told at the next start."""
    with contextlib.suppress(OSError):
        files.write_text(folder / "seen.json", json.dumps({"size": _size(folder), "time": time.time()}))


def _seen(folder: Path) -> bool:
    try:
        return bool(json.loads((folder / "seen.json").read_text(encoding="utf-8"))["size"] == _size(folder))
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _size(folder: Path) -> int:
    try:
        return (folder / "events.jsonl").stat().st_size
    except OSError:
        return 0


def _last_is_an_end(folder: Path) -> bool:
    try:
        with (folder / "events.jsonl").open("rb") as stream:
            stream.seek(max(0, _size(folder) - TAIL_BYTES))
            lines = stream.read().splitlines()
    except OSError:
        return False
    return bool(lines) and isinstance(events.from_line(lines[-1].decode("utf-8", "replace")), RunEnded)


def _digest(folder: Path, tell: Callable[[Path], Told]) -> Digest:
    size = _size(folder)
    try:
        values = json.loads((folder / "digest.json").read_text(encoding="utf-8"))
        if values.pop("size") == size and values.pop("version") == VERSION:
            techniques = values.pop("techniques")
            known = {item.name for item in fields(Digest)}
            given = {key: value for key, value in values.items() if key in known}
            return Digest(**given, techniques=None if techniques is None else tuple(techniques))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    digest = digest_of(tell(folder))
    with contextlib.suppress(CannotWrite):  # read again the next time
        text = json.dumps({"version": VERSION, "size": size, **asdict(digest)})
        files.write_text(folder / "digest.json", text)
    return digest


def digest_of(told: Told) -> Digest:
    """The figures of a list."""
    return Digest(
        began=told.began,
        seconds=round(told.seconds, 1),
        epoch=told.epoch,
        epochs=told.epochs_wanted,
        best_loss=told.best.validation_loss if told.best else None,
        best_epoch=told.best.epoch if told.best else 0,
        peak_bytes=told.memory.peak_bytes,
        on_card=told.memory.on_card,
        stepping=told.stepping,
        ended=told.ended,
        techniques=told.techniques,
    )

"""A job: what a run shall do, as one file. The run's folder holds it, and all that the run tells and leaves.

job.json        what shall be done (may hold file names: readable by this user alone)
job.next.json   the same, asked for of a run that is there already, until its worker has accepted it
events.jsonl    one event per line, appended: the run's whole life, without file names or patient values
commands.jsonl  what has been asked of the run since: stop, one more image
worker.json     the process that works on it: its pid and when it was created;  pulse  its sign of life
start.json      the process that was started for it last, until it has said that itself
worker.log      the redacted log;  crash.log  where a native crash left its frames

Of several processes the files of the second are worker-1.json, worker-1.log …: see `ranks` and `rank_news`.
"""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Self

import filelock

from fullfield import checked, files, process_identity
from fullfield.checked import Between, Count, Fields
from fullfield.errors import CannotWrite, UsageError
from fullfield.protocol import fleets, places, specs
from fullfield.protocol.fleets import Fleet
from fullfield.protocol.places import LOCAL
from fullfield.protocol.specs import Spec
from fullfield.protocol.training import Training

VERSION = 1
FAILED = re.compile(r"failed-[0-9]{1,4}\.json")
_HINT = "Choose the folder of a run."
JOB, NEXT, WORKER, START = "job.json", "job.next.json", "worker.json", "start.json"
START_SECONDS = 20.0
SWEEP_SECONDS = 3600.0  # a run that was launched a moment ago may not hold its lock yet


Pid = Annotated[int, Between(1, 2**31 - 1)]


@dataclass(frozen=True, kw_only=True)
class Job:
    """`kind`: a name of `fullfield.jobs.registry`; `spec`: what `of` was given, as the file holds it, which may be
    another version's; `processes`: how many ranks. `place`: where it runs, of `fullfield.protocol.places`.

    `images_to`: the address of the node, or of several with a comma between two, to which this user has said that the
    images of this run may go; "": nobody has been asked. `least`, `most`: of several nodes, how many are enough, and
    how many train together (0: all). `fleet`: on one of them, what it is told of the others. `slurm`: options of srun,
    on a login node of a cluster.

    `owner`: pid and time of creation (`process_identity.process_started`) of the process that the run is asked to
    stop with; None: it goes on without.
    """

    kind: str
    spec: Fields = field(default_factory=dict)
    processes: int = 1
    place: str = LOCAL
    images_to: str = ""
    least: Count = 0
    most: Count = 0
    fleet: Fleet | None = None
    slurm: tuple[str, ...] = ()
    owner: tuple[Pid, str | float] | None = None

    def __post_init__(self) -> None:
        if self.processes < 1:
            raise UsageError(f"Cannot start a run of {self.processes} processes.", hint="Choose at least one.")

    @classmethod
    def of(
        cls,
        spec: Spec,
        *,
        processes: int = 1,
        nodes: str = "",
        images_to: str = "",
        owner: tuple[Pid, str | float] | None = None,
    ) -> Self:
        """The job of the kind that `spec` is of, at the place that it names. `nodes`: MIN:MAX of the several that it
        names ("": all). Raises UsageError."""
        place = spec.place if isinstance(spec, Training) else LOCAL
        least, most = fleets.bounds(nodes, len(places.several(place)))
        return cls(
            kind=specs.kind_of(spec),
            spec=specs.to_fields(spec),
            processes=processes,
            place=place,
            images_to=images_to,
            least=least,
            most=most,
            owner=owner,
        )


@dataclass(frozen=True, kw_only=True)
class Worker:
    """The process that works on a run, or did last: its pid, and when it was created."""

    pid: Pid
    started: str | float
    world: int = 1


def new_folder(kind: str) -> Path:
    """A fresh run folder whose name tells when and what, and no more. Raises OwnFolder."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    folder = files.runs_folder() / f"{stamp}-{kind}-{secrets.token_hex(3)}"
    try:
        return files.private_folder(folder)
    except OSError as error:
        raise files.OwnFolder("runs", error) from error


def sweep(kind: str) -> None:
    """Remove what killed runs of a passing kind left: their jobs name files, their caches hold pixels.

    What they left is shown as long as their owner lives.
    """
    for folder in files.runs_folder().glob(f"*-{kind}-*"):
        lock = filelock.FileLock(folder / "worker.lock")
        with contextlib.suppress(OSError, filelock.Timeout):
            if time.time() - folder.stat().st_mtime > SWEEP_SECONDS and not _is_owned(folder):
                with lock.acquire(timeout=0):
                    shutil.rmtree(folder, ignore_errors=True)


def _is_owned(folder: Path) -> bool:
    with contextlib.suppress(UsageError):
        owner = load(folder).owner
        return owner is not None and process_identity.is_alive(*owner)
    return False


@contextlib.contextmanager
def starting(folder: Path) -> Iterator[None]:
    """Nobody else starts the run in `folder` meanwhile. Raises UsageError where somebody does and takes long, and
    CannotWrite."""
    try:
        files.private_folder(folder)
        lock = filelock.FileLock(folder / "start.lock", timeout=START_SECONDS)
        lock.acquire()
    except filelock.Timeout as error:
        raise _running() from error
    except OSError as error:
        raise files.cannot_write(error) from error
    try:
        yield
    finally:
        lock.release()


def note_start(folder: Path, pid: int) -> None:
    """Leave which process was started for the run, which takes a moment to say so itself."""
    with contextlib.suppress(CannotWrite):  # a full disk, which the worker tells
        files.write_text(folder / START, json.dumps({"pid": pid, "started": process_identity.process_started(pid)}))


def refuse_running(folder: Path, *, patience: float = 0.0) -> None:
    """Raise UsageError where a worker holds the run in `folder`, or has just been started for it: its files must not be
    touched. `patience`: seconds for processes that are left of the last start, and end."""
    begun = None if worker(folder) else _process(folder / START)
    if _held(folder / "worker.lock", 0.0) or (begun and process_identity.is_alive(begun.pid, begun.started)):
        raise _running()
    ends = time.monotonic() + patience
    for lock in sorted(folder.glob("worker-*.lock")):
        if _held(lock, ends - time.monotonic()):
            raise UsageError(
                "Cannot start this run.",
                detail="One of its processes of the last time has not ended yet.",
                hint="Wait half a minute, then start again.",
            )


def _running() -> UsageError:
    return UsageError("Cannot start this run.", detail="It is running already.", hint="Wait for it, or stop it first.")


def _held(lock: Path, patience: float) -> bool:
    """Whether another process still holds it after so many seconds."""
    with contextlib.suppress(filelock.Timeout):
        if lock.is_file():
            with filelock.FileLock(lock).acquire(timeout=max(0.0, patience)):
                pass
        return False
    return True


def save(job: Job, folder: Path) -> None:
    """Leave `job` in `folder`, beside the one that is there: that gives way once a worker has accepted (`accept`)."""
    try:
        files.private_folder(folder)
    except OSError as error:
        raise files.cannot_write(error) from error
    text = json.dumps({"version": VERSION, **asdict(job)}, indent=1)
    with files.atomic_write(folder / (NEXT if (folder / JOB).exists() else JOB), private=True) as stream:
        stream.write(text.encode())


def asked(folder: Path) -> Job:
    """The job that a worker shall do: what was saved last. Raises UsageError as `load` does."""
    return _read(folder, NEXT if (folder / NEXT).exists() else JOB)


def accept(folder: Path) -> None:
    """What was asked last is what the run is from now on. Raises OSError."""
    if (folder / NEXT).exists():
        files.move(folder / NEXT, folder / JOB)


def refuse(folder: Path) -> bool:
    """Forget what was asked and not accepted: the run stays what it was. False where there is nothing to forget."""
    waiting = (folder / NEXT).exists()
    with contextlib.suppress(OSError):  # the next one that is asked takes its place
        (folder / NEXT).unlink(missing_ok=True)
    return waiting


def load(folder: Path) -> Job:
    """The job of a run folder. Raises UsageError where there is none that this version can run, OtherVersion where that
    is why."""
    return _read(folder, JOB)


def of_rank(name: str, rank: int) -> str:
    """The file of the run that is `name` for rank 0."""
    path = Path(name)
    return name if rank == 0 else f"{path.stem}-{rank}{path.suffix}"


def worker(folder: Path, rank: int = 0) -> Worker | None:
    """What `worker.json` of a rank says; None where there is none yet, or it says nothing of use."""
    return _process(folder / of_rank(WORKER, rank))


def _process(path: Path) -> Worker | None:
    try:
        return checked.make(Worker, checked.parse(path.read_bytes()))
    except (OSError, ValueError):
        return None


class OtherVersion(UsageError):
    """Another version has made it."""


def damaged(folder: Path) -> UsageError:
    """What a run is asked cannot be read."""
    return UsageError(_cannot_open(folder), detail="Its job.json is missing or damaged.", hint=_HINT)


def _read(folder: Path, name: str) -> Job:
    try:
        values = checked.parse((folder / name).read_bytes())
        version = checked.make(_Version, values).version
        if version == VERSION:
            return checked.make(Job, values)
    except (OSError, ValueError, UsageError) as error:
        raise damaged(folder) from error
    raise OtherVersion(_cannot_open(folder), detail="It was made by another version.", hint=_HINT)


def _cannot_open(folder: Path) -> str:
    return f"Cannot open the run {folder.name}."


@dataclass(frozen=True, kw_only=True)
class _Version:
    version: int

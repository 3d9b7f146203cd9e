"""Where the training part lies that was installed beside this program: a folder per version, whole by its marker.

FOLDER/0.4.0/environment   the virtual environment: a worker's Python, torch, and this program's engine
FOLDER/0.4.0/wheels-…      what has been fetched, until it is installed;  pip/  what pip writes meanwhile;  pip.log
FOLDER/0.4.0/installed     the marker, written last; its fields are those of `Installed`
FOLDER/0.4.0/install.lock  held by who installs or removes
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import filelock

from fullfield import __version__, checked, files, other_python, parts, system
from fullfield.errors import CannotWrite, MissingPart, OutputInvalid, UsageError

VARIABLE = "FULLFIELD_TRAINING"  # of the environment: how an administrator names a folder for all users
COMMAND = "fullfield install training"
MARKER, LOCK = "installed", "install.lock"


@dataclass(frozen=True, kw_only=True)
class Installed:
    """A training part that is whole. `build`: cpu or cuda; the versions of Fullfield, torch and Python."""

    version: str
    build: str
    torch: str
    python: str


def base() -> Path:
    """The folder of all versions: the one that `FULLFIELD_TRAINING` names, else in the user's data."""
    return files.user_folder("training")


def folder() -> Path:
    """The folder of this version; it may not exist yet."""
    return base() / __version__


def environment() -> Path:
    """The virtual environment of this version."""
    return folder() / "environment"


def python() -> Path:
    """The Python that workers are started with."""
    return other_python.of_environment(environment())


def installed() -> Installed | None:
    """That of this version; None where it is not there, not whole, or where every user could exchange it."""
    found = _read(folder())
    try:
        safe = found is not None and not any(map(system.writable_by_all, (base(), folder(), environment())))
        return found if found is not None and safe and _is_of(found.python) else None
    except OSError:
        return None


def _is_of(version: str) -> bool:
    """Whether the environment's Python is of the version that its packages were installed for: an upgrade of the system
    may have put another one in its place. One whose file says no version is taken to be. Raises OSError."""
    if not python().exists():
        return False
    named = re.fullmatch(r"python(\d+\.\d+)t?", Path(os.path.realpath(python())).name)
    return named is None or version.startswith(f"{named[1]}.")


def others() -> tuple[Installed, ...]:
    """Those of other versions, the one that was installed last at the end."""
    try:
        markers = [path / MARKER for path in base().iterdir() if path.name != __version__ and (path / MARKER).is_file()]
        markers.sort(key=lambda path: path.stat().st_mtime)
    except OSError:
        return ()
    return tuple(found for path in markers if (found := _read(path.parent)) is not None)


def interpreter(*packages: str, may_need: Sequence[str] = ()) -> Path | None:
    """The Python that has `packages`, for a worker that needs them; None: this program's own. `may_need`: those that it
    asks for later, for a model: it begins without them.

    Raises MissingPart where neither has them, and says so where a training part of another version is there.
    """
    if not parts.absent(*packages):
        return python() if parts.absent(*may_need) and installed() is not None else None
    if installed() is not None:
        return python()
    before = others()
    try:
        parts.require(*packages)
    except MissingPart as error:
        if not before:
            raise
        raise MissingPart(
            error.title,
            detail=f"It was installed for Fullfield {before[-1].version}, and this is {__version__}.",
            hint=f"Install it again, with “Install…” on the page that trains or with the command: {COMMAND}",
        ) from error
    return None


def prepare() -> Path:
    """The folder of this version, made where it is not there. Raises CannotWrite, and OutputInvalid where every user
    could exchange what runs there."""
    for path in (base(), folder()):
        try:
            path.mkdir(parents=True, exist_ok=True, mode=0o755 if os.environ.get(VARIABLE) else 0o700)
            exposed = system.writable_by_all(path)
        except OSError as error:
            raise files.cannot_write(files.OwnFolder("training", error)) from error
        if exposed:
            raise OutputInvalid(
                "Cannot install the training part there.",
                detail="Every user may write into this folder: what runs from it could be exchanged.",
                hint=f"Name another folder in {VARIABLE}, or take that right away from the others.",
            )
    return folder()


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Nobody else installs or removes that of this version meanwhile. Raises UsageError where somebody does,
    CannotWrite."""
    lock = filelock.FileLock(folder() / LOCK)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout as error:
        raise UsageError(
            "Cannot install or remove the training part now.",
            detail="It is being installed or removed already.",
            hint="Wait until that is done.",
        ) from error
    except OSError as error:
        raise files.cannot_write(files.OwnFolder("training", error)) from error
    try:
        yield
    finally:
        lock.release()


def finish(done: Installed) -> None:
    """It is whole: say so, and remove what was needed on the way. Raises CannotWrite."""
    files.write_text(folder() / MARKER, json.dumps(asdict(done)))
    for path in folder().iterdir():
        if path.is_dir() and path.name != environment().name:
            shutil.rmtree(path, ignore_errors=True)


def remove() -> None:
    """Remove that of this version, the marker first. Raises CannotWrite where something of it stays, UsageError where
    it is being installed."""
    held = True
    try:
        with alone():
            (folder() / MARKER).unlink(missing_ok=True)
            for path in folder().iterdir():
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path)
                elif path.name != LOCK:
                    path.unlink()
            with contextlib.suppress(OSError):  # Windows does not remove it while it is held
                (folder() / LOCK).unlink()
                held = False
        with contextlib.suppress(OSError):  # somebody has begun to install it anew
            if held:
                (folder() / LOCK).unlink()
            folder().rmdir()
    except OSError as error:
        raise CannotWrite(
            "Cannot remove the training part.",
            detail="Some of its files are in use, or are not yours to remove.",
            hint="Close Fullfield, wait for its trainings, and try again.",
        ) from error


def _read(path: Path) -> Installed | None:
    try:
        return checked.make(Installed, checked.parse((path / MARKER).read_bytes()))
    except (OSError, ValueError):
        return None

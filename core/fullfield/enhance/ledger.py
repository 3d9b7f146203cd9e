"""Writing results into an output folder: one run at a time, and no result in the place of another input's.

"Done before" means: the same input content, the same settings and model, and the output that was written then is still
there as it was. What is known of a folder, and which name a result gets, is said by `fullfield.enhance.results`.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import platform
import shutil
import threading
import time
import unicodedata
from dataclasses import asdict, dataclass
from pathlib import Path

import filelock

from fullfield import files
from fullfield.checked import Fields
from fullfield.enhance.results import FILE, FOLDER, Entry, Holds, Place, Results, unknown
from fullfield.errors import CannotWrite, OutputInvalid

WAIT_SECONDS = 5.0  # a run whose command was killed is gone by then
TIDY_SECONDS = 1.0
_NO_LOCKS = {errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP}  # some network shares


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A result to be written. `target`: the name that it should have; `input`: the SHA-256 of its input; `item`: its
    place in the run; `overwrite`: also over a file that we did not write, or that was changed since; `anew`: not over
    an earlier result of this input that lies under another number.
    """

    target: Path
    input: str
    item: int = 0
    overwrite: bool = False
    anew: bool = False


class Ledger:
    """What is written into one output folder, which is locked against a second run of ours.

    Raises OutputInvalid when another run holds the lock for longer than `wait` seconds, or when the folder cannot be
    written; CannotWrite when there is no room in it, or when it was `begun` and what was written is gone.
    """

    def __init__(self, out: Path, *, wait: float = WAIT_SECONDS, begun: bool = False) -> None:
        self._out, self._folder = out, out / FOLDER
        self.parts = self._folder / "parts"
        self._lock = threading.Lock()
        self._claims: dict[str, int] = {}
        try:
            if begun:
                _refuse_gone(self._folder / FILE)
            else:
                self._folder.mkdir(parents=True, exist_ok=True)
            files.share_as_folder(self._folder)
            self._run = _locked(self._folder / "run.lock", wait)
            self._holder.unlink(missing_ok=True)  # another user's, killed
            self._holder.write_text(json.dumps(_this_process()), encoding="utf-8")
            self.parts.mkdir(exist_ok=True)
            for path in (self.parts, Path(self._run.lock_file)):
                files.share_as_folder(path)
        except filelock.Timeout as error:
            raise OutputInvalid(
                "Cannot write into the output folder.",
                detail=_who(self._holder),
                hint="Wait for it, or choose another folder.",
            ) from error
        except OSError as error:
            if error.errno in files.NO_ROOM:
                raise files.cannot_write(error) from error
            raise OutputInvalid(
                "Cannot write into the output folder.",
                detail=f"The system says: {error.strerror}.",
                hint="Choose a folder that you may write to.",
            ) from error
        self._empty_parts()
        try:
            if begun:  # once more: what locks it makes a folder that has gone since
                _refuse_gone(self._folder / FILE)
            self._results = Results(out)
            files.end_cut_line(self._folder / FILE)
        except OSError as error:
            self.close()
            raise (files.cannot_write if error.errno in files.NO_ROOM else unknown)(error) from error
        except (OutputInvalid, CannotWrite):
            self.close()
            raise

    def close(self) -> None:
        """Release the folder, and leave nothing but the results' file where that may be removed still."""
        try:
            self._empty_parts()
            with contextlib.suppress(OSError):
                self.parts.rmdir()
            with contextlib.suppress(OSError):
                self._holder.unlink()
            with contextlib.suppress(OSError):  # while it is held: filelock sees through an unlinked file; not Windows
                Path(self._run.lock_file).unlink()
        finally:
            self._run.release()

    def place(self, wanted: Wanted) -> Place:
        """Where this result goes (see `Results.find`). From here on no other item of this run gets that name."""

        def taken(path: Path) -> bool:
            return self._claims.get(self._key(path), wanted.item) != wanted.item

        while True:
            found = self._results.find(wanted.target, input=wanted.input, taken=taken, anew=wanted.anew)
            with self._lock:
                if not taken(found.path):
                    self._claims[self._key(found.path)] = wanted.item
                    return found

    def free(self, name: str) -> Path:
        """A path for a file about the results that is to be called `name`: nothing lies there."""
        target = self._out / name
        return self._results.free(target) if os.path.lexists(target) else target

    def refuse_gone(self) -> None:
        """Raise CannotWrite where the folder is not there any more: in its place, under the point where a share was
        mounted, another one would be made: writing makes `parts` anew, but not the file that is locked."""
        _refuse_gone(Path(self._run.lock_file))

    def publish(self, staged: Path, wanted: Wanted, *, settings: str, output: str) -> Path:
        """Move the finished file `staged` (in `parts`), whose SHA-256 is `output`, to its place, as it is found now;
        returns its path.

        The ledger's line is durable before the file appears, so that a run killed between the two finds, when it is
        started again, either a file that it knows or none. Raises CannotWrite, also where somebody has put a file there
        meanwhile.
        """
        place = self.place(wanted)
        self.refuse_gone()
        if place.holds is Holds.UNKNOWN and not wanted.overwrite:
            raise CannotWrite(
                "Cannot write the enhanced image.",
                detail="A file of that name has come into the folder meanwhile.",
                hint="Try again.",
            )
        name = self._results.name(place.path)
        try:
            entry = Entry(input=wanted.input, settings=settings, name=name, output=output)
            with self._lock:
                files.append_line(self._folder / FILE, json.dumps(asdict(entry)), durable=True, private=False)
                files.share_as_folder(self._folder / FILE)
                self._results.add(entry)
            _move(staged, place.path)
        except OSError as error:
            raise files.cannot_write(error) from error
        return place.path

    @property
    def _holder(self) -> Path:
        """Says who holds the lock: on Windows a locked file cannot be read."""
        return self._folder / "run.json"

    def _empty_parts(self) -> None:
        with contextlib.suppress(OSError):  # the folder is gone, or cannot be read any more
            for part in self.parts.iterdir():  # only a killed run leaves any, and the lock is ours
                with contextlib.suppress(OSError):
                    part.unlink()

    def _key(self, path: Path) -> str:
        """The same for two names that are one on some file system."""
        return unicodedata.normalize("NFC", str(path.relative_to(self._out))).casefold()


def _refuse_gone(known: Path) -> None:
    if not known.exists():
        raise files.cannot_write(FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))


def tidy(out: Path) -> None:
    """Remove what a run that was killed has left half written in `out`, unless another one is at work there."""
    if (out / FOLDER / "parts").is_dir():
        with contextlib.suppress(OutputInvalid):
            Ledger(out, wait=TIDY_SECONDS).close()


def _move(staged: Path, target: Path) -> None:
    """Also where a folder among the results is a link to another disk, or one that is mounted there. Raises OSError,
    CannotWrite."""
    try:
        files.move(staged, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        with staged.open("rb") as source, files.atomic_write(target) as stream:
            shutil.copyfileobj(source, stream, files.PIECE_BYTES)
        staged.unlink()


def _locked(path: Path, wait: float) -> filelock.BaseFileLock:
    lock: filelock.BaseFileLock = filelock.FileLock(path)
    try:
        lock.acquire(timeout=wait)
    except OSError as error:
        if isinstance(error, filelock.Timeout) or error.errno not in _NO_LOCKS:
            raise
        lock = filelock.SoftFileLock(path.with_name("run.soft.lock"))  # the first one's file is there by now
        lock.acquire(timeout=wait)
    return lock


def _this_process() -> Fields:
    return {"pid": os.getpid(), "parent": os.getppid(), "since": time.time(), "host": platform.node()}


def _who(holder: Path) -> str:
    """What is known of the run that holds the lock."""
    try:
        reported = json.loads(holder.read_text(encoding="utf-8"))
        pid, parent, host = int(reported["pid"]), int(reported["parent"]), str(reported["host"])
        since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(float(reported["since"])))
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return "Another run of Fullfield is writing into it."
    if host != platform.node():
        return f"Another run of Fullfield is writing into it: on the computer {host}, since {since}."
    return f"Another run of Fullfield is writing into it: process {pid}, started by process {parent}, since {since}."

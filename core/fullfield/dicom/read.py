"""Reading a radiograph: bytes that nobody vouches for go to a child process, and come back as a mapped array.

A `Decoder` keeps one child warm. What a crafted or damaged file does to a library (a crash, a hang, all of the memory)
ends that child and costs that one file. Decoded files stay in a private cache by the hash of their content.
"""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from fullfield import files
from fullfield.checked import Fields
from fullfield.child_process import Child, Lost
from fullfield.dicom import eviction
from fullfield.dicom.formats import HEAD_BYTES, tell
from fullfield.dicom.refusals import changed, damaged, no_file
from fullfield.errors import FullfieldError, InputRefused, InputUnreadable
from fullfield.image import cache
from fullfield.image.cache import Decoded
from fullfield.sandbox import Confinement

READER = "9"
"""Part of a cached file's name. Counted up whenever reading gives another result for the same bytes."""

CHILD = "fullfield.dicom.child"
MAX_FILE_BYTES = 1 << 30
MEMORY_BYTES, SECONDS = 3 << 30, 60.0  # what a child may take for one file
_FOLDER_GONE = frozenset({errno.EACCES, errno.EPERM, errno.ENOENT})  # somebody has emptied the cache meanwhile
TRIM_EVERY = 16  # decoded files: looking at thousands of entries takes as long as decoding one


@dataclass(frozen=True, kw_only=True)
class Content:
    """What an ordinary file holds: its SHA-256, and the `stamp` (size and time) that it had before it was hashed."""

    sha256: str
    stamp: tuple[int, int]

    @classmethod
    def of(cls, source: Path) -> Content:
        """Raises InputUnreadable, InputRefused."""
        stamp = _stamp(source)
        try:
            return cls(sha256=files.sha256(source), stamp=stamp)
        except OSError as error:
            raise _cannot_open(error) from error


class Decoder:
    """Reads files through one warm child. Used by one thread at a time; close it, or use it in a `with`.

    `cache`: where decoded files are kept, a run's folder; this user's private cache without it. `memory`: bytes that
    the child may use, `seconds`: how long it may take for one file.
    """

    def __init__(self, cache: Path | None = None, *, memory: int = MEMORY_BYTES, seconds: float = SECONDS) -> None:
        self._own = "runs" if cache else "cache"
        self._folder = files.private_folder((cache or files.cache_folder()) / "decoded")
        self._child = Child(CHILD, memory=memory, seconds=seconds, folder=self._folder)
        self._new = 0
        eviction.sweep(self._folder)

    def __enter__(self) -> Decoder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the child. What was decoded stays in the cache."""
        self._child.end()

    def warm(self) -> None:
        """Start the child before the first file is here; from the thread that will decode."""
        self._child.warm()

    def confinement(self) -> Confinement:
        """What the child has given up (see `fullfield.sandbox`). Raises WorkerDied where it cannot be started."""
        return self._child.confinement()

    def decode(self, source: Path, content: Content | None = None) -> Decoded:
        """The radiograph in `source`, its pixels mapped read-only from the cache. `content`: where it is known already;
        a file that has changed since is refused.

        Raises InputRefused (it is no radiograph), InputUnreadable (damaged, or the decoder stopped on it), CannotWrite
        (the cache's disk is full).
        """
        _stamp(source)
        try:
            with source.open("rb") as stream:
                tell(stream.read(HEAD_BYTES), source.name)
        except OSError as error:
            raise _cannot_open(error) from error
        content = content or Content.of(source)
        _same(source, content)
        folder = self._folder / f"{content.sha256}-{READER}"
        found = _cached(folder)
        if found is None:
            self._ask(source, folder, content)
            if self._new % TRIM_EVERY == 0:
                eviction.trim(self._folder)
            self._new += 1
            found = _cached(folder)
        if found is None:
            raise damaged("Its decoded pixels vanished from the cache.", hint="Try again.")
        return found

    def _ask(self, source: Path, folder: Path, content: Content) -> None:
        request = {
            "source": str(source.absolute()),
            "name": source.name,
            "folder": str(folder),
            "sha256": content.sha256,
            "stamp": content.stamp,
        }
        try:
            answer = self._child.ask(request)
            if answer.get("errno") in _FOLDER_GONE:  # the child may write into the folder that it began with alone
                files.private_folder(self._folder)
                self._child.end()
                answer = self._child.ask(request)
        except Lost as lost:
            eviction.sweep(self._folder, content=content.sha256)
            _same(source, content)  # a mapped file that is cut ends the child
            raise damaged(f"The decoder stopped on this file: {lost}.") from lost
        if answer.get("kind") != "done":
            raise _error(answer, self._own)


def read(source: Path) -> Decoded:
    """One file, with a decoder of its own. Raises what `Decoder.decode` raises."""
    with Decoder() as decoder:
        return decoder.decode(source)


def listed(dicomdir: Path) -> list[list[str]]:
    """The files that a DICOMDIR lists: of each the components of its name. Raises InputUnreadable, InputRefused."""
    child = Child(CHILD, memory=MEMORY_BYTES, seconds=SECONDS)
    try:
        answer = child.ask({"source": str(dicomdir.absolute()), "stamp": _stamp(dicomdir)})
    except Lost as lost:
        raise damaged(f"The decoder stopped on this file: {lost}.") from lost
    finally:
        child.end()
    if answer.get("kind") != "done":
        raise _error(answer)
    found: list[list[str]] = answer["files"]
    return found


def _stamp(source: Path) -> tuple[int, int]:
    """Size and time of an ordinary file. Raises InputUnreadable, InputRefused: a pipe or a device is never opened."""
    try:
        status = source.stat()
    except (OSError, ValueError) as error:
        raise _cannot_open(error) from error
    if not stat.S_ISREG(status.st_mode):
        raise no_file(source)
    if status.st_size > MAX_FILE_BYTES:
        raise damaged(f"It is larger than {MAX_FILE_BYTES >> 30} GiB: no radiograph is.")
    return status.st_size, status.st_mtime_ns


def _same(source: Path, content: Content) -> None:
    """Raises InputUnreadable where `source` is no longer the file that `content` is of."""
    if _stamp(source) != content.stamp:
        raise changed()


def _cannot_open(error: Exception) -> InputUnreadable:
    reason = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else "the name is not valid"
    return damaged(f"The system says: {reason}.", hint="Check that it is there and that you may read it.")


def _cached(folder: Path) -> Decoded | None:
    """What lies in the cache, if it is whole; what is not, is removed."""
    if not folder.is_dir():
        return None
    try:
        if eviction.is_trusted(folder):
            decoded = cache.load(folder)
            eviction.use(folder)
            return decoded
    except (OSError, ValueError, KeyError, TypeError):
        pass
    eviction.remove(folder)
    return None


def _error(answer: Fields, own: str = "cache") -> FullfieldError:
    """`own`: the folder of Fullfield's own in which decoded files are kept."""
    texts = {key: str(answer.get(key, "")) for key in ("title", "detail", "hint")}
    match answer.get("kind"):
        case "refused":
            return InputRefused(texts["title"], detail=texts["detail"], hint=texts["hint"])
        case "unreadable":
            return InputUnreadable(texts["title"], detail=texts["detail"], hint=texts["hint"])
        case "memory":
            return damaged("It needs more memory than a radiograph may.")
        case "disk":
            number = int(answer["errno"])
            return files.cannot_write(files.OwnFolder(own, OSError(number, os.strerror(number))))
        case _:
            return damaged("It could not be decoded, for a reason that we did not foresee.")

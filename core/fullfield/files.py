"""Files that are never half there, folders that nobody else reads, and the resources that ship with the program."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import platformdirs

from fullfield import system
from fullfield.errors import CannotWrite, FullfieldError, OutputInvalid

PART_SUFFIX, IDLE_SECONDS = ".part", 60.0  # in which nobody who still lives leaves a temporary as it is
PIECE_BYTES = 1 << 18
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NOT_OURS = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})  # to write to, however much space there is
_GONE = frozenset({errno.ENOENT, errno.ENODEV, errno.ESTALE})
_NO_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EACCES})
"""Of a folder that cannot be made durable: on some network shares, or where its user may write and not read."""
_APPEND = os.O_WRONLY | os.O_APPEND | os.O_CREAT


def resource(name: str) -> Path:
    """The path of a shipped file or folder: in the installed package first, in the repository second."""
    package = Path(__file__).parent
    for base in (package / "resources", package.parents[1] / "resources"):
        if (base / name).exists():
            return base / name
    raise FullfieldError(
        f"Cannot find the shipped file {name}.",
        detail="The installation is incomplete.",
        hint="Install Fullfield again.",
    )


@contextlib.contextmanager
def atomic_write(target: Path, *, parts: Path | None = None, private: bool = False) -> Iterator[BinaryIO]:
    """Write `target` so that it is there whole or not at all, also after a power cut.

    Temporary name (in `parts`, on the same file system, or beside the target) → write → fsync → rename → fsync of the
    folder. `private`: for this user alone. Raises CannotWrite; no temporary of a live process is ever left.
    """
    folder = parts or target.parent
    temporary: Path | None = None
    try:
        if target.exists() and not (target.is_file() or target.is_dir()):  # /dev/null, which the rename would remove
            raise CannotWrite(
                "Cannot write a file in the place of a device or a pipe.",
                detail="What has this name is no file, and stays as it is.",
                hint="Give the name of a file.",
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".", suffix=PART_SUFFIX, dir=folder)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if not private:
            _make_readable(temporary)
        move(temporary, target)
        temporary = None
    except OSError as error:
        raise cannot_write(error) from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):  # the first error is the one to tell
                temporary.unlink()


class Digest:
    """Writes bytes to a stream and hashes them on the way, piece by piece: nobody has to read them again, and a system
    that is given tens of megabytes at once (Linux 6.18, ext4) takes several times as long as for pieces.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._hash = stream, hashlib.sha256()

    def write(self, content: bytes | memoryview) -> None:
        """All of it. Raises OSError."""
        with memoryview(content).cast("B") as whole:
            for first in range(0, len(whole), PIECE_BYTES):
                piece = whole[first : first + PIECE_BYTES]
                self._hash.update(piece)
                self._stream.write(piece)

    def hexdigest(self) -> str:
        """The SHA-256 of all that was written."""
        return self._hash.hexdigest()


def move(source: Path, target: Path) -> None:
    """Rename a whole file, durably where the file system can; both on one file system. Raises OSError."""
    target.parent.mkdir(parents=True, exist_ok=True)
    system.rename(source, target)
    try:
        system.sync_folder(target.parent)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise


class OwnFolder(OSError):
    """A folder of Fullfield's own cannot be used, which nobody has chosen; `name`: of `user_folder`."""

    def __init__(self, name: str, error: OSError) -> None:
        super().__init__(error.errno, error.strerror)
        self.name = name


@contextlib.contextmanager
def in_own_folder(name: str) -> Iterator[None]:
    """What cannot be written here lies in a folder of Fullfield's own, see `OwnFolder`. Raises CannotWrite."""
    try:
        yield
    except CannotWrite as error:
        if isinstance(error.__cause__, OSError):
            raise cannot_write(OwnFolder(name, error.__cause__)) from error
        raise


def cannot_write(error: OSError) -> CannotWrite:
    """The operating system's refusal in plain words, without the path (it may carry a name)."""
    if isinstance(error, OwnFolder):
        name = error.name.upper()
        return CannotWrite(
            f"Cannot use Fullfield's own folder of this user ({error.name}).",
            detail=f"The system says: {error.strerror}.",
            hint=f"Free some space on its disk, or name a folder on another one in the environment: FULLFIELD_{name}."
            if error.errno in NO_ROOM - {errno.EFBIG}
            else f"Have the limit on files (ulimit -f) raised, or name a folder on another disk: FULLFIELD_{name}."
            if error.errno == errno.EFBIG
            else f"Have it made writable, or name another one in the environment: FULLFIELD_{name}.",
        )
    hint = "Choose a folder that you may write to, then try again: what is done is kept."
    if error.errno not in _NOT_OURS:
        hint = "Free some space or choose a folder that you may write to, then try again: what is done is kept."
    if is_gone(error):
        detail = "The folder is gone: it was deleted, moved or renamed, or its drive is not connected any more."
        hint = "Bring the folder back, or choose another one, and start again."
    elif error.errno == errno.ELOOP:
        detail = "In its place is a link to another file, and links are not followed."
        hint = "Find out who put it there, remove it, and start again; or choose another folder."
    elif error.errno == errno.EFBIG:
        detail = "It would be larger than a file of this user (ulimit -f) or of this disk may be."
        hint = "Have that limit raised, or choose a folder on another disk, then try again: what is done is kept."
    else:  # NumPy and pydicom, which have written less than they wanted to, do not say why
        unsaid = os.strerror(errno.ENOSPC) if type(error) is OSError else type(error).__name__
        detail = f"The system says: {error.strerror or unsaid}."
    return CannotWrite("Cannot write a file into the chosen folder.", detail=detail, hint=hint)


def settings_unreadable() -> CannotWrite:
    """Why settings are not written over a file that cannot be read."""
    return CannotWrite(
        "Cannot write the settings.",
        detail="The file of your settings cannot be read, and what it says would be lost.",
        hint="Check who may read your folder of settings, and try again.",
    )


def is_gone(error: BaseException | None) -> bool:
    """A folder that was there is there no more."""
    return isinstance(error, OSError) and error.errno in _GONE


def write_bytes(target: Path, content: bytes) -> None:
    """`content` at `target`, atomically."""
    with atomic_write(target) as stream:
        stream.write(content)


def write_text(target: Path, text: str) -> None:
    """`text` in UTF-8 at `target`, atomically."""
    write_bytes(target, text.encode())


def append_line(target: Path, line: str, *, durable: bool = False, private: bool = True) -> None:
    """Append one line with a single write, so that lines of several writers never mix; `durable`: fsync. `private`:
    a new file is for this user alone.

    Raises OSError; a link in the place of the file is not followed.
    """
    handle = system.open_own(target, _APPEND, 0o600 if private else 0o666)
    try:
        content = line.encode() + b"\n"
        if os.write(handle, content) != len(content):
            os.write(handle, b"\n")  # end the cut line, so that it costs only itself; else the system says why not
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if durable:
            os.fsync(handle)
    finally:
        os.close(handle)


def share_as_folder(path: Path) -> None:
    """Let the group write `path` where it may write the folder that it lies in, for the next user goes on with it."""
    with contextlib.suppress(OSError):  # another user's, or a share without such rights
        given, folder = path.stat(), path.parent.stat()
        if given.st_gid == folder.st_gid and not system.WINDOWS:
            path.chmod(stat.S_IMODE(given.st_mode) | folder.st_mode & stat.S_IWGRP)


def end_cut_line(target: Path) -> None:
    """End a line that a full disk or a power cut has left half, so that it costs only itself. Raises OSError."""
    with contextlib.suppress(FileNotFoundError), target.open("rb") as stream:
        if stream.seek(0, os.SEEK_END):
            stream.seek(-1, os.SEEK_END)
            if stream.read(1) != b"\n":
                with open_to_append(target) as end:
                    end.write(b"\n")


def open_to_append(target: Path) -> BinaryIO:
    """A file of ours, open for bytes at its end; a link in its place is not followed. Raises OSError."""
    return os.fdopen(system.open_own(target, _APPEND), "ab")


def touch(target: Path) -> None:
    """Give a file of ours the time of now; a link in its place is not followed. Raises OSError."""
    handle = system.open_own(target, os.O_WRONLY | os.O_CREAT)
    try:
        os.utime(handle if os.utime in os.supports_fd else target)
    finally:
        os.close(handle)


def sweep_parts(folder: Path, *, idle: float = 0.0) -> None:
    """Remove the temporaries that a killed process left in `folder`; where others write too, the `idle` ones."""
    for part in folder.glob(f".*{PART_SUFFIX}"):
        with contextlib.suppress(OSError):  # in use by someone else, or gone already
            if not idle or time.time() - part.stat().st_mtime > idle:
                part.unlink()


def sha256(path: Path) -> str:
    """The SHA-256 of a file's content, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def private_folder(path: Path) -> Path:
    """`path`; where it is made here, this user alone can read it; where it was there, others lose the right to write.

    Raises OSError, and OutputInvalid where it is another user's folder that everybody may write into.
    """
    path.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        system.keep_others_from_writing(path)
    except PermissionError as error:
        raise OutputInvalid(
            "Cannot use this folder.",
            detail="It belongs to another user, and everybody may write into it: its files could be exchanged.",
            hint="Name a folder of your own; it need not exist.",
        ) from error
    return path


def user_folder(name: str, usual: Path | None = None) -> Path:
    """Where this user's `name` ("models") lie; it may not exist yet.

    That is what `FULLFIELD_MODELS` names, else `usual`, else a folder of this name in the user's data.
    """
    chosen = os.environ.get(f"FULLFIELD_{name.upper()}")
    return Path(chosen) if chosen else usual or Path(platformdirs.user_data_dir("fullfield", False)) / name


def cache_folder() -> Path:
    """Where decoded pixels lie: this user's cache, or `FULLFIELD_CACHE` where that is set."""
    return _own("cache", Path(platformdirs.user_cache_dir("fullfield", False)))


def runs_folder() -> Path:
    """Where runs live: this user's data folder, or `FULLFIELD_RUNS` where that is set."""
    return _own("runs")


def settings_folder() -> Path:
    """Where settings lie, perhaps not yet: this user's config folder, or `FULLFIELD_SETTINGS` where that is set."""
    return user_folder("settings", Path(platformdirs.user_config_dir("fullfield", False)))


def gradings_folder() -> Path:
    """Where blind gradings are kept: this user's data folder, or `FULLFIELD_GRADINGS` where that is set."""
    return _own("gradings")


def _own(name: str, usual: Path | None = None) -> Path:
    """Raises OwnFolder."""
    try:
        return private_folder(user_folder(name, usual))
    except OSError as error:
        raise OwnFolder(name, error) from error


def _make_readable(path: Path) -> None:
    """Give a file made by mkstemp (0600) the permissions that the umask gives any new file, where it can have such."""
    if not system.WINDOWS:
        mask = _umask()
        with contextlib.suppress(PermissionError):  # a memory stick that another user has mounted
            path.chmod(0o666 & ~mask)


def _umask() -> int:
    status = Path("/proc/self/status")
    if status.exists():  # os.umask can only be read by setting it, which other threads would feel
        for line in status.read_text().splitlines():
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    os.umask(mask := os.umask(0o077))
    return mask

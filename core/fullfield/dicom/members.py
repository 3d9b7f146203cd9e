"""One member of a ZIP archive, brought out into the private cache within bounds, for as long as it is worked on.

The archive is never unpacked: a member is named by its entry, its own path is not used (only a clean suffix, by which a
picture is told), and what comes out is counted, whatever the archive says of its size. What a member takes does not
depend on how many there are: the table of contents is read once, and nothing is kept that would have to be trimmed.
"""

from __future__ import annotations

import contextlib
import lzma
import os
import re
import stat
import threading
import time
import uuid
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import IO, BinaryIO

from fullfield import files
from fullfield.dicom import eviction
from fullfield.dicom.formats import HEAD_BYTES
from fullfield.errors import InputUnreadable

MAX_MEMBER_BYTES = 1 << 30
MAX_RATIO = 1100  # deflate cannot do more than 1,032 to one
MAX_DIRECTORY_BYTES = 16 << 20  # some 150,000 entries
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, ValueError, RuntimeError)
_CHUNK = 1 << 20
_END_OF_DIRECTORY = b"PK\x05\x06"
_ZIP64_LOCATOR, _ZIP64_RECORD = b"PK\x06\x07", b"PK\x06\x06"
_END_BYTES = 22 + 0xFFFF
_ZIP64_BYTES = 56 + 20  # the record and its locator
MOST_OPEN = 2  # an archive of 100,000 members takes some 60 MiB

_Key = tuple[str, int, int]  # where it lies, its size and its time


class Archives:
    """The archives that one process brings members out of: each is opened once, not once for each member.

    Threads may share it. Close it, or use it in a `with`.
    """

    def __init__(self) -> None:
        self._folder = files.private_folder(files.cache_folder() / "members")
        self._open: dict[_Key, zipfile.ZipFile] = {}  # the one used last at the end
        self._used = 0.0
        self._lock = threading.Lock()
        _sweep(self._folder)

    def __enter__(self) -> Archives:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self, *, idle: float = 0.0) -> None:
        """Close them where none was used for `idle` seconds: on Windows an open one can be neither moved nor removed.

        What is asked for later is opened again.
        """
        with self._lock:
            if self._open and time.monotonic() - self._used >= idle:
                self._keep(0)

    @contextlib.contextmanager
    def member(self, archive: Path, name: str) -> Iterator[Path]:
        """The content of member `name` of `archive` as a file of this user's private cache, for as long as the `with`.

        The file keeps the member's suffix and nothing else of its name. Raises InputUnreadable, CannotWrite.
        """
        target = self._folder / f"{uuid.uuid4().hex}{_suffix(name)}"
        try:
            try:
                self._bring_out(archive, name, target)
            except KeyError as error:
                raise _unreadable("It is not in the archive any more.") from error
            except _DAMAGED as error:
                raise _unreadable("The archive is damaged, or packed in a way that is not known here.") from error
            except OSError as error:
                raise _closed(error) from error
            yield target
        finally:
            with contextlib.suppress(OSError):  # in use, on Windows: the next process removes it
                target.unlink(missing_ok=True)

    def _bring_out(self, archive: Path, name: str, target: Path) -> None:
        with self._lock:  # until the member is open: another thread may close the archive after that
            opened = self._opened(archive)
            info = opened.getinfo(name)
            every = opened.infolist()
            if len(every) > len(opened.NameToInfo) and sum(other.filename == name for other in every) > 1:
                raise _unreadable("The archive holds several files of this name, and they cannot be told apart.")
            _check(info)
            source = opened.open(info)
        with source:
            _copy(source, info, target)

    def _opened(self, archive: Path) -> zipfile.ZipFile:
        status = archive.stat()
        if not stat.S_ISREG(status.st_mode):
            raise _unreadable("The archive is no ordinary file.")
        key = (str(archive.absolute()), status.st_size, status.st_mtime_ns)
        opened = self._open.pop(key, None)
        if opened is None:
            self._keep(MOST_OPEN - 1)
            check_directory(archive)
            opened = zipfile.ZipFile(archive)
        self._open[key], self._used = opened, time.monotonic()
        return opened

    def _keep(self, count: int) -> None:
        """Close all but those that were used last. A member that is being read keeps its own hold of its archive."""
        for key in list(self._open)[: max(0, len(self._open) - count)]:
            self._open.pop(key).close()


def head_of(opened: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes | None:
    """The first bytes of a member, by which it is told what it is; None where only bringing it out will tell."""
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others need memory as the file says
        return None
    try:
        _check(info)
        with opened.open(info) as source:
            return source.read(HEAD_BYTES)
    except (InputUnreadable, OSError, *_DAMAGED):
        return None


def _suffix(name: str) -> str:
    suffix = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    return suffix if re.fullmatch(r"\.[a-z0-9]{1,8}", suffix) else ""


def check_directory(archive: Path) -> None:
    """Raise InputUnreadable unless the table of contents is of sane size: Python makes an object of each entry.

    Every end record that a reader may take for the archive's is held to the bound, and so is every ZIP64 record beside
    it: Python believes that whenever its locator is there, whatever the short record says.
    """
    with archive.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        stream.seek(max(0, size - _END_BYTES - _ZIP64_BYTES))
        tail = stream.read(_END_BYTES + _ZIP64_BYTES)
        ends = [found.start() for found in re.finditer(re.escape(_END_OF_DIRECTORY), tail)]
        lengths = [length for at in ends for length in _directory_lengths(stream, tail, at, size)]
    if not ends or max(lengths) > min(size, MAX_DIRECTORY_BYTES):
        raise _unreadable("The archive's table of contents is damaged.")


def _directory_lengths(stream: BinaryIO, tail: bytes, at: int, size: int) -> list[int]:
    """The lengths in bytes that the end record at `at` gives: its own, or those of ZIP64 records (APPNOTE 4.3.14)."""
    length = int.from_bytes(tail[at + 12 : at + 16], "little")
    locator = tail[max(0, at - 20) : at]
    if locator[:4] != _ZIP64_LOCATOR:
        return [length]
    stream.seek(min(int.from_bytes(locator[8:16], "little"), size))
    records = [
        tail[max(0, at - _ZIP64_BYTES) : at - 20],
        stream.read(56),
    ]  # just before the locator, where Python looks
    given = [int.from_bytes(record[40:48], "little") for record in records if record[:4] == _ZIP64_RECORD]
    return given if length == 0xFFFFFFFF and given else [length, *given]


def _check(info: zipfile.ZipInfo) -> None:
    if info.is_dir() or stat.S_ISLNK(info.external_attr >> 16):
        raise _unreadable("It is a folder or a link, not a file.")
    if info.flag_bits & 0x1:
        raise _unreadable("It is encrypted.", hint="Unpack the archive with its password first.")
    if info.file_size > MAX_MEMBER_BYTES or info.file_size > MAX_RATIO * max(1, info.compress_size):
        raise _unreadable("It says that it is larger than any radiograph.")


def _copy(source: IO[bytes], info: zipfile.ZipInfo, target: Path) -> None:
    left = info.file_size
    try:
        with target.open("xb") as stream:
            while chunk := _read(source):
                left -= len(chunk)
                if left < 0:
                    raise _unreadable("It is larger than the archive says.")
                stream.write(chunk)
    except OSError as error:
        raise files.cannot_write(files.OwnFolder("cache", error)) from error
    if left:
        raise _unreadable("It is cut short.")


def _read(source: IO[bytes]) -> bytes:
    """What the system says of the archive is no fault of our disk."""
    try:
        return source.read(_CHUNK)
    except OSError as error:
        raise _closed(error) from error


def _sweep(folder: Path) -> None:
    """Remove what killed processes left: a member is there for as long as one image takes."""
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # another process was faster, or has it open on Windows
            if path.stat().st_mtime < time.time() - eviction.PART_SECONDS:
                path.unlink()


def _closed(error: OSError) -> InputUnreadable:
    reason = os.strerror(error.errno) if error.errno else "the archive cannot be opened"
    return _unreadable(f"The system says: {reason}.")


def _unreadable(detail: str, *, hint: str = "Unpack the archive and choose the files themselves.") -> InputUnreadable:
    return InputUnreadable("Cannot read a file of an archive.", detail=detail, hint=hint)

"""One member of a ZIP archive, brought out into the private cache within bounds.

The archive is never unpacked: a member is named by its entry, its own path is not used (only a clean suffix, by which a
picture is told), and what comes out is counted, whatever the archive says of its size.
"""

from __future__ import annotations

import hashlib
import lzma
import os
import re
import stat
import tempfile
import time
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from fullfield import files
from fullfield.dicom import eviction
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
_LIMIT_BYTES = 2 << 30


def extract(archive: Path, name: str) -> Path:
    """The content of member `name` of `archive` as a file in the cache. Raises InputUnreadable.

    The file keeps the member's suffix and nothing else of its name. The same member of the same archive, unchanged,
    gives the same file; members that were not used for a while are removed.
    """
    folder = files.private_folder(files.cache_folder() / "members")
    try:
        target = folder / _name(archive, name)
        if not _is_kept(target):
            check_directory(archive)
            with zipfile.ZipFile(archive) as opened:
                _bring_out(opened, opened.getinfo(name), target)
            _trim(folder, spared=target)
        os.utime(target)
    except KeyError as error:
        raise _unreadable("It is not in the archive any more.") from error
    except _DAMAGED as error:
        raise _unreadable("The archive is damaged, or packed in a way that is not known here.") from error
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else "the archive cannot be opened"
        raise _unreadable(f"The system says: {reason}.") from error
    return target


def _name(archive: Path, name: str) -> str:
    status = archive.stat()
    if not stat.S_ISREG(status.st_mode):
        raise _unreadable("The archive is no ordinary file.")
    key = f"{archive.absolute()}\0{status.st_size}\0{status.st_mtime_ns}\0{name}"
    suffix = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    clean = suffix if re.fullmatch(r"\.[a-z0-9]{1,8}", suffix) else ""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest() + clean


def _is_kept(target: Path) -> bool:
    return target.is_file() and target.stat().st_size > 0


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


def _bring_out(opened: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path) -> None:
    if info.is_dir() or stat.S_ISLNK(info.external_attr >> 16):
        raise _unreadable("It is a folder or a link, not a file.")
    if info.flag_bits & 0x1:
        raise _unreadable("It is encrypted.", hint="Unpack the archive with its password first.")
    if info.file_size > MAX_MEMBER_BYTES or info.file_size > MAX_RATIO * max(1, info.compress_size):
        raise _unreadable("It says that it is larger than any radiograph.")
    handle, part = tempfile.mkstemp(prefix=".", suffix=files.PART_SUFFIX, dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream, opened.open(info) as source:
            left = info.file_size
            while chunk := source.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise _unreadable("It is larger than the archive says.")
                stream.write(chunk)
        if left:
            raise _unreadable("It is cut short.")
        Path(part).replace(target)
    finally:
        Path(part).unlink(missing_ok=True)


def _trim(folder: Path, *, spared: Path) -> None:
    """The least recently used members go, as in the cache of decoded files, and what killed processes left."""
    found = []
    for path in folder.iterdir():
        try:
            status = path.stat()
        except OSError:  # another process was faster
            continue
        found.append((status.st_mtime, status.st_size, path))
    total = sum(size for _, size, _ in found)
    for used, size, path in sorted(found):
        is_left_over = path.name.startswith(".") and used < time.time() - eviction.PART_SECONDS
        if is_left_over or (total > _LIMIT_BYTES and used < time.time() - eviction.KEEP_SECONDS and path != spared):
            try:
                path.unlink()
            except OSError:  # in use, on Windows
                continue
            total -= size


def _unreadable(detail: str, *, hint: str = "Unpack the archive and choose the files themselves.") -> InputUnreadable:
    return InputUnreadable("Cannot read a file of an archive.", detail=detail, hint=hint)

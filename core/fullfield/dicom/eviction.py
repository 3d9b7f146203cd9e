"""Keeping the cache of decoded files small, without taking a file from under somebody's hands.

Each entry is a folder. Its last use is the time of its `header.json`, set anew whenever it is handed out. When the
entries together take more than LIMIT_BYTES, the least recently used go first, down to that bound. Entries used within
the last KEEP_SECONDS stay whatever their size: a live process maps what it was given at once, and writes its result
from it within minutes. (A mapped file outlives its name on Linux and macOS; Windows refuses to remove it.) A process
that is done with an entry for good says so by `remove`, as a batch of thousands should.

The clock can be set, so it does not decide alone: a process leaves a mark in what it uses, with its time of creation
and a count of seconds that nobody sets. As long as it lives, its marks are believed.

Nothing here is flushed to disk: an entry written before the machine last started may have been cut by a power failure,
and is decoded anew.
"""

from __future__ import annotations

import contextlib
import functools
import math
import os
import shutil
import time
from pathlib import Path

import psutil

from fullfield import process_identity

LIMIT_BYTES = 8 << 30
KEEP_SECONDS = 600.0
PART_SECONDS = 3600.0

_USED, _WRITTEN, _MARK = "header.json", "pixels.npy", ".user"


def use(folder: Path) -> None:
    """Mark an entry as used now."""
    with contextlib.suppress(OSError):  # a cache that cannot be written to can still be read
        os.utime(folder / _USED)
    mark(folder)


def mark(folder: Path) -> None:
    """Leave in `folder` that this process uses it from now on."""
    pid = os.getpid()
    with contextlib.suppress(OSError):
        (folder / f"{pid}{_MARK}").write_text(f"{_started(pid)} {time.monotonic():.3f}", encoding="utf-8")


def is_in_use(folder: Path, *, keep: float = math.inf) -> bool:
    """A process that lives has marked it, within the last `keep` seconds."""
    return any(age < keep for age in map(_age, folder.glob(f"*{_MARK}")))


def _age(path: Path) -> float:
    """Seconds since the mark was made; infinite where its process is gone."""
    try:
        started, seconds = path.read_text(encoding="utf-8").split()
        alive = process_identity.is_alive(int(path.name.removesuffix(_MARK)), started)
        return max(0.0, time.monotonic() - float(seconds)) if alive else math.inf
    except (OSError, ValueError):
        return math.inf


@functools.cache
def _started(pid: int) -> str:
    return process_identity.process_started(pid)


def is_trusted(folder: Path) -> bool:
    """False for an entry from before the machine last started. Raises OSError where it is not whole."""
    return (folder / _WRITTEN).stat().st_mtime >= float(psutil.boot_time()) or is_in_use(folder)


def remove(folder: Path) -> None:
    """Remove an entry at once: under another name first, so that nobody sees a part of it."""
    gone = folder.with_name(f".{folder.name}-{os.getpid()}-{time.monotonic_ns()}.part")
    with contextlib.suppress(OSError):  # in use on Windows, or removed by another process
        folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def trim(cache: Path, *, limit: int = LIMIT_BYTES, keep: float = KEEP_SECONDS) -> None:
    """Bring the cache down to `limit` bytes, oldest use first, sparing what was used in the last `keep` seconds.

    Before all goes what a clock that was set ahead has dated in the future.
    """
    now = time.time()
    found = [entry for path in _entries(cache) if (entry := _entry(path)) is not None]
    entries = sorted(found, key=lambda entry: (entry[0] <= now, entry))
    total = sum(size for _, size, _ in entries)
    for used, size, path in entries:
        if total <= limit or now - keep < used <= now:
            return
        if not is_in_use(path, keep=keep):
            remove(path)
            total -= size


def sweep(cache: Path, *, content: str = "") -> None:
    """Remove what killed decoders left half done: that of `content` (its hash), or everything that is old."""
    for part in cache.glob(f".{content}*.part"):
        with contextlib.suppress(OSError):  # another process sweeps too
            if content or part.stat().st_mtime < time.time() - PART_SECONDS:
                shutil.rmtree(part, ignore_errors=True)


def _entries(cache: Path) -> list[Path]:
    with contextlib.suppress(OSError):
        return [path for path in cache.iterdir() if not path.name.startswith(".")]
    return []


def _entry(path: Path) -> tuple[float, int, Path] | None:
    try:
        size = sum(member.stat().st_size for member in path.iterdir())
        return (path / _USED).stat().st_mtime, size, path
    except OSError:  # being made or removed by another process
        return None

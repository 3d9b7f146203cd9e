"""Keeping the cache of decoded files small, without taking a file from under somebody's hands.

Each entry is a folder. Its last use is the time of its `header.json`, set anew whenever it is handed out. When the
entries together take more than LIMIT_BYTES, the least recently used go first, down to that bound. Entries used within
the last KEEP_SECONDS stay whatever their size: a live process maps what it was given at once, and writes its result
from it within minutes. (A mapped file outlives its name on Linux and macOS; Windows refuses to remove it.) A process
that is done with an entry for good says so by `remove`, as a batch of thousands should.

Nothing here is flushed to disk: an entry written before the machine last started may have been cut by a power failure,
and is decoded anew.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from pathlib import Path

import psutil

LIMIT_BYTES = 8 << 30
KEEP_SECONDS = 600.0
PART_SECONDS = 3600.0

_USED, _WRITTEN = "header.json", "pixels.npy"


def use(folder: Path) -> None:
    """Mark an entry as used now."""
    with contextlib.suppress(OSError):  # a cache that cannot be written to can still be read
        os.utime(folder / _USED)


def is_trusted(folder: Path) -> bool:
    """False for an entry from before the machine last started. Raises OSError where it is not whole."""
    return (folder / _WRITTEN).stat().st_mtime >= float(psutil.boot_time())


def remove(folder: Path) -> None:
    """Remove an entry at once: under another name first, so that nobody sees a part of it."""
    gone = folder.with_name(f".{folder.name}-{os.getpid()}-{time.monotonic_ns()}.part")
    with contextlib.suppress(OSError):  # in use on Windows, or removed by another process
        folder.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def trim(cache: Path, *, limit: int = LIMIT_BYTES, keep: float = KEEP_SECONDS) -> None:
    """Bring the cache down to `limit` bytes, oldest use first, sparing what was used in the last `keep` seconds."""
    entries = sorted(found for path in _entries(cache) if (found := _entry(path)) is not None)
    total = sum(size for _, size, _ in entries)
    for used, size, path in entries:
        if total <= limit or used > time.time() - keep:
            return
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

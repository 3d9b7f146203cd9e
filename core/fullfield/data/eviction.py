"""Keeping the prepared training data of this user's cache small, without taking any from under a training.

Each entry is a folder under a hash; the time of the folder is that of its last use, which a training sets anew after
each epoch. What nobody used for IDLE_SECONDS goes; when the rest takes more than LIMIT_BYTES, the least recently used
go first, but none that was used within KEEP_SECONDS. What a living process has marked as its own stays in any case:
clocks are set, and a computer sleeps.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from pathlib import Path

from fullfield import files
from fullfield.dicom import eviction

LIMIT_BYTES = 50 << 30
IDLE_SECONDS = 30 * 86_400.0
KEEP_SECONDS = 86_400.0

_ENTRY = re.compile("[0-9a-f]{32}")


def cache() -> Path:
    """Where this user's prepared data lie."""
    return files.private_folder(files.cache_folder() / "training")


def use(folder: Path) -> None:
    """Mark prepared data as used now; a folder outside the cache is its owner's, and stays as it is."""
    if folder.parent == cache():
        with contextlib.suppress(OSError):  # a cache that cannot be written to can still be read
            os.utime(folder)
        eviction.mark(folder)


def trim(spared: Path, *, limit: int = LIMIT_BYTES, idle: float = IDLE_SECONDS, keep: float = KEEP_SECONDS) -> None:
    """Remove what was not used for `idle` seconds, and the oldest beyond `limit` bytes; never `spared`."""
    base, now = cache(), time.time()
    eviction.sweep(base)
    with contextlib.suppress(OSError):
        names = [path for path in base.iterdir() if _ENTRY.fullmatch(path.name)]
        entries = sorted(entry for path in names if (entry := _entry(path)) is not None)
        total = sum(size for _, size, _ in entries)
        for used, size, path in entries:
            is_old = used < now - idle or (total > limit and used < now - keep)
            if is_old and path != spared and not eviction.is_in_use(path):
                eviction.remove(path)
                total -= size


def _entry(path: Path) -> tuple[float, int, Path] | None:
    try:
        return path.stat().st_mtime, sum(member.stat().st_size for member in path.iterdir()), path
    except OSError:  # removed by another process
        return None

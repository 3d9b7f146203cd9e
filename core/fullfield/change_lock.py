"""A small file that is read, changed and written by one process at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import filelock

WAIT_SECONDS = 5.0


@contextlib.contextmanager
def held(target: Path) -> Iterator[None]:
    """Nobody else who asks for it changes `target` meanwhile.

    Where the file system has no locks, or somebody keeps it for long, the change is made without.
    """
    lock = filelock.FileLock(target.with_suffix(".lock"), timeout=WAIT_SECONDS)
    with contextlib.suppress(OSError, NotImplementedError):  # filelock.Timeout is an OSError
        lock.acquire()
    try:
        yield
    finally:
        lock.release()

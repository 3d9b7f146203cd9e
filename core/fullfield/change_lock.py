"""A small file that is read, changed and written by one process at a time."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import filelock

WAIT_SECONDS = 5.0
FOREVER = -1.0


@contextlib.contextmanager
def held(target: Path, *, seconds: float = WAIT_SECONDS) -> Iterator[None]:
    """Nobody else who asks for it changes `target` meanwhile, also by a link to it. No file of this lock is left: on
    Windows filelock removes it, elsewhere this does. One of earlier versions (`settings.lock`) stays.

    Where the file system has no locks, or somebody keeps it for so many seconds, the change is made without.
    """
    whole = Path(os.path.realpath(target))  # Path.resolve raises RuntimeError where a link leads to itself
    lock = filelock.FileLock(whole.with_name(f".{whole.name}.lock"), timeout=seconds)
    with contextlib.suppress(OSError, NotImplementedError):  # filelock.Timeout is an OSError
        lock.acquire()
    try:
        yield
    finally:
        with contextlib.suppress(OSError):  # while it is held: filelock, from 3.21, sees through an unlinked file
            if lock.is_locked:
                Path(lock.lock_file).unlink()
        lock.release()

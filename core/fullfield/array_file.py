"""Arrays of NumPy in files of their own (.npy), and what the system says where there is no room for one."""

from __future__ import annotations

import errno
import os
import threading
import tokenize
from pathlib import Path
from typing import Any, BinaryIO, Literal
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

# Of Python 3.11 and 3.12, where two threads that read a header at once, which is Python, can fail with SystemError
# (python/cpython#106905). A thread may come again: what is collected as garbage meanwhile may read one, too.
_READING = threading.RLock()


def save(path: Path, array: NDArray[Any]) -> None:
    """`array` at `path`. Raises OSError."""
    with path.open("wb") as stream:
        write(stream, array)


def write(stream: BinaryIO, array: NDArray[Any]) -> None:
    """`array` into a file that is open. Raises OSError: NumPy, which has written less than it wanted to, does not say
    why, and the system says it of a byte more."""
    try:
        np.save(stream, array, allow_pickle=False)
    except OSError as error:
        if error.errno is None:
            stream.seek(0, os.SEEK_END)
            stream.write(b"\0")
            stream.flush()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
        raise


def load(path: Path, mapped: Literal["r", "c"] | None = None) -> NDArray[Any]:
    """The array at `path`. `mapped`: not read but mapped, to be read alone, or written to a copy of ours alone. Raises
    OSError, and ValueError where it is damaged or no array."""
    try:
        with _READING:
            found = np.load(path, mmap_mode=mapped, allow_pickle=False)
    except (EOFError, BadZipFile, tokenize.TokenError) as error:
        raise ValueError(str(error)) from error
    if not isinstance(found, np.ndarray):
        raise ValueError("several arrays")  # a ZIP file of them
    return found

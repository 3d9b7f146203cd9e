"""Arrays of NumPy in files of their own (.npy), and what the system says where there is no room for one."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray


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

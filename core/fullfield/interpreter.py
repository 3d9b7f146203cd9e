"""The beginning and the end of a process that computes, where Python's own way takes seconds.

torch and what it brings are some six thousand modules. While they load, Python looks for garbage among all that has
come so far, again and again (0.7 s of 3.1), and at the end it takes each of them down (1.4 s).
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import sys
from collections.abc import Iterator
from typing import NoReturn


@contextlib.contextmanager
def uncollected(*, stays: bool = False) -> Iterator[None]:
    """A while without the search for cycles of garbage: they live on until its end, when they are found decides
    nothing, and the search takes no time. `stays`: what is here at the end, as modules are, is never looked through."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if stays:
            gc.freeze()
        if before:
            gc.enable()


def leave(code: int) -> NoReturn:
    """End this process with `code` at once, after what was registered with `atexit`; other threads end where they
    are."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):  # its reader gone, closed, or none
            stream.flush()
    os._exit(code)


def begin_anew() -> NoReturn:
    """Put a new run of this process's command in its place, under the same number. Windows has no call for it."""
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])

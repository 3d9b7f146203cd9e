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
from collections.abc import Iterator, MutableMapping
from typing import NoReturn

from fullfield import heap, system

_BEFORE_TORCH = {  # what is set, and other names of it that a user may have set; the value, and if on Linux alone
    ("PYTORCH_ALLOC_CONF", "PYTORCH_CUDA_ALLOC_CONF"): ("expandable_segments:True", True),
    ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY"): ("1000", True),
    ("CUBLAS_WORKSPACE_CONFIG",): (":16:8", False),
}


def prepare_for_torch(environment: MutableMapping[str, str] = os.environ) -> None:
    """Say how torch shall allocate and wait, before it is imported, where the user has not said so.

    `environment`: that of the process which imports it. One that is yet to begin takes large pages, too: see `heap`.

    A card's allocator maps memory into segments that grow, so that bands of many sizes leave no holes. cuBLAS keeps
    128 KiB from its first product of matrices on, and not up to 32 MiB: such products are few and small here. And a
    thread that waits for others spins for some 50 µs before it sleeps, by default for seconds: where there are more
    threads than cores, one that spins keeps the one it waits for from its core. On Windows torch does not know such
    segments and would say so at every start, and its threads are others; on a Mac there is no card.
    """
    for names, (value, linux) in _BEFORE_TORCH.items():
        if not any(map(environment.get, names)) and (system.LINUX or not linux):
            environment[names[0]] = value
    if environment is not os.environ:  # glibc has read that one
        heap.prepare(environment)


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

"""A while without the search for cycles of garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Cycles live on until the end: when they are found decides nothing, and the search takes no time.

    Importing torch and all that it brings takes a third less time so.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()

"""The heap of a process, as glibc keeps it. Other systems' heaps are left as they are.

What comes anew from the system is cleared page by page.
"""

from __future__ import annotations

from collections.abc import Callable

from fullfield import system

# M_ARENA_MAX, M_TRIM_THRESHOLD, M_MMAP_THRESHOLD of malloc.h: of the last, older ones take the first value alone.
_KEEPING = ((-8, 1), (-1, (1 << 31) - 1), (-3, 1 << 25), (-3, 1 << 26))


def return_freed_memory() -> None:
    """Give what this process has freed back to the system."""
    if (trim := _function("malloc_trim")) is not None:
        trim(0)


def keep_freed_memory() -> None:
    """Have this process keep what it frees, in blocks of up to 64 MiB, for what it takes next."""
    if (set_option := _function("mallopt")) is not None:
        for option, value in _KEEPING:
            set_option(option, value)


def _function(name: str) -> Callable[..., int] | None:
    """Of malloc.h; None where this system has none."""
    if not system.LINUX:
        return None
    import ctypes

    return getattr(ctypes.CDLL(None), name, None)

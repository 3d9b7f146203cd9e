"""The heap of a process, as glibc keeps it: what it takes from the system, and what it gives back. Other systems' heaps
are left as they are.

What comes anew from the system is cleared page by page. A process that gives all back as soon as it is free pays for
that, unless its pages are large.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, MutableMapping
from pathlib import Path

from fullfield import system

# M_ARENA_MAX, M_TRIM_THRESHOLD, M_MMAP_THRESHOLD of malloc.h: of the last, older ones take the first value alone.
_KEEPING = ((-8, 1), (-1, (1 << 31) - 1), (-3, 1 << 25), (-3, 1 << 26))
_TUNABLES = "GLIBC_TUNABLES"
OWN_BYTES = 4 << 20
_LARGE_PAGES = f"glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold={OWN_BYTES}"
_SINCE = (2, 35)  # glibc asks for large pages from here on
_OFFERED = Path("/sys/kernel/mm/transparent_hugepage/enabled")


def prepare(environment: MutableMapping[str, str]) -> None:
    """Have the process that begins with `environment` take large pages, and give each block of `OWN_BYTES` and more
    back as soon as it is free. Nothing where its user has said how its heap is kept, or the system has no such pages.

    Blocks of bands have many sizes, and what one leaves does not fit the next: of the heap as it usually is, some 800
    MiB lay free beside 350 in use. With pages of 4 KiB this way took half as long again (decision 025).
    """
    if gives_back():
        environment.setdefault(_TUNABLES, _LARGE_PAGES)


def gives_back() -> bool:
    """Whether processes that we begin give their blocks back at once, see `prepare`."""
    return os.environ.get(_TUNABLES, _LARGE_PAGES if _has_large_pages() else "") == _LARGE_PAGES


def _has_large_pages() -> bool:
    """Of the kernel and of glibc, which some systems for Linux do not have."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        name, _, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
        since = tuple(int(part) for part in version.split(".")[:2])
        return name == "glibc" and since >= _SINCE and "[never]" not in _OFFERED.read_text(encoding="ascii")
    return False


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

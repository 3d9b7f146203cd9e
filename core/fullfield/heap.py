"""The heap of a process, as glibc keeps it: what it takes from the system, and what it gives back. Other systems' heaps
are left as they are.

What comes anew from the system is cleared page by page. A process that gives all back as soon as it is free pays for
that, and less where its pages are large.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, MutableMapping
from pathlib import Path

from fullfield import system

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8  # of malloc.h
# Of the last, older ones take the first value alone.
_KEEPING = ((_ARENA_MAX, 1), (_TRIM_THRESHOLD, (1 << 31) - 1), (_MMAP_THRESHOLD, 1 << 25), (_MMAP_THRESHOLD, 1 << 26))
OWN_BYTES, OWN_BYTES_SMALL = 8 << 20, 20 << 20
SMALL = 1 << 20
"""Pixels of a step, up to which only blocks of `OWN_BYTES_SMALL` and more are given back at once: the holes of all
others are few there, and clearing pages took a tenth of the time of a step (decision 095)."""
_TUNABLES, _LARGE_PAGES = "GLIBC_TUNABLES", "glibc.malloc.hugetlb=1"
_SINCE = (2, 35)  # glibc asks for large pages from here on
_OFFERED = Path("/sys/kernel/mm/transparent_hugepage")


def prepare(environment: MutableMapping[str, str]) -> None:
    """Have the process that begins with `environment` take large pages, where its user has not said how its heap is
    kept, and the system has them. glibc reads it as a process begins."""
    if _has_large_pages():
        environment.setdefault(_TUNABLES, _LARGE_PAGES)


def give_back_at_once(pixels: int) -> None:
    """From here on this process gives each large block back as soon as it is free, see `gives_back`. `pixels`: of all
    images of a step.

    Blocks of bands have many sizes, and what one leaves does not fit the next: of the heap as it usually is, some 800
    MiB lay free beside 350 in use. With pages of 4 KiB this way took half as long again (decision 095).
    """
    if gives_back() and (set_option := _function("mallopt")) is not None:
        set_option(_MMAP_THRESHOLD, OWN_BYTES_SMALL if pixels <= SMALL else OWN_BYTES)


def gives_back() -> bool:
    """Whether `give_back_at_once` does so here: this process began with large pages (`prepare`)."""
    return os.environ.get(_TUNABLES) == _LARGE_PAGES and _has_large_pages()


def _has_large_pages() -> bool:
    """Of the kernel, and of glibc, which some systems for Linux do not have."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        name, _, version = (os.confstr("CS_GNU_LIBC_VERSION") or "").partition(" ")
        if name == "glibc" and tuple(int(part) for part in version.split(".")[:2]) >= _SINCE:
            size = int((_OFFERED / "hpage_pmd_size").read_text(encoding="ascii"))
            return size <= OWN_BYTES and "[never]" not in (_OFFERED / "enabled").read_text(encoding="ascii")
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

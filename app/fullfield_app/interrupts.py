"""What Ctrl-C does while there is nothing yet, or no more, that would have to be put away: it ends the process at once.

An import that a KeyboardInterrupt cuts short ends in a traceback, or leaves a library half there.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130  # `ExitCode.INTERRUPTED`: nothing is imported here that an interrupt could meet


STOP_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def handling(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Within it, `handle` all that ask a program to stop; after it, what was before."""
    before = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    handle(handler)
    try:
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was)


def handle(handler: Callable[[int, FrameType | None], object], numbers: Sequence[int] = STOP_SIGNALS) -> None:
    """From now on `handler` takes these signals, but for those that were to be ignored (nohup, trap '')."""
    for number in numbers:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def end_at_once() -> None:
    """From now on Ctrl-C ends the process, silently and with exit code 130; where it was to be ignored, it still is."""
    free = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
    if free and threading.current_thread() is threading.main_thread():  # others cannot set what a signal does
        signal.signal(signal.SIGINT, _end)


@contextmanager
def exiting_at_once() -> Iterator[None]:
    """Within it, `end_at_once`; after it, what was before."""
    before = signal.getsignal(signal.SIGINT)
    end_at_once()
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is _end:
            signal.signal(signal.SIGINT, before)


def _end(signum: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)

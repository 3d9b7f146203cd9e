"""What a long bench says while it runs: lines on standard error; its results go to standard output."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable


def say(text: str) -> None:
    """One line; a closed terminal is no reason to fail."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


def progress() -> Callable[[str, int, int], None]:
    """Says each phase of a preparation once: `progress(phase, done, total)`."""
    reported: set[str] = set()

    def tell(phase: str, done: int, total: int) -> None:
        if phase not in reported:
            reported.add(phase)
            say(f"{phase}: {total}")

    return tell

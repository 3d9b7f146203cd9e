"""Whether the last process of this training ended without a word before it had saved anything.

A system ends a process that takes more memory than there is, and native libraries crash where an allocation fails:
neither can say so. So a process notes at which checkpoint it begins, and takes the note away however it ends by itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from fullfield import files
from fullfield.errors import OutOfMemory

NOTE = "begun-at-step.txt"


@contextlib.contextmanager
def noted(folder: Path, step: int) -> Iterator[None]:
    """Around what trains on from the checkpoint of `step`."""
    files.write_text(folder / NOTE, str(step))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            (folder / NOTE).unlink()


def lost(folder: Path, step: int) -> OutOfMemory | None:
    """What is to be said if the last process began at `step` too, the last that is saved, and died; else None."""
    try:
        began = (folder / NOTE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    if began != str(step):
        return None
    return OutOfMemory(
        "The last process of this training ended without a word before it had saved anything.",
        detail="Most often that is want of memory.",
        hint="Choose a smaller --size or --batch, or close other programs.",
    )

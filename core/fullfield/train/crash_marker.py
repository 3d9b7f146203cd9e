"""Whether the last process of this training ended without a word before it had saved anything.

A system ends a process that takes more memory than there is, and native libraries crash where an allocation fails:
neither can say so. So a training leaves a note while it has saved nothing yet. The note goes with the first checkpoint,
when the user asks it to stop (who may then end it at once), and however it ends by itself.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path

from fullfield import files
from fullfield.context import Context
from fullfield.distribution.team import ALONE, Team
from fullfield.errors import OutOfMemory
from fullfield.plan.spec import TrainSpec

NOTE = "nothing-saved-yet.json"
TICK_SECONDS = 0.2


@contextlib.contextmanager
def noted(asked: TrainSpec, context: Context, team: Team = ALONE) -> Iterator[None]:
    """Around a training by what was `asked`."""
    if not team.writes:
        yield
        return
    files.write_text(context.folder / NOTE, _text(asked))
    over = threading.Event()

    def watch_stop() -> None:
        while not over.wait(TICK_SECONDS):
            if context.stopping():
                forget(context.folder)
                return

    watching = threading.Thread(target=watch_stop, name="asked to stop", daemon=True)
    watching.start()
    try:
        yield
    finally:
        over.set()
        watching.join()
        forget(context.folder)


def forget(folder: Path) -> None:
    """Something is saved, or the end has another reason."""
    try:
        (folder / NOTE).unlink(missing_ok=True)
    except OSError:  # another program looks at it just now (Windows)
        with contextlib.suppress(OSError):
            (folder / NOTE).write_text("")


def lost(asked: TrainSpec, folder: Path, team: Team = ALONE) -> OutOfMemory | None:
    """What is to be said, once, if the last process that trained by what is `asked` now died; None if it did not."""
    if not team.any(team.writes and _was_left(asked, folder)):
        return None
    return OutOfMemory(
        "The last process of this training ended without a word before it had saved anything.",
        detail="Most often that is want of memory.",
        hint="Choose a smaller --size or --batch, or close other programs.",
    )


def _was_left(asked: TrainSpec, folder: Path) -> bool:
    """Whether such a note was there; it is there no more."""
    try:
        left = (folder / NOTE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    forget(folder)
    return left == _text(asked)


def _text(asked: TrainSpec) -> str:
    return json.dumps({**asked.to_json(), "watch": None})

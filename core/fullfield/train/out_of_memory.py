"""Memory that ran out, in one error, whichever way torch says it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator

from fullfield.errors import OutOfMemory
from fullfield.hardware import devices

_ON_CARD = re.compile("cuda|cudnn|cublas", re.IGNORECASE)


@contextlib.contextmanager
def named(kept: Callable[[], bool]) -> Iterator[None]:
    """Raise OutOfMemory for what says that memory ran out inside; other errors stay as they are.

    `kept`: there is a checkpoint to go on from.
    """
    try:
        yield
    except (MemoryError, RuntimeError, OSError) as error:
        if not devices.is_out_of_memory(error):
            raise
        on_card = not isinstance(error, MemoryError) and _ON_CARD.search(str(error)) is not None
        place = "graphics card" if on_card else "computer"
        raise OutOfMemory(
            "The training ran out of memory.",
            detail=f"A step at this size needs more than the {place} has free.",
            hint=(
                "Go on (--resume) with --fit AMOUNT, or close other programs: the last checkpoint is kept. A smaller "
                "--size or --batch needs a new folder."
                if kept()
                else "Choose a smaller --size or --batch, or close other programs."
            ),
        ) from error

"""What a command writes to its standard output: tables and figures, for people and for programs."""

from __future__ import annotations

import sys

from fullfield.errors import CannotWrite


def write(text: str) -> None:
    """`text` on standard output, at once. Raises CannotWrite; BrokenPipeError where nobody reads it any more."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CannotWrite(
            "Cannot write to standard output.",
            detail=f"The system says: {error.strerror}.",
            hint="Free some space where it goes to, or send it elsewhere, and try again.",
        ) from error

"""What ssh calls on a node: each command's answer is a line of JSON on standard output, an error is one too."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from fullfield import checked
from fullfield.checked import Fields
from fullfield.errors import CannotWrite, ExitCode, FullfieldError, UsageError
from fullfield.nodes.kept import NothingKept


def answered(work: Callable[[], Fields | None]) -> int:
    """Answer with what `work` returns, where it returns something; the exit code."""
    try:
        found = work()
    except FullfieldError as error:
        return _refused(error)
    except BrokenPipeError:  # the line is cut: nobody hears an answer
        return int(ExitCode.CANNOT_WRITE)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return _refused(
            CannotWrite(
                "A file cannot be written.",
                detail=f"The system says: {reason}.",
                hint="Free some space there (fullfield node forget), then go on: what has arrived is kept.",
            )
        )
    if found is not None:
        say(found)
    return int(ExitCode.ALL_DONE)


def say(values: Fields) -> None:
    """A line of the answer."""
    sys.stdout.buffer.write(json.dumps(values).encode() + b"\n")
    sys.stdout.buffer.flush()


def given() -> Any:
    """The next line of what the caller says. Raises UsageError."""
    try:
        return checked.parse(sys.stdin.buffer.readline())
    except ValueError as error:
        raise UsageError(
            "Cannot understand what is asked.", detail="It is no line of JSON.", hint="This command is for ssh."
        ) from error


@contextmanager
def understood() -> Iterator[None]:
    """Within it, a value that is missing or of a wrong type is a UsageError."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(
            "Cannot understand what is asked.",
            detail="A value is missing or wrong: the caller is of another version.",
            hint="Install the same version on both.",
        ) from error


def fields_of(error: FullfieldError) -> Fields:
    """An error as a line tells it."""
    return {**error.as_fields(), "code": int(error.exit_code)}


def _refused(error: FullfieldError) -> int:
    reported: Fields = {"error": fields_of(error)}
    say({**reported, "gone": True} if isinstance(error, NothingKept) else reported)
    return int(error.exit_code)

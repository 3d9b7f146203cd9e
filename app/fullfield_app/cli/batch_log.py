"""The log of a batch (`--log-file`), which is open before the batch begins: it holds also what refused it then, or
ended it later, by its kind alone, for the words name files and models."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path

from fullfield import log
from fullfield.errors import CannotWrite, ExitCode, FullfieldError
from fullfield.files import cannot_write
from fullfield_app.cli.speak import say

REFUSED, ENDED = "refused", "ended by an error"
_log = logging.getLogger(__name__)


@contextlib.contextmanager
def opened(file: Path | None) -> Iterator[None]:
    """Within it the log goes to `file`; lines that could not be written are said.

    Raises CannotWrite: it cannot be opened, or what has its name is no text.
    """
    _open(file)
    try:
        yield
    finally:
        if (lost := log.lost()) is not None:  # what was enhanced is enhanced
            say(f"fullfield: Cannot write the log. The system says: {lost.strerror}.")


@contextlib.contextmanager
def telling(what: str) -> Iterator[None]:
    """An error within it is in the log: `what` it did to the batch, and its kind."""
    try:
        yield
    except (FullfieldError, OSError) as error:
        _tell(what, (error if isinstance(error, FullfieldError) else cannot_write(error)).exit_code)
        raise


def tell_wrong_options(file: Path) -> None:
    """The options of a batch were refused, which is said elsewhere; nothing is said of a log that cannot be written."""
    with contextlib.suppress(CannotWrite):
        _open(file)
        _tell(REFUSED, ExitCode.USAGE)


def _open(file: Path | None) -> None:
    if file is not None:
        log.refuse(file)
    log.configure(file=file, level=logging.INFO)


def _tell(what: str, code: ExitCode) -> None:
    _log.error("batch %s: %s, exit code %d", what, code.name, code)

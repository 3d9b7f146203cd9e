"""The log of a batch (`--log-file`), which is open before the batch begins: it holds also what was refused then, by its
kind alone, for the words name files and models."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from pathlib import Path

from fullfield import log
from fullfield.errors import CannotWrite, ExitCode, FullfieldError
from fullfield.files import cannot_write
from fullfield_app.cli.speak import say

_log = logging.getLogger(__name__)


@contextlib.contextmanager
def opened(file: Path | None) -> Iterator[None]:
    """Within it the log goes to `file`, also what refuses the batch; lines that could not be written are said.

    Raises CannotWrite: it cannot be opened, or what has its name is no text.
    """
    _open(file)
    try:
        yield
    except (FullfieldError, OSError) as error:
        _refused((error if isinstance(error, FullfieldError) else cannot_write(error)).exit_code)
        raise
    finally:
        if (lost := log.lost()) is not None:  # what was enhanced is enhanced
            say(f"fullfield: Cannot write the log. The system says: {lost.strerror}.")


def tell_wrong_options(file: Path) -> None:
    """The options of a batch were refused, which is said elsewhere; where the log cannot be written, that alone."""
    with contextlib.suppress(CannotWrite):
        _open(file)
        _refused(ExitCode.USAGE)


def _open(file: Path | None) -> None:
    if file is not None:
        log.refuse(file)
    log.configure(file=file, level=logging.INFO)


def _refused(code: ExitCode) -> None:
    _log.error("batch refused: %s, exit code %d", code.name, code)

"""One logger tree, one redacting filter at its root: no patient value and no file name of the user ever in a log."""

from __future__ import annotations

import contextlib
import logging
import re
import sys
import unicodedata
from collections.abc import Iterable
from io import TextIOWrapper
from pathlib import Path

from fullfield import replacing, system
from fullfield.errors import CannotWrite

LONGEST_BYTES = 1 << 20
_QUIET = ("pydicom", "pynetdicom", "PIL", "tifffile", "matplotlib")
_HEAD_BYTES = 512
_secrets: set[str] = set()
_lost: list[OSError] = []
# A path, from a separator (or drive) that begins a word to what may end a path in a sentence; too much rather than too
# little, for folders' names have spaces in them, and apostrophes: one between letters ends none.
_PATH = re.compile(r"""(?:(?<![\w.])|\b[A-Za-z]:)[\\/](?:[^\n:'"<>|]|(?<=\w)'(?=\w))*""")


def remember(values: Iterable[str]) -> None:
    """Values of a patient that must never be written; each is kept whole and in its name components."""
    for value in values:
        for part in {value, *re.split(r"[\^=\s]+", value)}:
            if len(part) >= 3:
                plain = unicodedata.normalize("NFC", part)
                _secrets.update((plain, plain.upper()))  # of which ß is SS


def redact(text: str) -> str:
    """`text` without remembered values in small or large letters, user's paths, line breaks or terminal escapes."""
    text = unicodedata.normalize("NFC", text)
    folded = text.casefold()  # looked through first: of thousands of values hardly one is in a line
    there = [secret for secret in _secrets if secret.casefold() in folded]
    for secret in sorted(there, key=len, reverse=True):
        text = re.sub(re.escape(secret), "•••", text, flags=re.IGNORECASE)
    text = _PATH.sub(r"<path>", text)
    return "".join(sign if sign.isprintable() else " " for sign in text)


class Redactor(logging.Filter):
    """Rewrites every record before any handler sees it; a traceback keeps its frames and loses its values."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = redact(record.getMessage()), None
        if record.exc_info and record.exc_info[1] is not None:
            record.msg += f" ({describe(record.exc_info[1])})"
            record.exc_info = record.exc_text = None
        return True


def describe(error: BaseException) -> str:
    """An unexpected exception as `Type at module:line < module:line`, without its message (it may hold values)."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        name = Path(trace.tb_frame.f_code.co_filename).name
        frames.append(f"{name}:{trace.tb_lineno}")
        trace = trace.tb_next
    return f"{type(error).__name__} at {' < '.join(reversed(frames[-6:]))}"


class _FileHandler(logging.FileHandler):
    """Remembers that a line could not be written: a full disk."""

    def handleError(self, record: logging.LogRecord) -> None:
        error = sys.exception()
        if isinstance(error, OSError):
            _lose(error)

    def close(self) -> None:
        with contextlib.suppress(OSError):  # what it holds still cannot be written
            super().close()


class _OwnFileHandler(_FileHandler):
    """Writes to a file of ours, and follows no link in its place."""

    def _open(self) -> TextIOWrapper:
        return TextIOWrapper(open(self.baseFilename, "ab", opener=system.open_own), encoding=self.encoding)


def append(file: Path, other: Path) -> None:
    """Put the log of another process of ours, which was redacted there, behind the one in `file`."""
    try:
        with file.open("ab") as stream:
            stream.write(other.read_bytes())
    except OSError as error:
        _lose(error)


def lost() -> OSError | None:
    """Why a line of the log could not be written, where one could not."""
    return _lost[0] if _lost else None


def _lose(error: OSError) -> None:
    if not _lost:
        _lost.append(error.with_traceback(None))


def set_aside(file: Path) -> None:
    """Where a log has become long, keep it beside the one that is begun now, in the place of the one before."""
    with contextlib.suppress(OSError):  # none yet; or, on Windows, another window has it open
        if file.stat().st_size > LONGEST_BYTES:
            file.replace(file.with_name(f"{file.stem}.1{file.suffix}"))


def refuse(file: Path) -> None:
    """Raises CannotWrite for a file that is there and no text: it may be a radiograph that an unset variable named."""
    replacing.refuse_other(
        file,
        lambda there: b"\0" not in there.read(_HEAD_BYTES),
        refusal=CannotWrite(
            "Cannot write the log file.",
            detail="What has this name already is no text, and stays as it is.",
            hint="Give the name of a new file.",
        ),
        added=True,
    )


def configure(
    *, file: Path | None = None, level: int = logging.WARNING, stream: bool = False, own: bool = False
) -> None:
    """Set the root logger up for this process: to `file`, to standard error, or to nothing.

    `own`: the file lies in a folder of ours, where nobody has reason to put a link.
    """
    handlers: list[logging.Handler] = []
    _lost.clear()
    if file is not None:
        try:
            handlers.append((_OwnFileHandler if own else _FileHandler)(file, encoding="utf-8"))
        except OSError as error:
            raise CannotWrite(
                "Cannot write the log file.",
                detail=f"The system says: {error.strerror}.",
                hint="Name a file in a folder that is there.",
            ) from error
    logging.raiseExceptions = False  # a full disk under the log is no reason to print tracebacks
    if stream:
        handlers.append(logging.StreamHandler())
    if not handlers:
        handlers.append(logging.NullHandler())
    for handler in handlers:
        handler.addFilter(Redactor())
    logging.basicConfig(
        level=level, handlers=handlers, force=True, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    for name in _QUIET:  # they log patient values at INFO (pynetdicom#911)
        logging.getLogger(name).setLevel(logging.CRITICAL)
    logging.captureWarnings(True)

"""What people read in a terminal: plain lines on standard error, and a bar where there is somebody to watch it."""

from __future__ import annotations

import argparse
import contextlib
import functools
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from fullfield import standard_output, system
from fullfield.errors import CannotWrite, ExitCode, FullfieldError
from fullfield.files import cannot_write
from fullfield.protocol import events
from fullfield.protocol.events import Event, RunEnded, RunFailed

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


def printable(text: str) -> str:
    """`text` without control characters, terminal escapes and lone surrogates."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def say(text: str) -> None:
    """One line for people; a closed or narrow terminal is no reason to fail."""
    encoding = sys.stderr.encoding or "utf-8"
    line = printable(text) + "\n"
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(line.encode(encoding, "replace").decode(encoding))
        sys.stderr.flush()


def tell(*lines: str) -> None:
    """Lines for people that a script may ask for too, on standard output. Raises as `standard_output.write`."""
    standard_output.write("".join(f"{printable(line)}\n" for line in lines))


def tell_json(event: Event) -> bool:
    """One event as a line of JSON for the caller, who may stop listening; False when it is lost (a full disk)."""
    try:
        standard_output.write(events.to_line(event) + "\n")
    except BrokenPipeError:
        return True
    except CannotWrite:
        return False
    return True


def exit_code(code: int, *, lost: bool) -> int:
    """The exit code of a command that told events; where some were `lost`, that is said, and is its code."""
    if not lost:
        return code
    say("fullfield: The events could not all be written to standard output.")
    return int(ExitCode.CANNOT_WRITE)


def ends_in_json(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """A command whose last line for a program (`--json`) is RunEnded, also where nothing could be begun."""

    @functools.wraps(run)
    def wrapped(values: argparse.Namespace) -> int:
        try:
            return run(values)
        except (FullfieldError, OSError) as error:
            refusal = error if isinstance(error, FullfieldError) else cannot_write(error)
            if values.json:
                _tell_now(RunFailed(error=refusal.as_fields(), exit_code=int(refusal.exit_code)))
                _tell_now(RunEnded(reason="failed"))
            raise
        except KeyboardInterrupt:
            if values.json:
                _tell_now(RunEnded(reason="stopped"))
            raise

    return wrapped


def done(values: argparse.Namespace) -> int:
    """The exit code of a command that needed no job; its last line for a program (`--json`) is told."""
    written = not values.json or _tell_now(RunEnded(reason="completed"))
    return exit_code(int(ExitCode.ALL_DONE), lost=not written)


def _tell_now(event: Event) -> bool:
    return tell_json(replace(event, time=time.time()))


def tell_error(error: FullfieldError) -> None:
    """An error as three sentences."""
    say(f"fullfield: {sentences(error.as_fields())}")


def sentences(error: Mapping[str, str]) -> str:
    """Title, detail and hint of an event's error, one after the other."""
    return " ".join(error[part] for part in ("title", "detail", "hint") if error.get(part))


def typed(path: Path) -> str:
    """A path as it is to be typed in a command."""
    return subprocess.list2cmdline([path]) if system.WINDOWS else shlex.quote(str(path))


class Bar(Protocol):
    """How far a long piece of work is."""

    def say(self, text: str, /) -> None:
        """A line above the bar."""

    def advance(self, count: int = 1, /) -> None:
        """`count` more are done."""

    def close(self) -> None:
        """Take the bar away."""


def open_bar(what: str, total: int, *, wanted: bool = True) -> Bar:
    """A bar with rate and time left on a terminal; elsewhere nothing but the lines."""
    if wanted and sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        return _TerminalBar(what, total)
    return _NoBar()


class _NoBar:
    def say(self, text: str, /) -> None:
        say(text)

    def advance(self, count: int = 1, /) -> None:
        del count

    def close(self) -> None:
        sys.stderr.flush()


class _TerminalBar:
    def __init__(self, what: str, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._console = Console(stderr=True, highlight=False, emoji=False)  # rich honours NO_COLOR
        self._progress: Progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=self._console,
        )
        self._task: TaskID = self._progress.add_task(what, total=total, rate="")
        self._progress.start()

    def say(self, text: str, /) -> None:
        self._console.print(printable(text), markup=False, soft_wrap=True)

    def advance(self, count: int = 1, /) -> None:
        speed = self._progress.tasks[0].speed
        self._progress.update(self._task, advance=count, rate=f"{speed:.1f}/s" if speed else "")

    def close(self) -> None:
        self._progress.stop()

"""A job whose run is not worth keeping: started, told, and cleared away, also where it is interrupted."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from fullfield.errors import ExitCode
from fullfield.events import Event, RunFailed
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield_app.cli.overseer import STOP_SIGNALS
from fullfield_app.cli.speak import say, sentences, tell_json


def run(job: Job, *, json: bool, tell: Callable[[Event], None] = lambda event: None) -> int:
    """The exit code at its end. Every event goes to standard output as JSON, or else to `tell`; a failure is said.

    Raises KeyboardInterrupt where a signal asks to stop; its worker is then gone.
    """
    with _interrupted_by_signals():
        handle = launch(job)
        code = int(ExitCode.ALL_DONE)
        try:
            for event in handle.events():
                if json:
                    tell_json(event)
                else:
                    tell(event)
                if isinstance(event, RunFailed):
                    code = event.exit_code
                    say(f"fullfield: {sentences(event.error)}")
        finally:
            if handle.alive():
                handle.kill()
            shutil.rmtree(handle.folder, ignore_errors=True)
    return code


@contextmanager
def _interrupted_by_signals() -> Iterator[None]:
    """Within it, every signal that asks a program to stop is a KeyboardInterrupt."""
    before = {number: signal.signal(number, _interrupt) for number in STOP_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(signum: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt

"""A job whose run is not worth keeping: started, told, and cleared away, also where it is interrupted."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable

from fullfield.errors import ExitCode
from fullfield.jobs.handle import POLL_SECONDS, JobHandle
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.protocol.events import Event, RunEnded, RunFailed
from fullfield_app import interrupts
from fullfield_app.cli.speak import exit_code, say, sentences, tell_json


def run(job: Job, *, json: bool, tell: Callable[[Event], None] = lambda event: None, grace: float = 0.0) -> int:
    """The exit code at its end. Every event goes to standard output as JSON, or else to `tell`; a failure is said.

    Raises KeyboardInterrupt where a signal asks to stop; its worker is then gone. `grace`: the seconds that it
    has for that.
    """
    asked: list[int] = []  # a worker is never left half started
    with interrupts.handling(lambda number, frame: asked.append(number)):
        handle = launch(job)
        try:
            return _follow(handle, asked, tell_json if json else tell)
        finally:
            _end(handle, grace)
            shutil.rmtree(handle.folder, ignore_errors=True)


def _follow(handle: JobHandle, asked: list[int], tell: Callable[[Event], object]) -> int:
    code, lost = int(ExitCode.ALL_DONE), False
    while not asked:
        news = handle.poll()
        for event in news:
            lost |= tell(event) is False
            if isinstance(event, RunFailed):
                code = event.exit_code
                say(f"fullfield: {sentences(event.error)}")
            if isinstance(event, RunEnded) and event.reason == "stopped":  # not by us
                say("fullfield: Another program stopped the work before it was done.")
                return int(ExitCode.INTERRUPTED)
            if isinstance(event, RunEnded):
                return exit_code(code, lost=lost)
        if not news:
            time.sleep(POLL_SECONDS)
    raise KeyboardInterrupt


def _end(handle: JobHandle, grace: float) -> None:
    """See that its worker is gone."""
    end = time.monotonic() + grace
    if grace and handle.alive():
        handle.stop()
    while handle.alive() and time.monotonic() < end:
        time.sleep(POLL_SECONDS)
    if handle.alive():
        handle.kill()

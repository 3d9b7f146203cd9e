"""A job whose run is not worth keeping: started, told, and cleared away."""

from __future__ import annotations

import shutil
from collections.abc import Callable

from fullfield.errors import ExitCode
from fullfield.events import Event, RunFailed
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield_app.cli.speak import say, sentences, tell_json


def run(job: Job, *, json: bool, tell: Callable[[Event], None] = lambda event: None) -> int:
    """The exit code at its end. Every event goes to standard output as JSON, or else to `tell`; a failure is said."""
    handle = launch(job)
    code = int(ExitCode.ALL_DONE)
    for event in handle.events():
        if json:
            tell_json(event)
        else:
            tell(event)
        if isinstance(event, RunFailed):
            code = event.exit_code
            say(f"fullfield: {sentences(event.error)}")
    shutil.rmtree(handle.folder, ignore_errors=True)
    return code

"""How the window starts its workers and finds runs again: one value, handed to every page, and the seam for tests."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fullfield import process_identity
from fullfield.jobs import launch as launching
from fullfield.jobs.handle import JobHandle, Launch
from fullfield.jobs.job import Job
from fullfield.protocol.small import SessionSpec
from fullfield.protocol.specs import Spec

Start = Callable[[], JobHandle]


def own_job(spec: Spec) -> Job:
    """A job that is of no use without this window: it ends with its process."""
    pid = os.getpid()
    return Job.of(spec, owner=(pid, process_identity.process_started(pid)))


def start_session() -> JobHandle:
    """The worker that opens and enhances images."""
    return launching.launch(own_job(SessionSpec()))


@dataclass(frozen=True, kw_only=True)
class Workers:
    """`session`: starts the worker of the page that enhances; `launch`, `attach`: a run of any kind, which the window
    may leave alone when it closes."""

    session: Start = start_session
    launch: Launch = launching.launch
    attach: Callable[[Path], JobHandle] = launching.attach

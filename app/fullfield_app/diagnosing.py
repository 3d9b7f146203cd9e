"""The diagnosis as both front ends ask for it: a job in a folder of its own, and what has been told of it. No Qt."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import platformdirs

from fullfield.diagnosis import bundle
from fullfield.diagnosis.check import bad
from fullfield.jobs.handle import JobHandle, Launch
from fullfield.jobs.job import Job
from fullfield.protocol.checks import CheckMade, Verdict
from fullfield.protocol.events import Event, PhaseStarted, RunFailed
from fullfield.protocol.small import DiagnoseSpec
from fullfield_app import settings


def start(launch: Launch, *, window: str = "") -> JobHandle:
    """Start the diagnosis, in a temporary folder: the usual one may be what is wrong. `window`: of its screen."""
    folders = {"Folder of documents": platformdirs.user_documents_dir(), "Folder of settings": str(settings.folder())}
    job = Job.of(DiagnoseSpec(folders=folders, window=window))
    return launch(job, folder=Path(tempfile.mkdtemp(prefix="fullfield-diagnosis-")))


class Diagnosis:
    """What has been told so far: `checks`, and `phase`, what is being looked at."""

    def __init__(self) -> None:
        self.checks: list[CheckMade] = []
        self.phase = ""

    def take(self, event: Event) -> CheckMade | None:
        """Take an event in; the check that it makes, if it makes one. A worker that died is one, too."""
        if isinstance(event, PhaseStarted):
            self.phase = event.name
        made = event if isinstance(event, CheckMade) else _failed(event, self.phase)
        if made is not None:
            self.checks.append(made)
        return made

    @property
    def all_well(self) -> bool:
        """Nothing is bad."""
        return not any(check.verdict == Verdict.BAD for check in self.checks)

    def save(self, target: Path) -> None:
        """Write the bundle for support. Raises CannotWrite, OutputInvalid."""
        bundle.save(target, checks=self.checks, settings=settings.load()[0])


def clear(handle: JobHandle) -> None:
    """Remove what the diagnosis left."""
    shutil.rmtree(handle.folder, ignore_errors=True)


def _failed(event: Event, phase: str) -> CheckMade | None:
    if not isinstance(event, RunFailed):
        return None
    text = f"{event.error.get('title', '')} {event.error.get('detail', '')}".strip()
    where = f"It stopped while it looked at “{phase}”" if phase else "It could not start"
    hint = "Install Fullfield anew; where it stopped at the GPU, update its driver. Then diagnose again."
    return bad("diagnosis", "Diagnosis", f"{where}: {text}", hint)

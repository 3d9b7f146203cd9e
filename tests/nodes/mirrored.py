"""A run that lies on a node, what it has told, and the folder here that mirrors it."""

from __future__ import annotations

from pathlib import Path

from fullfield.jobs import event_log
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.nodes.mirror import Mirror
from fullfield.protocol import events
from fullfield.protocol.events import Notice, StepDone

RUN = "0123456789abcdef" * 2
TOLD = [
    Notice(time=1.0, text="Wörter — " + "long " * 40),
    StepDone(time=2.0, epoch=1, step=1, steps=2, loss=1.0, seconds=0.1),
    StepDone(time=3.0, epoch=1, step=2, steps=2, loss=0.5, seconds=0.1),
]


def run_there(there: Path, *reported: events.Event, started: str = "") -> Path:
    """A run that lies on the node, and is not going on."""
    folder = there / "cache" / "nodes" / "runs" / RUN / "run"
    jobs.save(Job(kind="empty"), folder)
    (folder / jobs.WORKER).write_text(f'{{"pid": 4194000, "started": "{started}"}}')
    event_log.path(folder).write_text("".join(f"{events.to_line(event)}\n" for event in reported))
    return folder


def mirror_of(folder: Path) -> Mirror:
    folder.mkdir()
    mirror = Mirror(folder)
    mirror.begin(RUN, given=0)
    return mirror

"""A run that is at work on a node goes on there, and is not started anywhere else meanwhile."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

from fullfield import files
from fullfield.errors import UsageError
from fullfield.jobs import event_log, launch
from fullfield.jobs import job as jobs
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.job import Job
from fullfield.jobs.worker import WorkerContext
from fullfield.protocol import events
from fullfield.protocol.events import RunEnded
from fullfield.protocol.places import LOCAL, NODE, PLACES


class There(ModuleType):
    """A launcher of all places."""

    alive = True

    def __init__(self) -> None:
        super().__init__("there")
        self.launched: list[tuple[str, Path | None]] = []

    def launch(self, job: Job, /, *, folder: Path | None = None) -> JobHandle:
        """See `Launcher`."""
        self.launched.append((job.place, folder))
        return self.attach(folder or Path())

    def attach(self, folder: Path, /) -> JobHandle:
        """See `Launcher`."""
        return cast(JobHandle, SimpleNamespace(folder=folder, alive=lambda: self.alive))

    def work(self, job: Job, context: Any, /) -> int:
        """See `Launcher`."""
        return 40 + context.world


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> There:
    module = There()
    monkeypatch.setitem(sys.modules, "there", module)
    for place in (LOCAL, NODE, "moon"):
        monkeypatch.setitem(PLACES, place, "there")
    return module


@pytest.mark.parametrize(
    ("before", "now", "ended", "alive", "refused"),
    [
        ("node:gpu", "local", False, True, True),
        ("node:gpu", "node:other", False, True, True),
        ("node:gpu", "node:gpu", False, True, False),
        ("node:gpu", "local", True, True, False),
        ("node:gpu", "local", False, False, False),
        ("moon", "local", False, True, False),
        ("local", "node:gpu", False, True, False),
        ("", "local", False, True, False),
    ],
)
def test_that_a_run_is_started_where_it_is_not_at_work_elsewhere(
    there: There, tmp_path: Path, before: str, now: str, ended: bool, alive: bool, refused: bool
) -> None:
    there.alive = alive
    if before:
        jobs.save(Job(kind="empty", place=before), tmp_path)
    if ended:
        files.append_line(event_log.path(tmp_path), events.to_line(RunEnded(reason="completed")))
    if refused:
        with pytest.raises(UsageError, match=r"It goes on elsewhere \(gpu\)"):
            launch.launch(Job(kind="empty", place=now), folder=tmp_path)
        assert there.launched == []
    else:
        assert launch.launch(Job(kind="empty", place=now), folder=tmp_path).folder == tmp_path
        assert there.launched == [(now, tmp_path)]


def test_that_a_new_run_is_nowhere_yet_and_its_worker_asks_its_launcher(there: There, tmp_path: Path) -> None:
    launch.launch(Job(kind="empty", place="node:gpu"))
    assert there.launched == [("node:gpu", None)]
    assert launch.work(Job(kind="empty", place="node:gpu"), WorkerContext(tmp_path, rank=0, world=1)) == 41


@pytest.mark.parametrize("alive", [True, False])
def test_that_a_run_whose_job_cannot_be_read_is_looked_for_on_this_machine(
    there: There, tmp_path: Path, alive: bool
) -> None:
    there.alive = alive
    assert launch.alive(tmp_path) is alive
    jobs.save(Job(kind="empty", place="node:gpu"), tmp_path)
    assert launch.alive(tmp_path) is alive and launch.attach(tmp_path).folder == tmp_path

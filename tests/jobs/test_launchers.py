"""A launcher is one file and one line: code that starts a run names a place, and holds a handle."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import cast

import pytest

from fullfield.errors import UsageError
from fullfield.jobs import job as jobs
from fullfield.jobs import launch as launching
from fullfield.jobs.handle import JobHandle
from fullfield.jobs.job import Job
from fullfield.jobs.launch import attach, launch
from fullfield.protocol import specs
from fullfield.protocol.places import LOCAL, PLACES
from fullfield.protocol.small import EmptySpec
from fullfield.protocol.training import Training
from fullfield.runs import runs

ELSEWHERE = "elsewhere"


class Elsewhere(ModuleType):
    """A launcher of one file: it remembers what it was given."""

    def __init__(self) -> None:
        super().__init__(ELSEWHERE)
        self.launched: list[Job] = []
        self.at_work = True

    def launch(self, job: Job, /, *, folder: Path | None = None) -> JobHandle:
        """See `Launcher`."""
        assert folder is not None
        self.launched.append(job)
        jobs.save(job, folder)
        return self.attach(folder)

    def attach(self, folder: Path, /) -> JobHandle:
        """See `Launcher`."""
        return cast(JobHandle, SimpleNamespace(folder=folder, alive=lambda: self.at_work))


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Elsewhere:
    module = Elsewhere()
    monkeypatch.setitem(PLACES, ELSEWHERE, ELSEWHERE)
    monkeypatch.setitem(sys.modules, ELSEWHERE, module)
    return module


def test_that_a_line_among_the_places_adds_a_launcher_that_starts_and_finds_runs(
    elsewhere: Elsewhere, tmp_path: Path
) -> None:
    job = Job.of(Training(data="-", place=ELSEWHERE))
    handle = launch(job, folder=tmp_path)
    assert (handle.folder, elsewhere.launched) == (tmp_path, [job])
    assert attach(tmp_path).alive() and launching.alive(tmp_path)
    elsewhere.at_work = False
    assert not attach(tmp_path).alive() and not launching.alive(tmp_path)


def test_that_a_run_is_resumed_where_it_was(elsewhere: Elsewhere, tmp_path: Path) -> None:
    launch(Job.of(Training(data="-", place=ELSEWHERE), owner=(1, 0.0)), folder=tmp_path)
    resumed = runs.resumed(tmp_path, watch=3)
    assert (resumed.place, resumed.spec["watch"], resumed.owner) == (ELSEWHERE, 3, None)


def test_that_a_place_that_is_not_known_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Cannot start a run at 'moon'") as raised:
        launch(Job(kind="empty", place="moon"), folder=tmp_path)
    assert raised.value.hint == "Known places: local, node." and not list(tmp_path.iterdir())
    jobs.save(Job(kind="empty", place="moon"), tmp_path)
    with pytest.raises(UsageError, match="moon"):
        attach(tmp_path)
    assert not launching.alive(tmp_path.with_name("gone"))


def test_that_a_job_of_an_earlier_version_runs_on_this_machine(tmp_path: Path) -> None:
    values = {"version": jobs.VERSION, "kind": "train", "spec": {"data": "-"}, "processes": 1, "owner": None}
    (tmp_path / "job.json").write_text(json.dumps(values))
    job = jobs.load(tmp_path)
    spec = specs.read(job.kind, job.spec)
    assert isinstance(spec, Training)
    assert job.place == spec.place == Job.of(EmptySpec()).place == LOCAL


def test_that_no_launcher_is_imported_before_it_is_asked() -> None:
    code = (
        "import sys\nfrom fullfield.jobs import launch\nfrom fullfield.protocol.places import PLACES\n"
        "sys.exit(bool(set(PLACES.values()) & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

"""Jobs of a light installation run in the training part's environment, where it is whole and of this version."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from fullfield import __version__, other_python, parts
from fullfield.errors import MissingPart
from fullfield.jobs import job as jobs
from fullfield.jobs import registry
from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.jobs.launchers import fleet, local
from fullfield.protocol.events import RunEnded, RunStarted
from fullfield.protocol.fleets import Fleet
from fullfield.training_part import place
from training import FakeContext

Brought = Callable[..., None]


@pytest.fixture(autouse=True)
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """The training part is not installed in this process, and the job that does nothing needs it."""
    here = parts.is_here
    monkeypatch.setitem(registry.KINDS, "empty", replace(registry.KINDS["empty"], needs=("torch",)))
    monkeypatch.setattr(parts, "is_here", lambda name: name not in parts.PACKAGES and here(name))


@pytest.fixture
def brought() -> Brought:
    """Make an environment whose marker says that it is of `version`; its packages are those that run this test."""

    def bring(version: str = __version__) -> None:
        folder = place.prepare().parent / version
        venv.create(folder / "environment", symlinks=True)
        packages = other_python.packages_of_environment(folder / "environment")
        assert packages is not None
        (packages / "seen.pth").write_text(f"{Path(psutil.__file__).parents[1]}\n")
        marker = {"version": version, "build": "cpu", "torch": "2.14.0+cpu", "python": "3.11.7"}
        (folder / "installed").write_text(json.dumps(marker))

    return bring


def command(job: Job) -> str:
    """The Python that the job's worker runs with; the job comes to its end."""
    handle = launch(job)
    assert handle._process is not None
    reported = list(handle.events())
    assert isinstance(reported[0], RunStarted) and reported[0].version == __version__
    assert isinstance(reported[-1], RunEnded) and reported[-1].reason == "completed"
    return str(handle._process.args[0])  # type: ignore[index]


def test_that_what_needs_the_training_part_runs_with_its_python_and_with_this_very_engine(
    brought: Brought, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought()
    monkeypatch.setenv("PYTHONPATH", "/a/folder/of/another/python")
    monkeypatch.setenv("PYTHONHOME", "/a/folder/of/another/python")
    assert command(Job(kind="empty")) == str(place.python())


def test_that_what_needs_none_of_it_runs_here(brought: Brought) -> None:
    brought()
    assert place.interpreter() is None and local.interpreter("survey") is None


def test_that_workers_who_may_be_given_a_model_run_there_and_begin_without_it_too(brought: Brought) -> None:
    assert local.interpreter("session") is None
    brought()
    assert local.interpreter("session") == local.interpreter("batch") == place.python()


def test_that_on_one_of_several_nodes_what_starts_the_ranks_runs_there(
    brought: Brought, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = Job(kind="empty", fleet=Fleet(names=("a", "b"), number=1, least=1, most=2, interface="lo", key="k"))
    with pytest.raises(MissingPart, match="Not installed: torch"):
        fleet.launch(job, folder=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    brought()
    begun: list[tuple[list[str], dict[str, str] | None]] = []

    def spawn(command: list[str], environment: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
        begun.append((command, environment))
        return subprocess.Popen([sys.executable, "-c", ""])

    monkeypatch.setattr("fullfield.system.spawn_bound", spawn)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    (tmp_path / "run").mkdir()
    assert fleet.work(job, FakeContext(tmp_path / "run")) == 0
    ((command, environment),) = begun
    assert command[0] == str(place.python()) and environment == local.environment(place.python())


def test_that_without_it_nothing_is_begun_and_the_remedy_is_told() -> None:
    with pytest.raises(MissingPart, match="Not installed: torch"):
        launch(Job(kind="empty"))
    assert not list(jobs.files.runs_folder().glob("*-empty-*"))


def test_that_one_of_another_version_is_told_as_such_and_not_run(brought: Brought) -> None:
    brought("0.0.9")
    with pytest.raises(MissingPart, match=r"installed for Fullfield 0\.0\.9, and this is .*Install it again"):
        launch(Job(kind="empty"))


def test_that_one_that_is_not_whole_is_not_run(brought: Brought) -> None:
    brought()
    (place.folder() / "installed").unlink()
    with pytest.raises(MissingPart):
        launch(Job(kind="empty"))


@pytest.mark.skipif(other_python.WINDOWS, reason="Windows guards folders by other means")
def test_that_one_that_every_user_could_exchange_is_not_run(brought: Brought) -> None:
    brought()
    place.folder().chmod(0o777)
    with pytest.raises(MissingPart):
        launch(Job(kind="empty"))


def test_that_one_whose_python_is_gone_is_not_run(brought: Brought) -> None:
    brought()
    place.python().unlink()
    with pytest.raises(MissingPart):
        launch(Job(kind="empty"))

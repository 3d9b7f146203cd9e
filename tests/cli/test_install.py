"""`fullfield install training`: says first, asks, installs, goes on after Ctrl-C, and removes."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from flows.command import COMMAND, fullfield
from fullfield import parts
from fullfield.errors import ExitCode, UsageError
from fullfield.jobs.job import Job
from fullfield.protocol import event_lines
from fullfield.protocol.events import RunEnded
from fullfield.training_part import place
from fullfield.training_part.place import Installed
from fullfield_app import arguments
from fullfield_app.cli import passing
from light import hidden
from training_part import made
from training_part.fake_index import TORCH, Index, serving, training_part

QUIET = {"PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": "", "PIP_NO_CACHE_DIR": "1", "PIP_RETRIES": "0"}


@pytest.fixture
def light(tmp_path: Path) -> dict[str, str]:
    """The environment of a light installation, with a pip that is set to nothing."""
    return {**hidden(tmp_path / "hidden", parts.PACKAGES), **QUIET}


def test_that_without_a_terminal_nothing_is_installed_that_was_not_agreed_to(
    tmp_path: Path, light: dict[str, str]
) -> None:
    done = fullfield("install", "training", "--wheels", training_part(tmp_path / "wheels"), **light)
    assert done.code == ExitCode.USAGE
    assert "Add --yes to agree." in done.err
    assert "nothing over a network" in done.err and str(place.folder()) in done.err
    assert not place.folder().exists()


def test_that_a_folder_without_wheels_is_an_error_with_what_to_do(tmp_path: Path, light: dict[str, str]) -> None:
    done = fullfield("install", "training", "--wheels", tmp_path, "--yes", **light)
    assert done.code == ExitCode.PART_MISSING
    assert "no wheels in the folder" in done.err


@pytest.mark.parametrize(
    ("answer", "begun"), [("y\n", True), ("Yes\n", True), ("n\n", False), ("\n", False), ("", False)]
)
def test_that_nothing_begins_before_a_yes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, begun: bool
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    jobs = list[Job]()
    wheels = training_part(tmp_path / "wheels")
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    monkeypatch.setattr(parts, "is_here", lambda name: False)
    monkeypatch.setattr(passing, "run", lambda job, **_: jobs.append(job) or 0)
    code = arguments.parse(["install", "training", "--wheels", str(wheels), "--cuda"])()
    assert [job.spec for job in jobs] == ([{"build": "cuda", "wheels": str(wheels)}] if begun else [])
    assert code == (0 if begun else ExitCode.INTERRUPTED)


def test_that_where_all_of_it_is_here_there_is_nothing_to_bring(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(parts, "is_here", lambda name: True)
    assert arguments.parse(["install", "training", "--json"])() == 0
    reported = capsys.readouterr()
    assert "part of this installation" in reported.err
    assert [how.reason for how in ends(reported.out)] == ["completed"]


@pytest.mark.parametrize("there", [False, True])
def test_that_a_program_that_removes_is_told_the_end_whether_or_not_anything_was_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, there: bool
) -> None:
    monkeypatch.setattr(place, "folder", lambda: tmp_path if there else tmp_path / "none")
    monkeypatch.setattr(place, "remove", lambda: None)
    assert arguments.parse(["install", "training", "--json", "--yes", "--remove"])() == 0
    assert [how.reason for how in ends(capsys.readouterr().out)] == ["completed"]


@pytest.mark.parametrize(("wanted", "reason"), [("cpu", "completed"), ("cuda", "failed")])
def test_that_what_is_installed_already_is_told_with_the_end_and_another_build_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wanted: str, reason: str
) -> None:
    monkeypatch.setattr(place, "installed", lambda: Installed(version="1", build="cpu", torch="2.0", python=""))
    does = arguments.parse(["install", "training", "--json", "--yes", f"--{wanted}"])
    if reason == "failed":
        with pytest.raises(UsageError) as refused:
            does()
        assert refused.value.hint == f"Remove this one first: {place.COMMAND} --remove"
    else:
        assert does() == 0
    assert [how.reason for how in ends(capsys.readouterr().out)] == [reason]


def ends(written: str) -> list[RunEnded]:
    """What standard output says of the end."""
    return [event for event in map(event_lines.from_line, written.splitlines()) if isinstance(event, RunEnded)]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="sends the signal of Ctrl-C")
def test_that_ctrl_c_keeps_what_has_come_and_what_is_installed_then_is_used_told_by_the_doctor_and_removed(
    tmp_path: Path, light: dict[str, str]
) -> None:
    made.in_processes(tmp_path / "hidden", tmp_path / "first")
    index = Index(training_part(tmp_path / "wheels", torch=3_000_000))
    index.stalls = "torchvision"
    with serving(index):
        process = subprocess.Popen(
            [*COMMAND, "install", "training", "--cpu", "--yes"],
            env={**os.environ, **light, "PIP_INDEX_URL": index.url},
            stderr=subprocess.PIPE,
            text=True,
        )
        while not any(name.startswith("torchvision-") for name in index.wheels()):
            assert process.poll() is None
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[1]
        assert process.returncode == ExitCode.INTERRUPTED
        assert "the same command goes on with it" in said
        index.stalls = "-"
        index.asked.clear()
        done = fullfield("install", "training", "--cpu", "--yes", **light, PIP_INDEX_URL=index.url)
    assert done.code == 0, done.err
    assert "MB of them are here already" in done.err
    assert not any(name.startswith("torch-") for name in index.wheels())
    assert f"The training part is installed: PyTorch {TORCH} for the CPU" in done.err
    again = fullfield("install", "training", **light)
    assert again.code == 0 and str(place.folder()) in again.err
    other = fullfield("install", "training", "--cuda", "--yes", **light)
    assert other.code == ExitCode.USAGE and "--remove" in other.err
    doctor = fullfield("doctor", **light)
    assert f"In an environment of its own. The training part is installed: PyTorch {TORCH}" in doctor.out
    planned = fullfield("plan", "--size", 192, **light)
    assert planned.code != ExitCode.PART_MISSING, "it got as far as the tiny torch can"
    removed = fullfield("install", "training", "--remove", "--yes", **light)
    assert removed.code == 0 and not place.folder().exists()
    assert fullfield("plan", "--size", 192, **light).code == ExitCode.PART_MISSING

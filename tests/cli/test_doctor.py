"""`fullfield doctor` tells every check, by exit code too."""

from __future__ import annotations

import json
import os
import signal
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fullfield.diagnosis.check import bad, good, warn
from fullfield.errors import ExitCode
from fullfield.protocol.events import Event, RunEnded
from fullfield_app import __main__, diagnosing


class Reported:
    """A diagnosis that tells what it is given."""

    def __init__(self, folder: Path, reported: list[Event]) -> None:
        self.folder, self.reported = folder, reported

    def events(self) -> Iterator[Event]:
        yield from (*self.reported, RunEnded(reason="completed"))


def doctor(monkeypatch: pytest.MonkeyPatch, folder: Path, reported: list[Event], *more: str) -> int:
    monkeypatch.setattr(diagnosing, "start", lambda launch: Reported(folder / "run", reported))
    return __main__.main(["doctor", *more])


WELL: list[Event] = [good("memory", "Memory", "8 GiB."), warn("device", "Device", "The CPU.", "A GPU is faster.")]


def test_that_nothing_bad_is_exit_code_0(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert doctor(monkeypatch, tmp_path, WELL) == 0


def test_that_something_bad_is_exit_code_1_and_said_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = bad("torch", "PyTorch", "It cannot be loaded.", "Install Fullfield anew.")
    assert doctor(monkeypatch, tmp_path, [*WELL, broken]) == 1
    reported = capsys.readouterr().out
    assert "[bad ] PyTorch: It cannot be loaded." in reported and "Install Fullfield anew." in reported


def test_that_json_is_one_event_per_line_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor(monkeypatch, tmp_path, WELL, "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["kind"] for line in lines] == ["CheckMade", "CheckMade", "RunEnded"]
    assert lines[1]["verdict"] == "warn"


def test_that_the_bundle_is_written_where_it_was_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    target = tmp_path / "support.zip"
    assert doctor(monkeypatch, tmp_path, WELL, "--bundle", str(target)) == 0
    with zipfile.ZipFile(target) as opened:
        assert "8 GiB" in opened.read("diagnosis.txt").decode()


def test_that_a_bundle_replaces_an_older_one_and_no_other_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    target, radiograph = tmp_path / "support.zip", tmp_path / "chest.dcm"
    radiograph.write_bytes(bytes(128) + b"DICM")
    with zipfile.ZipFile(tmp_path / "images.zip", "w") as images:
        images.write(radiograph, "chest.dcm")
    for _ in range(2):
        assert doctor(monkeypatch, tmp_path, WELL, "--bundle", str(target)) == 0
    for other in (radiograph, tmp_path / "images.zip"):
        before = other.read_bytes()
        assert doctor(monkeypatch, tmp_path, WELL, "--bundle", str(other)) == ExitCode.OUTPUT_INVALID
        assert other.read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_that_a_diagnosis_that_is_ended_leaves_nothing_and_says_so_to_a_program(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Ended(Reported):
        def events(self) -> Iterator[Event]:
            os.kill(os.getpid(), signal.SIGTERM)
            yield from super().events()

        def kill(self) -> None:
            """It has none."""

    (tmp_path / "run").mkdir()
    monkeypatch.setattr(diagnosing, "start", lambda launch: Ended(tmp_path / "run", []))
    assert __main__.main(["doctor", "--json"]) == 130 and not (tmp_path / "run").exists()
    last = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert last["kind"] == "RunEnded" and last["reason"] == "stopped"

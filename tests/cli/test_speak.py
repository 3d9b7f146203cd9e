"""What a terminal shows of names."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fullfield.bench import conventional
from fullfield.errors import ExitCode
from fullfield.qa import run as qa
from fullfield.qa.table import Table
from fullfield_app import __main__
from fullfield_app.cli import speak


class Terminal(io.StringIO):
    """Somebody watches it."""

    def isatty(self) -> bool:
        return True


def test_that_a_terminal_shows_names_as_they_are_and_breaks_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    line = "done     hand:ok:l [bold]and a name of many words that is longer than the terminal is wide.dcm"
    bar = speak.open_bar("Enhancing", 1)
    bar.say(line)
    bar.close()
    assert line in sys.stderr.getvalue()


def test_that_a_sign_which_standard_output_lacks_costs_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="iso-8859-1"))
    with pytest.raises(SystemExit) as ended:
        __main__.main(["--help"])
    sys.stdout.flush()
    assert ended.value.code == 0 and b"FILE?" in written.getvalue()


needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")


@needs_full
@pytest.mark.parametrize(
    "given",
    [["models"], ["weights", "list"], ["--help"], ["doctor", "--help"], ["qa"], ["bench", "conventional", "--json"]],
)
def test_that_a_full_standard_output_is_told_as_that(
    given: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(qa, "measured", lambda asked, say: Table(rows=(), failed=()))
    monkeypatch.setattr(conventional, "run", lambda repeat=5: conventional.Table(size=64, rows=()))
    with Path("/dev/full").open("wb", buffering=0) as full:
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(full, write_through=True))
        assert __main__.main(given) == ExitCode.CANNOT_WRITE
    said = capsys.readouterr().err
    assert "Cannot write to standard output. The system says: No space left" in said and "folder" not in said


@needs_full
def test_that_a_full_standard_output_is_told_once_and_keeps_its_exit_code_at_the_end_of_python() -> None:
    command = [sys.executable, "-m", "fullfield_app", "--version"]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=buffered, text=True)
    assert ended.returncode == ExitCode.CANNOT_WRITE
    assert len(ended.stderr.splitlines()) == 1 and "standard output" in ended.stderr

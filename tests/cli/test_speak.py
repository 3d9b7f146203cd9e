"""What a terminal shows of names."""

from __future__ import annotations

import io
import sys

import pytest

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

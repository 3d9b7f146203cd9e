"""A job that is followed to its end: what its exit code says."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from fullfield.protocol.events import RunEnded
from fullfield_app import __main__, arguments, interrupts
from fullfield_app.cli import passing


@pytest.mark.parametrize(("reason", "code"), [("completed", 0), ("stopped", 130)])
def test_that_a_report_whose_worker_was_stopped_is_none(
    reason: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    news = [RunEnded(reason=reason)]
    worker = SimpleNamespace(poll=lambda: news, alive=lambda: False, folder=tmp_path / "job")
    monkeypatch.setattr(passing, "launch", lambda job: worker)
    assert arguments.parse(["report", str(tmp_path), "-o", str(tmp_path / "run.html")])() == code
    said = capsys.readouterr().err
    assert ("Report written" in said) == (code == 0) and ("stopped the work" in said) == (code == 130)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")
def test_that_a_signal_that_was_to_be_ignored_still_is() -> None:
    asked: list[int] = []
    before = {number: signal.getsignal(number) for number in interrupts.STOP_SIGNALS}
    try:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with interrupts.handling(lambda number, frame: asked.append(number)):
            for number in interrupts.STOP_SIGNALS:
                os.kill(os.getpid(), number)
        assert asked == [signal.SIGINT, signal.SIGTERM] and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGTERM) == before[signal.SIGTERM]
    finally:
        for number, was in before.items():
            signal.signal(number, was)


def test_that_events_which_are_lost_are_told_and_are_the_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    worker = SimpleNamespace(poll=lambda: [RunEnded(reason="completed")], alive=lambda: False, folder=tmp_path / "job")
    monkeypatch.setattr(passing, "launch", lambda job: worker)
    monkeypatch.setattr(passing, "tell_json", lambda event: False)
    assert __main__.main(["plan", "--json"]) == 7
    assert "could not all be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        ("plan", "--size", "abc"),
        ("train", "--data", "none", "--out", __file__),
        ("--batch", "none", "-o", __file__),
    ],
)
def test_that_the_last_line_for_a_program_is_the_end_also_where_nothing_was_begun(
    command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert __main__.main([*command, "--json"]) != 0
    refused, ended = map(json.loads, capsys.readouterr().out.splitlines())
    assert (refused["kind"], ended["kind"], ended["reason"]) == ("RunFailed", "RunEnded", "failed")


def test_that_a_stop_is_told_as_the_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stopped(job: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(passing, "launch", stopped)
    assert __main__.main(["plan", "--json"]) == 130
    (ended,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (ended["kind"], ended["reason"]) == ("RunEnded", "stopped")


def test_that_a_reader_who_goes_ends_a_command_silently() -> None:
    command = [sys.executable, "-m", "fullfield_app", "doctor"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == "" and process.wait() == 130

"""A job that is followed to its end: what its exit code says."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

from fullfield.protocol.events import RunEnded
from fullfield_app import arguments, interrupts
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

"""A report that is made in the background."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from pytestqt.qtbot import QtBot

from fullfield.jobs.job import Job
from fullfield.protocol.events import Event, RunEnded
from fullfield_app.gui.runs.reporting import Reporting
from gui import fake_run
from gui.fake_run import FakeRun


class Long(FakeRun):
    """Is at it until it is killed."""

    def events(self) -> Iterator[Event]:
        while not self.killed:
            time.sleep(0.01)
        yield RunEnded(reason="died")


def test_that_closing_ends_a_report_that_is_being_made(qtbot: QtBot, tmp_path: Path) -> None:
    begun, written = list[Long](), list[Path]()

    def launch(job: Job, /, *, folder: Path | None = None) -> Long:
        begun.append(Long(fake_run.training()))
        return begun[-1]

    reporting = Reporting(launch)
    reporting.written.connect(written.append)
    reporting.make(tmp_path, tmp_path / "report.html", images=False)
    qtbot.waitUntil(lambda: bool(begun))
    reporting.close()
    assert begun[0].killed and written == []

"""A report that is asked for and made in the background."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QCheckBox
from pytestqt.qtbot import QtBot

from fullfield.jobs.job import Job
from fullfield.jobs.launch import launch
from fullfield.protocol.events import Event, RunEnded
from fullfield_app.gui import language
from fullfield_app.gui.runs.report_dialog import ReportDialog
from fullfield_app.gui.runs.reporting import Reporting
from gui import fake_run
from gui.fake_run import FakeRun, begun, epoch


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


@pytest.mark.training("matplotlib")
def test_that_a_report_is_made_by_a_worker_and_told(tmp_path: Path, qtbot: QtBot) -> None:
    folder = fake_run.training(reported=[*begun(), *epoch(1), RunEnded(reason="completed")])
    reporting = Reporting(launch)
    written: list[Path] = []
    reporting.written.connect(written.append)
    reporting.make(folder, tmp_path / "report.html", images=False)
    qtbot.waitUntil(lambda: bool(written), timeout=30_000)
    assert (tmp_path / "report.html").exists()
    failed: list[BaseException] = []
    reporting.failed.connect(failed.append)
    reporting.make(tmp_path, tmp_path / "other.html", images=False)
    qtbot.waitUntil(lambda: bool(failed), timeout=30_000)
    assert "no training" in str(failed[0])
    reporting.close()


def test_that_a_report_speaks_the_language_of_the_window(tmp_path: Path, qtbot: QtBot, qapp: QApplication) -> None:
    asked: list[Job] = []

    def launch(job: Job, *, folder: Path | None = None) -> FakeRun:
        asked.append(job)
        return FakeRun(tmp_path / "job")

    language.install(qapp, "es")
    reporting = Reporting(launch)
    reporting.make(tmp_path, tmp_path / "report.html", images=False)
    language.install(qapp, "en")
    QLocale.setDefault(QLocale.c())
    qtbot.waitUntil(lambda: bool(asked))
    reporting.close()
    assert {name: asked[0].spec[name] for name in ("language", "decimal")} == {"language": "es", "decimal": ","}


def test_that_a_report_is_without_radiographs_unless_they_are_asked_for(qtbot: QtBot, tmp_path: Path) -> None:
    dialog = ReportDialog()
    qtbot.addWidget(dialog)
    asked: list[tuple[Path, bool]] = []
    dialog.asked.connect(lambda path, images: asked.append((path, images)))
    dialog._give(str(tmp_path / "a.html"))
    [box] = [one for one in dialog.findChildren(QCheckBox) if one.accessibleName() == "Radiograph in the report"]
    box.setChecked(True)
    dialog._give(str(tmp_path / "b.html"))
    assert asked == [(tmp_path / "a.html", False), (tmp_path / "b.html", True)]

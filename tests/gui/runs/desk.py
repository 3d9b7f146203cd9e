"""A window with the page of runs alone in it, whose workers a test plays."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QPushButton,
)
from pytestqt.qtbot import QtBot

from fullfield.jobs.job import Job
from fullfield.protocol.events import Event, Notice
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.runs.panel import RunsPanel
from fullfield_app.gui.widgets.accessible import complete
from fullfield_app.gui.widgets.message_bar import Message
from gui import fake_run
from gui.fake_run import FakeRun, begun, epoch
from gui.hands import Hands

STORY = [*begun(), *epoch(1), *epoch(2)]


class Desk(Hands):
    """A window with the page of runs alone in it, and workers that a test plays."""

    def __init__(self, qtbot: QtBot) -> None:
        self.live: dict[Path, FakeRun] = {}
        self.launched: list[tuple[Job, Path | None]] = []
        self.reported: list[Job] = []
        self.said: list[Message] = []
        self.panel = RunsPanel(Workers(attach=self.attach, launch=self.launch))
        window = QMainWindow()
        window.setCentralWidget(self.panel)
        window.resize(1280, 700)
        super().__init__(window, qtbot)  # type: ignore[arg-type]
        qtbot.addWidget(window)
        self.panel.said.connect(self.said.append)
        self.panel.failed.connect(self.fail)

    def fail(self, error: BaseException) -> None:
        raise AssertionError(error)

    def attach(self, folder: Path) -> FakeRun:
        return self.live[folder]

    def launch(self, job: Job, *, folder: Path | None = None) -> FakeRun:
        if job.kind == "report":
            self.reported.append(job)
            report = FakeRun(fake_run.training(9))
            report.end("completed")
            return report
        self.launched.append((job, folder))
        assert folder is not None
        self.live[folder] = FakeRun(folder, begun(5000.0))
        return self.live[folder]

    def has(
        self,
        reported: list[Event],
        *,
        number: int = 0,
        alive: bool = False,
        pixel_size: tuple[float, float] = (1.0, 1.0),
        **spec: object,
    ) -> FakeRun:
        """A run with this story. `pixel_size`: of its images."""
        folder = fake_run.training(number, reported=reported, **spec)
        if any(isinstance(event, Notice) for event in reported):
            epochs = range(1, len(reported) // 13 + 1)
            lines = [*reported, *(fake_run.sample(folder, epoch, pixel_size=pixel_size) for epoch in epochs)]
            fake_run.training(number, reported=lines, **spec)
            reported = lines
        self.live[folder] = FakeRun(folder, reported, alive=alive)
        return self.live[folder]

    def begin(self) -> None:
        self.window.show()
        self.panel.start()
        self.wait(lambda: self.panel._table.runs.rowCount() == len(self.live))
        complete(self.window)

    def open(self, run: FakeRun) -> None:
        self.panel.turn_to(run.folder)
        self.wait(lambda: self.panel._now is not None and self.panel._now.whole)

    def state(self) -> str:
        return self.text("State of the run")

    def answer(self, text: str) -> None:
        """Press a button of the question that stands."""
        box = QApplication.activeModalWidget()
        assert box is not None
        button = next(one for one in box.findChildren(QPushButton) if one.text() == text)
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def says(self, name: str) -> str:
        return self.widget(name).accessibleDescription()

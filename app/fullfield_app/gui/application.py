"""The window's process: Qt, its look, the window, and the worker that it starts once it is there."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from fullfield import files, log, system
from fullfield.jobs.job import Job
from fullfield.jobs.launch import JobHandle, launch
from fullfield_app.gui import theme
from fullfield_app.gui.main_window import MainWindow


def run(paths: list[Path]) -> int:
    """Open the window with `paths` in it and stay until it is closed; the process's exit code."""
    log.configure(file=files.runs_folder() / "window.log")
    application, window = build()
    window.errors.install()
    window.show()
    window.open(paths)
    signal.signal(signal.SIGINT, lambda *_: application.exit())
    signal.signal(signal.SIGTERM, lambda *_: application.exit())
    breath = QTimer()
    breath.timeout.connect(lambda: None)  # Python sees a signal only when it runs: Qt's loop alone never lets it
    breath.start(200)
    code = application.exec()
    window.shut_down()
    return code


def build() -> tuple[QApplication, MainWindow]:
    """The application, dressed, and its window, not yet shown."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication(sys.argv[:1])
    application.setApplicationName("Fullfield")
    application.setDesktopFileName("fullfield")
    theme.apply(application)
    return application, MainWindow(start_session)


def start_session() -> JobHandle:
    """A worker of this window: when the window's process is gone, the worker ends too."""
    pid = os.getpid()
    return launch(Job(kind="session", spec={"device": "auto", "owner": [pid, system.process_started(pid)]}))

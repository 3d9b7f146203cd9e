"""The window's process: Qt, its look and language, the notice at the first start, the window, and its worker."""

from __future__ import annotations

import contextlib
import functools
import signal
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from fullfield import files, log
from fullfield.errors import ExitCode
from fullfield_app import interrupts
from fullfield_app.gui import first_start, language, theme
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.main_window import MainWindow
from fullfield_app.gui.stored.store import SettingsStore


def run(paths: list[Path]) -> int:
    """Open the window with `paths` in it and stay until it is closed; the process's exit code."""
    with contextlib.suppress(OSError):  # the window then says what cannot be used, where that is wanted
        file = files.runs_folder() / "window.log"
        log.set_aside(file)
        log.configure(file=file)
    application, store = prepare()
    interrupts.handle(lambda *_: application.exit(), (signal.SIGINT, signal.SIGTERM))
    breath = QTimer()
    breath.timeout.connect(lambda: None)  # Python sees a signal only when it runs: Qt's loop alone never lets it
    breath.start(200)
    if not first_start.agreed(application, store):
        store.close()
        return int(ExitCode.ALL_DONE)
    window = MainWindow(Workers(), store)
    window.errors.install()
    window.show()
    window.open(paths)
    code = application.exec()
    window.shut_down()
    return code


def build() -> tuple[QApplication, MainWindow]:
    """The application and its window, not yet shown; without the notice."""
    application, store = prepare()
    return application, MainWindow(Workers(), store)


def prepare() -> tuple[QApplication, SettingsStore]:
    """The application in the user's language and colours, and the settings that say which."""
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication(sys.argv[:1])
    application.setApplicationName("Fullfield")
    application.setDesktopFileName("fullfield")
    store = SettingsStore(application)
    language.install(application, store.now.language)
    _dress(application, store)
    store.changed.connect(functools.partial(_dress, application, store))
    return application, store


def _dress(application: QApplication, store: SettingsStore) -> None:
    if theme.worn(application) != store.now.palette:
        theme.apply(application, store.now.palette)

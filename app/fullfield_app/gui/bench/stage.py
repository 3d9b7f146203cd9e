"""A window on a stage of its own: private folders, its real worker, and hands that drop, choose and export."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import psutil
from PySide6.QtCore import QMimeData, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

from fullfield import files
from fullfield_app.gui.bench.turns import TurnMeter, Turns
from fullfield_app.gui.enhance.export_bar import ExportBar
from fullfield_app.gui.enhance.panel import EnhancePanel
from fullfield_app.gui.queue.row import State
from fullfield_app.gui.view.compare_view import CompareView

SIZE = (1366, 768)
FOLDERS = ("CACHE", "RUNS", "SETTINGS", "MODELS", "PRESETS")
START_SECONDS = 60.0
Part = TypeVar("Part", bound=QWidget)
ENDED = (State.ENHANCED, State.EXPORTED, State.FAILED)


@contextmanager
def stage() -> Iterator[Stage]:
    """A shown window whose worker is ready; all that it leaves is removed."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="fullfield-bench-", ignore_cleanup_errors=True) as folder:
        for name in FOLDERS:
            os.environ[f"FULLFIELD_{name}"] = str(Path(folder) / name.lower())
        made = Stage(Path(folder))
        try:
            made.open()
            yield made
        finally:
            made.close()


class Stage:
    """The window that is measured. `folder`: of this bench alone."""

    def __init__(self, folder: Path) -> None:
        from fullfield_app.gui.application import build

        self.folder = folder
        self.application, self.window = build()
        self.panel = self._part(EnhancePanel)
        self.view = self._part(CompareView)
        exports = folder / "exports"
        exports.mkdir()  # one that is not there would be given up for the user's own
        self._part(ExportBar).set_folder(exports)
        self.meter = TurnMeter()

    def open(self) -> None:
        """Show the window and wait until its worker is ready."""
        ready: list[bool] = []
        self.panel.work.started.connect(lambda: ready.append(True))
        self.window.resize(*SIZE)
        self.window.show()
        self.run("start", lambda: bool(ready), seconds=START_SECONDS)

    def close(self) -> None:
        """End the window and its worker."""
        self.window.hide()
        self.window.shut_down()
        self.meter.close()

    def run(self, phase: str, until: Callable[[], bool], *, seconds: float) -> Turns:
        """Let the window do what there is until something is so; its turns in this phase."""
        self.meter.run(phase, until, seconds=seconds)
        return self.meter.take(phase)

    def drop(self, paths: Sequence[Path]) -> None:
        """Let files go above the window, in a turn of its loop."""
        QTimer.singleShot(0, lambda: self._drop(paths))

    def do(self, action: str) -> None:
        """What a menu entry of the page does, in a turn of the loop."""
        QTimer.singleShot(0, self.panel.actions_by_key[action].trigger)

    def _drop(self, paths: Sequence[Path]) -> None:
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        handle, place = self.window.windowHandle(), QPointF(SIZE[0] / 2, SIZE[1] / 2)
        QApplication.sendEvent(handle, QDragEnterEvent(place.toPoint(), copy, mime, left, none))
        QApplication.sendEvent(handle, QDropEvent(place, copy, mime, left, none))

    def states(self) -> list[State]:
        """How far each image is."""
        return [row.state for row in self.panel.work.queue.rows()]

    def worker(self) -> psutil.Process:
        """The process of the worker that was started last."""
        newest = max(files.runs_folder().glob("*-session-*/worker.json"), key=lambda path: path.stat().st_mtime_ns)
        return psutil.Process(int(json.loads(newest.read_text(encoding="utf-8"))["pid"]))

    def _part(self, kind: type[Part]) -> Part:
        found = self.window.findChild(kind)
        assert isinstance(found, kind)
        return found

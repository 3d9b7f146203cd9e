"""From what the user named to the images that are in it: folders are walked in a thread that nothing else waits for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from fullfield.jobs.inputs import Found, discover
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.widgets.message_bar import Message

PATIENCE_MILLISECONDS = 700  # most folders are walked before anybody could read that they are


class Opening(QObject):
    """`found`: a Found; `failed`: an exception; `said`: a Message while a walk takes long, then `withdrawn`."""

    found = Signal(object)
    failed = Signal(object)
    said = Signal(object)
    withdrawn = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = Tasks(self)
        self._walks = 0
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(PATIENCE_MILLISECONDS)
        self._late.timeout.connect(self._say)

    def open(self, paths: Sequence[Path]) -> None:
        """Look for images in these files and folders."""
        self._walks += 1
        if not self._late.isActive():
            self._late.start()
        self._tasks.start(lambda: discover(paths), self._find, failed=self._fail)

    def close(self) -> None:
        """Begin no walk any more; one that goes on is waited for."""
        self._late.stop()
        self._tasks.close()

    def _find(self, found: Found) -> None:
        self._end_walk()
        self.found.emit(found)

    def _fail(self, error: BaseException) -> None:
        self._end_walk()
        self.failed.emit(error)

    def _end_walk(self) -> None:
        self._walks -= 1
        if not self._walks:
            self._late.stop()
            self.withdrawn.emit(self._title())

    def _say(self) -> None:
        text = self.tr("A slow drive takes its time. The images that are in the list can be worked on meanwhile.")
        self.said.emit(Message(title=self._title(), text=text, trouble=False))

    def _title(self) -> str:
        return self.tr("Looking for radiographs…")

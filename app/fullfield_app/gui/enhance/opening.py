"""From what the user named to the list of images: folders are walked in a thread that nothing else waits for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from fullfield.image.method import Method
from fullfield.inputs.files import Found, discover
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.enhance.work import Work
from fullfield_app.gui.widgets.message_bar import Message

PATIENCE_MILLISECONDS = 700  # most folders are walked before anybody could read that they are


class Opening(QObject):
    """`failed`: an exception; `said`: a Message, `withdrawn` once it is no longer true; `noticed`: a sentence."""

    failed = Signal(object)
    said = Signal(object)
    withdrawn = Signal(str)
    noticed = Signal(str)

    def __init__(self, work: Work, chosen: Callable[[], str], parent: QObject | None = None) -> None:
        """What is opened is enhanced with what is `chosen` then."""
        super().__init__(parent)
        self._work, self._chosen = work, chosen
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
        self._tasks.start(lambda: discover(paths), self._add, failed=self._fail)

    def close(self) -> None:
        """Begin no walk any more; one that goes on is waited for."""
        self._late.stop()
        self._tasks.close()

    def _add(self, found: Found) -> None:
        self._end_walk()
        for error in found.errors:
            self.failed.emit(error)
        passed_over = self._passed_over(found.passed_over)
        if passed_over:
            self.noticed.emit(passed_over)
        if not self._work.add(found.items, Method(choice=self._chosen())):
            known, none = self.tr("All of these images are in the list already."), self.tr("There are no files in it.")
            text = known if found.items else passed_over or none
            self.said.emit(Message(title=self.tr("Nothing new was opened."), text=text, trouble=False))

    def _passed_over(self, count: int) -> str:
        one, many = self.tr("1 other file passed over."), self.tr("{count} other files passed over.")
        return (one if count == 1 else many.format(count=count)) if count else ""

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

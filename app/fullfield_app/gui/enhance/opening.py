"""From what the user named to the list of images: folders are walked in threads that nothing else waits for, nor one
for another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

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
        self._walks: dict[Tasks, Callable[[], object] | None] = {}  # in their order, and what is done of an ended one
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(PATIENCE_MILLISECONDS)
        self._late.timeout.connect(self._say)
        self._late.timeout.connect(self._take_in)

    def open(self, paths: Sequence[Path]) -> None:
        """Look for images in these files and folders."""
        tasks = Tasks(self, waits=False)
        self._walks[tasks] = None
        if not self._late.isActive():
            self._late.start()
        add, fail = partial(self._end, tasks, self._add), partial(self._end, tasks, self.failed.emit)
        listed = self._work.queue.places()
        tasks.start(lambda: discover(paths, listed=listed, strict=False), add, failed=fail)

    def close(self) -> None:
        """Begin no walk any more; those that go on are left."""
        self._late.stop()
        for tasks in self._walks:
            tasks.close()

    def _end(self, tasks: Tasks, take: Callable[[Any], object], what: object) -> None:
        self._walks[tasks] = partial(take, what)
        self._take_in()

    def _take_in(self) -> None:
        """In the order in which they were named, but for what comes after a walk that takes long."""
        for tasks, take in tuple(self._walks.items()):
            if take is not None:
                del self._walks[tasks]
                tasks.close()
                tasks.deleteLater()
                take()
            elif self._late.isActive():
                return
        if not self._walks:
            self._late.stop()
            self.withdrawn.emit(self._title())

    def _add(self, found: Found) -> None:
        for error in found.errors:
            self.failed.emit(error)
        passed_over = self._passed_over(found.passed_over)
        if passed_over:
            self.noticed.emit(passed_over)
        added = self._work.add(found.items, Method(choice=self._chosen()))
        if not added and (found.items or not found.errors):
            known, none = self.tr("All of these images are in the list already."), self.tr("There are no files in it.")
            text = known if found.items else passed_over or none
            self.said.emit(Message(title=self.tr("Nothing new was opened."), text=text, trouble=False))

    def _passed_over(self, count: int) -> str:
        one, many = self.tr("1 other file passed over."), self.tr("{count} other files passed over.")
        return (one if count == 1 else many.format(count=count)) if count else ""

    def _say(self) -> None:
        text = self.tr("A slow drive takes its time. The images that are in the list can be worked on meanwhile.")
        self.said.emit(Message(title=self._title(), text=text, trouble=False))

    def _title(self) -> str:
        return self.tr("Looking for radiographs…")

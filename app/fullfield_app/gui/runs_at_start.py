"""What became of trainings while the window was closed: looked up once, in the background, and said.

Imports nothing that the first window would have to wait for.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.widgets.message_bar import Message


class RunsAtStart(QObject):
    """`said`: a Message with the way to the runs; `show_run` turns to the page of one, or to all (None).
    `withdrawn`: the title of one that has been seen to."""

    said = Signal(object)
    withdrawn = Signal(str)

    def __init__(self, show_run: Callable[[Path | None], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._show_run = show_run
        self._tasks = Tasks(self)
        self._titles: list[str] = []

    def look(self) -> None:
        """Look for trainings that go on, and for those that died."""
        self._tasks.start(_unfinished, self._tell, failed=lambda _: None)  # the page of runs says what is wrong there

    def forget(self) -> None:
        """The runs are looked at: nothing need be said any more."""
        for title in self._titles:
            self.withdrawn.emit(title)
        self._titles = []

    def close(self) -> None:
        """Tell nothing any more."""
        self._tasks.close()

    def _tell(self, found: tuple[list[Path], list[Path]]) -> None:
        running, died = found
        if running:
            one, many = self.tr("A training is running."), self.tr("{count} trainings are running.")
            self._say(one if len(running) == 1 else many.format(count=len(running)), running, trouble=False)
        if died:
            one = self.tr("The last run ended unexpectedly.")
            many = self.tr("{count} runs ended unexpectedly.").format(count=len(died))
            text = self.tr("What was saved is kept: resume it, or look at its report.")
            self._say(one if len(died) == 1 else many, died, text=text, trouble=True)

    def _say(self, title: str, found: list[Path], *, trouble: bool, text: str = "") -> None:
        def act() -> None:
            self._show_run(found[0] if len(found) == 1 else None)

        self._titles.append(title)
        action = self.tr("Show the run") if len(found) == 1 else self.tr("Show the runs")
        self.said.emit(Message(title=title, text=text, trouble=trouble, action=action, act=act))


def _unfinished() -> tuple[list[Path], list[Path]]:
    from fullfield.jobs import runs  # in the background: the window is there already

    return runs.unfinished()

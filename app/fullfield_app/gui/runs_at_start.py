"""What became of trainings while the window was closed, said when it opens; and what is asked when it closes again.

Imports nothing that the first window would have to wait for.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from fullfield.errors import FullfieldError
from fullfield.jobs.handle import JobHandle
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.runs.wanted import REPORT, RESUME, Wanted
from fullfield_app.gui.widgets.message_bar import Message
from fullfield_app.gui.widgets.question import Question


class RunsAtStart(QObject):
    """`said`: a Message with the way to the runs; `show_run` turns to the page of the one that is Wanted, or to all
    (None). `withdrawn`: the title of one that has been seen to."""

    said = Signal(object)
    withdrawn = Signal(str)

    def __init__(self, show_run: Callable[[Wanted | None], object], parent: QObject | None = None) -> None:
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

    def question(self, attach: Callable[[Path], JobHandle]) -> Question | None:
        """Whether trainings that are at work now, whoever looks at them, go on when the window closes; None where none
        is."""
        from fullfield_app.gui.runs import asking

        with contextlib.suppress(OSError):  # a window whose runs cannot be listed closes all the same
            running, _ = _unfinished()
            return asking.closing(len(running), lambda: _stop(running, attach)) if running else None
        return None

    def close(self) -> None:
        """Tell nothing any more."""
        self._tasks.close()

    def _tell(self, found: tuple[list[Path], list[Path]]) -> None:
        running, died = found
        if running:
            one, many = self.tr("A training is running."), self.tr("{count} trainings are running.")
            title = one if len(running) == 1 else many.format(count=len(running))
            self._say(Message(title=title, trouble=False, action=self._way(running), act=self._showing(running)))
        if len(died) == 1:
            self._say(
                Message(
                    title=self.tr("A run ended unexpectedly."),
                    text=self.tr("What was saved is kept: resume it, or look at its report."),
                    action=self.tr("Resume the run"),
                    act=self._showing(died, RESUME),
                    other=self.tr("Show its report"),
                    act_other=self._showing(died, REPORT),
                )
            )
        elif died:
            title = self.tr("{count} runs ended unexpectedly.").format(count=len(died))
            text = self.tr("What was saved is kept: resume them, or look at their reports.")
            self._say(Message(title=title, text=text, action=self._way(died), act=self._showing(died)))

    def _way(self, found: list[Path]) -> str:
        return self.tr("Show the run") if len(found) == 1 else self.tr("Show the runs")

    def _showing(self, found: list[Path], then: str = "") -> Callable[[], object]:
        wanted = Wanted(folder=found[0], then=then) if len(found) == 1 else None
        return lambda: self._show_run(wanted)

    def _say(self, message: Message) -> None:
        self._titles.append(message.title)
        self.said.emit(message)


def _unfinished() -> tuple[list[Path], list[Path]]:
    from fullfield.runs import runs

    return runs.unfinished()


def _stop(folders: list[Path], attach: Callable[[Path], JobHandle]) -> None:
    for folder in folders:
        with contextlib.suppress(FullfieldError, OSError):  # gone since it was asked: there is nothing to stop
            attach(folder).stop()

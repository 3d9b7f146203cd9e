"""What the user is told of the worker that enhances: that it is ready, has ended or does not answer; what to do."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from fullfield.errors import FullfieldError
from fullfield_app.gui.enhance.work import Work
from fullfield_app.gui.widgets.message_bar import Message


class WorkerNews(QObject):
    """`said`: a Message, `withdrawn` by its title once it is no longer true; `noticed`: a sentence."""

    said = Signal(object)
    withdrawn = Signal(str)
    noticed = Signal(str)

    def __init__(self, work: Work, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work, self._lost = work, ""
        work.started.connect(self._on_started)
        work.lost.connect(self._on_lost)
        work.silent.connect(self._on_silent)

    def _on_started(self) -> None:
        self.noticed.emit(self.tr("Ready."))
        for title in (self._lost, self._silence()):
            self.withdrawn.emit(title)

    def _on_lost(self, error: FullfieldError) -> None:
        self._lost = error.title
        text = self.tr("{why} Your list is kept.").format(why=f"{error.detail} {error.hint}".strip())
        self.said.emit(Message(title=error.title, text=text, action=self.tr("Start again"), act=self._work.start))
        self.noticed.emit(self.tr("The worker is not running."))

    def _on_silent(self, silent: bool) -> None:
        if not silent:
            self.withdrawn.emit(self._silence())
            return
        text = self.tr("It has given no sign of life for some seconds. Wait, or start another one. Your list is kept.")
        again, act = self.tr("Start again"), self._work.end_at_once
        self.said.emit(Message(title=self._silence(), text=text, action=again, act=act))

    def _silence(self) -> str:
        return self.tr("The worker does not answer.")

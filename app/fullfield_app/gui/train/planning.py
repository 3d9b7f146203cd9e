"""The planning worker as the page uses it: the latest question is asked, its answer told; an older answer is dropped.

No widget. The worker is started with the first question and kept; when it has died, `lost` says so and `start` begins
anew.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from fullfield.errors import FullfieldError
from fullfield.jobs.handle import Launch
from fullfield.protocol.commands import Stop
from fullfield.protocol.events import Event
from fullfield.protocol.planning import PlanningSpec, PlanSpec
from fullfield.protocol.setup_commands import Ask
from fullfield.protocol.setup_events import MachineProbed, PlanReady, PlanRefused, TechniquesJudged
from fullfield_app.gui.bridge.job_bridge import Session
from fullfield_app.gui.bridge.throttle import Throttle
from fullfield_app.gui.bridge.workers import own_job

TYPING_MILLISECONDS = 80  # a slider or a spin box asks at most so often


@dataclass(frozen=True, kw_only=True)
class Question:
    """`compare`: techniques of which is told what they
    change; `fit`: the planner chooses."""

    asked: PlanSpec
    compare: tuple[str, ...]
    fit: bool = False


class Planning(QObject):
    """`machine`: a MachineTold. `planned`, `fitted`: a PlanTold on the set, or of the planner's choice. `refused`: a
    PlanRefused and whether it was the planner. `judged`: TechniquesJudged, of the set. `busy`: an answer on the set is
    awaited, or was superseded by a question to the planner."""

    machine = Signal(object)
    planned = Signal(object)
    fitted = Signal(object)
    refused = Signal(object, bool)
    judged = Signal(object)
    busy = Signal(bool)
    lost = Signal(object)

    def __init__(self, launch: Launch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._number = 0
        self._waiting: Question | None = None
        self._sent: Question | None = None
        self._running = False
        self._session = Session(lambda: launch(own_job(PlanningSpec())), self, grace=0.0)  # it has nothing to lose
        self._throttle = Throttle(TYPING_MILLISECONDS, self)
        self._session.reported.connect(self._receive)
        self._session.refused.connect(self._lose)
        self._session.ended.connect(lambda _, died: self._lose(died))
        self._throttle.passed.connect(self._ask)

    @property
    def waiting(self) -> bool:
        """Something was asked and not answered."""
        return self._waiting is not None

    def ask(self, question: Question) -> None:
        """Ask, soon; an earlier question that has no answer yet is forgotten."""
        self._waiting = question
        if not question.fit:
            self.busy.emit(True)
        self._throttle.offer(question)

    def drop(self) -> None:
        """Nobody wants to know any more what was asked last."""
        self._waiting = self._sent = None
        self.busy.emit(False)

    def start(self) -> None:
        """Start the worker, in place of one that is gone or busy with what nobody wants to know any more."""
        self._running = True
        self._session.start()
        if self._waiting is not None:
            self._ask(self._waiting)

    def rest(self) -> None:
        """Let the worker go, and with it what it holds of the card; the next question starts another, and not one that
        is still waiting."""
        if self.waiting:
            self.drop()
        if self._running:
            self._running = False
            self._session.post(Stop())

    def close(self) -> None:
        """End the worker; returns when it is gone."""
        self._running = False
        self._session.close()

    def _ask(self, question: Question) -> None:
        if question is not self._waiting:
            return  # a later one took its place, or its answer is here
        if not self._running:
            self.start()
            return
        self._number, self._sent = self._number + 1, question
        self._session.post(Ask(number=self._number, asked=question.asked, compare=question.compare))

    def _receive(self, news: tuple[Event, ...]) -> None:
        for event in news:
            match event:
                case MachineProbed():
                    self.machine.emit(event)
                case PlanReady(number=self._number) | PlanRefused(number=self._number) if self._waiting is not None:
                    self._answer(event, self._waiting)
                case TechniquesJudged(number=self._number) if self._sent is not None and not self._sent.fit:
                    if self._waiting is None:  # else it is of the question before
                        self.judged.emit(event)
                case _:
                    pass

    def _answer(self, event: PlanReady | PlanRefused, question: Question) -> None:
        if question is not self._sent:
            return  # of the question before: the one that is waited for has not even been sent
        self._waiting = None
        if not question.fit:
            self.busy.emit(False)
        if isinstance(event, PlanRefused):
            self.refused.emit(event, question.fit)
        elif question.fit:
            self.fitted.emit(event)
        else:
            self.planned.emit(event)

    def _lose(self, error: FullfieldError) -> None:
        if self._running:  # else it was let go
            self._running = False
            self.busy.emit(False)
            self.lost.emit(error)

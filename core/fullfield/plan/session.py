"""The job "planning": questions about a training that is being set up are answered while the form is being changed.

Only the latest question (`Ask`) is answered. What single techniques would change is told at once where it has been
traced, and else traced while nothing is asked.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fullfield import system
from fullfield.checked import Fields
from fullfield.context import Context
from fullfield.errors import FullfieldError, UsageError
from fullfield.hardware import cards, devices, present, rate
from fullfield.plan import predicting, where
from fullfield.plan.predicting import Predictor
from fullfield.plan.question import Question, judged
from fullfield.protocol.plan import Plan
from fullfield.protocol.planning import PlanningSpec
from fullfield.protocol.setup_commands import Ask
from fullfield.protocol.setup_events import Card, MachineProbed, PlanReady, PlanRefused, TechniquesJudged
from fullfield.techniques import compose, here, networks, registry
from fullfield.techniques.base import Stage, Technique, Tier

if TYPE_CHECKING:
    from fullfield.techniques.costing import Costing

TICK_SECONDS = 0.02
IDLE_SECONDS = 0.4  # so long nothing is asked before something is traced ahead


def run(spec: PlanningSpec, context: Context) -> Fields:
    """Answer until the run is asked to stop."""
    _tell_machine(spec.device, context)
    inbox = _Inbox(context)
    desk = _Desk(context, inbox)
    received = time.monotonic()
    while not context.stopping():
        with contextlib.suppress(_Superseded):
            ask = inbox.take()
            if ask is not None:
                received = time.monotonic()
                desk.answer(ask)
            elif time.monotonic() - received < IDLE_SECONDS or not desk.look_ahead():
                time.sleep(TICK_SECONDS)
    return {}


def _tell_machine(device: str, context: Context) -> None:
    chosen = devices.choose(device)
    card = here.card(chosen)
    known = tuple(Card(title=one.title, total_bytes=one.total_bytes) for one in cards.CARDS)
    context.emit(
        MachineProbed(
            device=card.kind,
            title=card.title,
            why=chosen.why,
            total_bytes=card.total_bytes,
            free_bytes=card.free_bytes,
            cards=known,
            devices=present.found(),
            cores=min(cards.MOST, system.spare_cores() + 1),
            alone=system.alone(),
        )
    )


class _Superseded(Exception):
    """Something newer is asked, or the end: nobody wants to know the rest."""


class _Inbox:
    """The latest question."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._latest: Ask | None = None

    def take(self) -> Ask | None:
        """The latest question that was not taken yet."""
        self._look()
        latest, self._latest = self._latest, None
        return latest

    def check(self) -> None:
        """Raise _Superseded where something newer has come."""
        self._look()
        if self._latest is not None or self._context.stopping():
            raise _Superseded

    def _look(self) -> None:
        asked = [command for command in self._context.commands() if isinstance(command, Ask)]
        if asked:
            self._latest = asked[-1]


class _Desk:
    """Answers with what it has traced so far: a `Predictor` for each site, `Costing`s shared by network and device."""

    def __init__(self, context: Context, inbox: _Inbox) -> None:
        self._context, self._inbox = context, inbox
        self._costings: dict[tuple[str, str, int], Costing] = {}
        self._predictors: dict[tuple[object, ...], Predictor] = {}
        self._judging: _Judging | None = None
        self._rates: dict[str, float] = {}

    def answer(self, ask: Ask) -> None:
        """Tell the plan or why there is none, and what single techniques would change."""
        self._judging = None
        try:
            question = judged(ask.asked)
            predictor = self._predictor(question)
        except FullfieldError as error:
            self._context.emit(PlanRefused(number=ask.number, error=error.as_fields()))
            return
        try:
            predictor.renew(question)
            found = predicting.answer(question, predictor)
        except FullfieldError as error:
            self._context.emit(PlanRefused(number=ask.number, error=error.as_fields()))
            if isinstance(error, UsageError) and question.techniques is not None:
                self._judge(ask, predictor, question.techniques)
            return
        self._context.emit(
            PlanReady(
                number=ask.number,
                plan=found.plan,
                ladder=found.next,
                refused=list(found.refused),
                curve=found.curve,
                free_bytes=predictor.free_bytes,
                limits=predictor.limits,
                asked_bytes=question.budget,
                step_seconds=self._step_seconds(question, predictor, found.plan),
            )
        )
        self._judge(ask, predictor, found.plan.techniques)

    def look_ahead(self) -> bool:
        """Trace one technique that nobody has asked about yet; False where there is nothing left to trace."""
        if self._judging is None or not self._judging.trace_one():
            self._judging = None
            return False
        self._context.emit(self._judging.reported())
        return True

    def _predictor(self, question: Question) -> Predictor:
        encoder, targets, threads = question.encoder, where.targets(question), where.threads(question)
        devices.compute_with(threads)  # as trainings do
        asked = (question.gpu, question.cards, question.link, question.processes, question.nodes, question.device)
        site = (encoder, targets[0].device, asked, question.height, question.width, question.batch, question.lowest)
        if site not in self._predictors:
            names = (targets[0].device, devices.CPU) if where.mixed(targets) else (targets[0].device,)
            costings = [self._costing(encoder, name, threads) for name in names]
            self._predictors[site] = Predictor(question, *costings)
        return self._predictors[site]

    def _costing(self, encoder: str, device: str, threads: int) -> Costing:
        """One for each file: two would lose each other's."""
        from fullfield.techniques import costing

        traced = (encoder, device, threads if device == devices.CPU else 0)
        if traced not in self._costings:
            self._costings[traced] = costing.kept(encoder, device, self._inbox.check)
        return self._costings[traced]

    def _step_seconds(self, question: Question, predictor: Predictor, plan: Plan) -> float:
        """By how fast this device is, which is measured once; 0 for one that is not here or too full to measure. Of the
        processors of several computers, by their cores."""
        if question.elsewhere:
            return 0.0
        if question.nodes:
            return predictor.plain_seconds * plan.time_factor
        device = where.targets(question)[0].device
        if not self._rates.get(device):
            self._rates[device] = rate.flops_per_second(device)
        known = self._rates[device]
        return predictor.plain_flops * plan.time_factor / known if known else 0.0

    def _judge(self, ask: Ask, predictor: Predictor, techniques: tuple[str, ...]) -> None:
        with contextlib.suppress(UsageError):  # no techniques to compare, or no set that could be: that has been said
            self._judging = _Judging(ask, predictor, techniques)
            self._context.emit(self._judging.reported())


class _Judging:
    """What each of the compared techniques would change in a set."""

    def __init__(self, ask: Ask, predictor: Predictor, techniques: tuple[str, ...]) -> None:
        self._number, self._predictor = ask.number, predictor
        self._sets = dict(_toggled(techniques, ask.compare))
        self._refused = dict(self._refusals(ask.compare))
        self._plans: dict[str, Plan] = {}
        self._left = list(self._possible())

    def reported(self) -> TechniquesJudged:
        """What is known now."""
        return TechniquesJudged(
            number=self._number,
            refused=self._refused,
            peaks={name: plan.process_bytes for name, plan in self._plans.items()},
            times={name: plan.time_factor for name, plan in self._plans.items()},
            fixed_bytes=self._predictor.fixed_bytes,
        )

    def trace_one(self) -> bool:
        """Trace the next that is not slow to trace; False where none is left."""
        while self._left:
            name = self._left[0]
            fast = not self._slow(registry.all_techniques()[name])
            if fast:
                self._plans[name] = self._predictor.plan(self._sets[name])
                self._predictor.keep()
            self._left.remove(name)
            if fast:
                return True
        return False

    def _slow(self, kind: type[Technique]) -> bool:
        """Whether it takes long to trace: what changes the model, and what the planner asks about last."""
        if networks.why_not(kind, self._predictor.site) is not None:
            return False  # nor can it be traced
        latest = max((one.tier for one in kind.candidates(self._predictor.site)), default=Tier.USUAL)
        return kind.stage <= Stage.MODEL or latest >= Tier.LAST_RESORT

    def _possible(self) -> Iterator[str]:
        """The names of those that are not known yet, as the others are looked up."""
        for name, techniques in self._sets.items():
            added = any(one.name == name for one in techniques)
            if compose.refusals(techniques, self._predictor.site) or (added and name in self._refused):
                continue
            plan = self._predictor.known(techniques)
            if plan is None:
                yield name
            else:
                self._plans[name] = plan

    def _refusals(self, compare: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        for text in compare:
            technique = registry.read(text)
            reason = networks.refused(technique, self._predictor.site) or technique.useless(self._predictor.site)
            if reason is not None:
                yield technique.name, f"{reason.text} {reason.hint}".strip()


def _toggled(techniques: tuple[str, ...], compare: tuple[str, ...]) -> Iterator[tuple[str, tuple[Technique, ...]]]:
    """The set with each technique that is not in it, and without each that is; sets that do not go are left out."""
    chosen = {text.partition(":")[0]: text for text in techniques}
    for text in compare:
        name = text.partition(":")[0]
        changed = {key: value for key, value in chosen.items() if key != name}
        if name not in chosen:
            changed[name] = text
        try:
            yield name, compose.read(changed.values())
        except UsageError:
            continue

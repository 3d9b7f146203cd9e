"""Between the planning worker and what shows its answers: asks when the form has changed, hands on what comes back."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from fullfield.data.survey import Survey
from fullfield.errors import FullfieldError, MissingPart, UsageError
from fullfield.jobs.handle import Launch
from fullfield.plan import encoders
from fullfield.protocol.computers import Computer
from fullfield.protocol.places import LOCAL
from fullfield.protocol.plan import Plan
from fullfield.protocol.planning import PlanSpec
from fullfield.protocol.setup_events import MachineProbed, NodeProbed, PlanReady, PlanRefused, TechniquesJudged
from fullfield_app.gui.train import choices as forms
from fullfield_app.gui.train import node_words, places, plan_facts, where_words
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.train.fit_dialog import FitDialog
from fullfield_app.gui.train.plan_facts import Facts, Light
from fullfield_app.gui.train.planning import Planning, Question
from fullfield_app.gui.train.start_side import StartSide
from fullfield_app.gui.train.technique_side import TechniqueSide
from fullfield_app.gui.train.techniques import readable

# Settings that a plan depends on.
_DECIDING = frozenset({"size", "batch", "techniques", "network", "encoder", "device", "place"})


class PlanDesk(QObject):
    """`used`: texts of a set that the planner chose and the user takes. `shown`: another plan is. `noticed`: a
    sentence. `lost`: an error.
    """

    used = Signal(object)
    shown = Signal()
    noticed = Signal(str)
    lost = Signal(object)

    def __init__(self, launch: Launch, techniques: TechniqueSide, start: StartSide, owner: QWidget) -> None:
        super().__init__(owner)
        self.planning = Planning(launch, self)
        self._techniques, self._start, self._owner = techniques, start, owner
        self._machine: MachineProbed | None = None
        self._facts: Facts | None = None
        self._site: PlanSpec | None = None
        self._judged: tuple[PlanSpec | None, TechniquesJudged] | None = None  # at which site
        self._choices = Choices()
        self._there: NodeProbed | None = None
        self._nodes: tuple[Computer, ...] = ()
        self._waits, self._unlinked = False, ""
        self._survey: Survey | None = None
        self._dialog: FitDialog | None = None
        self._connect_signals()

    @property
    def fits(self) -> bool:
        """False where these settings are known not to fit on this computer."""
        return bool(self._choices.gpu) or self.facts is None or self.facts.light is not Light.NO

    @property
    def facts(self) -> Facts | None:
        """Of the plan of these settings; None while there is none."""
        return self._facts

    @property
    def techniques(self) -> tuple[str, ...]:
        """Those to train with: with what the planner adds so that several processes share a step."""
        return self.facts.techniques if self._shares and self.facts is not None else self._choices.chosen.texts

    @property
    def obstacle(self) -> str:
        """Why a training by these settings cannot start yet: nobody has said what its processes share."""
        awaited = self._shares and not self._nodes and self.facts is None and not self._choices.value("fit")
        return self.tr("There is no plan yet that says what the devices share.") if awaited else ""

    @property
    def step_seconds(self) -> float:
        """Of a step with these settings, on this computer, roughly; 0: not known."""
        return self.facts.step_seconds if self.facts is not None else 0.0

    def ask(
        self,
        choices: Choices,
        survey: Survey | None,
        mistakes: dict[str, str],
        there: NodeProbed | None = None,
        *,
        nodes: tuple[Computer, ...] = (),
        unlinked: str = "",
        waits: bool = False,
    ) -> None:
        """Ask what this training takes; with mistakes there is nothing to ask. `there`: what the machine has that the
        form names, where that is not this computer; `nodes`: those that train one network together, `unlinked`: why
        the link between them could not be measured; `waits`: it is planned there, see `NodesDesk`."""
        self._choices, self._survey, self._there, self._waits = choices, survey, there, waits
        self._nodes, self._unlinked = nodes, unlinked
        if self._dialog is not None and self._dialog.isVisible():
            self._dialog.ask()  # what is planned for has changed; the page's own question follows when it is closed
            return
        self._site = None if mistakes.keys() & _DECIDING else self._asked()
        if self._site is None:
            self.planning.drop()
            self._show_refusal(self._no_question(mistakes))
            return
        self.planning.ask(Question(asked=self._of_set(self._site), compare=self._compare()))

    def fit(self) -> None:
        """Let the planner choose."""
        if self._dialog is None:
            self._dialog = FitDialog(self._owner)
            self._dialog.asked.connect(self._ask_fit)
            self._dialog.used.connect(self.used)
            self._dialog.rejected.connect(self._ask_again)
        if self._facts is not None:
            self._dialog.show_free(self._facts.limit)
        self._dialog.open()
        self._dialog.ask()

    def close(self) -> None:
        """End the worker."""
        self.planning.close()

    # Within -----------------------------------------------------------------------------------------------------

    def _connect_signals(self) -> None:
        planning = self.planning
        planning.machine.connect(self._know)
        planning.planned.connect(self._show)
        planning.fitted.connect(self._show_fitted)
        planning.refused.connect(self._refuse)
        planning.judged.connect(self._judge)
        planning.busy.connect(self._wait)
        planning.lost.connect(self._lose)
        self._techniques.fit.clicked.connect(self.fit)

    def _asked(self) -> PlanSpec | None:
        shape = forms.shape(self._choices, self._survey) if isinstance(self._size(), int | str) else None
        if shape is None or self._unknown or self._waits:
            return None
        choices, there = self._choices, None if self._nodes else self._there
        return PlanSpec(
            height=shape[0],
            width=shape[1],
            batch=choices.value("batch"),
            lowest=forms.lowest(choices, self._survey),
            encoder=encoders.called(choices.value("network"), choices.value("encoder")),
            device=choices.value("device") if there is None else places.CPU,
            gpu=f"{node_words.free_bytes(there)} B" if there is not None and there.cards else choices.gpu,
            processes=1 if choices.gpu else choices.processes,
            nodes=self._nodes,
        )

    @property
    def _unknown(self) -> str:
        """The machine that is to train, where nobody knows what it has."""
        return places.node(self._choices) if self._there is None else ""

    @property
    def _shares(self) -> bool:
        """Several processes train, and it is the planner's to choose what they share: the set does not say it."""
        chosen = self._choices.chosen
        named = any(chosen.technique(name).stage.of_ranks for name in chosen.names)
        several = self._choices.processes > 1 or len(self._nodes) > 1
        return several and not self._choices.gpu and not named

    def _of_set(self, site: PlanSpec) -> PlanSpec:
        """What is asked about the set of the form."""
        texts = tuple(self._choices.chosen.texts)
        return replace(site, always=texts) if self._shares else replace(site, techniques=texts)

    def _size(self) -> object:
        size = self._choices.value("size")
        return size if size == forms.NATIVE or isinstance(size, int) else None

    def _compare(self) -> tuple[str, ...]:
        return self._choices.chosen.compared

    def _no_question(self, mistakes: dict[str, str]) -> UsageError:
        """Why nothing can be asked."""
        if mistakes.keys() & _DECIDING:
            return UsageError(self.tr("There is no plan before the settings are corrected."))
        if self._waits:
            return UsageError(self.tr("What it takes is planned there, once the cluster gives it a machine."))
        if self._unknown:
            text = self.tr("There is no plan before {machine} is ready.").format(machine=self._unknown)
            return UsageError(text)
        return UsageError(self.tr("Choose the images first: at native size they decide how much memory it takes."))

    def _ask_again(self) -> None:
        mistakes, unlinked = self._choices.mistakes(), self._unlinked
        self.ask(
            self._choices,
            self._survey,
            mistakes,
            self._there,
            nodes=self._nodes,
            unlinked=unlinked,
            waits=self._waits,
        )

    def _ask_fit(self, budget: int, approximate: bool) -> None:
        asked = self._asked()
        if self._dialog is None:
            return
        if asked is None:
            self._dialog.show_refusal(self._no_question(self._choices.mistakes()))
            return
        if self._there is not None and not self._nodes:
            budget = budget or node_words.free_bytes(self._there)
        asked = replace(asked, budget=budget, approximate=approximate)
        self.planning.ask(Question(asked=asked, compare=self._compare(), fit=True))

    def _know(self, machine: MachineProbed) -> None:
        self._machine = machine
        self._start.card.show_machine(machine)
        self._start.where.show_machine(machine)
        self.noticed.emit(machine.why)

    def _wait(self, busy: bool) -> None:
        """What was told is of other settings or of another time: none of it stays."""
        if busy:
            self._facts = None
            self._start.plan.show_waiting()
            self._start.where.show_sentence("")
            self._techniques.list.show_unknown(self._refused(), awaited=True)

    def _refused(self) -> dict[str, str]:
        """Which techniques are impossible, where that is known of the site that is asked about."""
        return self._judged[1].refused if self._judged is not None and self._judged[0] == self._site else {}

    def _lose(self, error: FullfieldError) -> None:
        if self.planning.waiting:
            self._show_refusal(error)
            if self._dialog is not None:
                self._dialog.show_refusal(error)  # a message in the window lies behind it
        if not isinstance(error, MissingPart):  # each change of the form would say it again
            self.lost.emit(error)

    def _on_cpu(self, plan: Plan) -> bool:
        """Whether the computer's own memory is what the plan is about: of a card and the processor, that of the
        fullest."""
        if self._nodes:
            return self._choices.value("device") == places.CPU or not self._nodes[0].cards
        if self._there is not None:
            return not self._there.cards
        if self._choices.gpu or self._machine is None:
            return not self._choices.gpu
        ticks = places.ticked(self._machine, self._choices)
        return places.CPU in ticks and (len(ticks) == 1 or plan.library_bytes > 0)

    def _show(self, event: PlanReady) -> None:
        on_cpu = self._on_cpu(event.plan)
        self._facts = plan_facts.of(event, on_cpu=on_cpu)
        if self._there is not None and not self._nodes:
            self._facts = plan_facts.there(self._facts, node_words.free_bytes(self._there))
        self._start.plan.show_facts(self._facts, on_cpu=on_cpu, machine=places.node(self._choices))
        self._start.where.show_sentence(self._sentence(self._facts, on_cpu=on_cpu))
        self.shown.emit()

    def _sentence(self, facts: Facts, *, on_cpu: bool) -> str:
        if len(self._nodes) < 2:
            return where_words.sentence(facts, on_cpu=on_cpu)
        names = [self.tr("this computer") if one.name == LOCAL else one.name for one in self._nodes]
        steps = forms.steps(self._choices, self._survey) if self._survey is not None else 0
        seconds = facts.step_seconds * steps / self._choices.value("epochs")
        return where_words.on_machines(facts, names, epoch_seconds=seconds, unlinked=self._unlinked)

    def _show_fitted(self, event: PlanReady) -> None:
        on_cpu = self._on_cpu(event.plan)
        if self._dialog is not None:
            chosen, rungs = plan_facts.of(event, on_cpu=on_cpu), plan_facts.rungs(event, on_cpu=on_cpu)
            self._dialog.show_plan(chosen, rungs, tuple(event.refused), event.curve)

    def _refuse(self, event: PlanRefused, fit: bool) -> None:
        detail = readable(event.error["detail"])
        error = UsageError(event.error["title"], detail=detail, hint=event.error["hint"])
        if fit and self._dialog is not None:
            self._dialog.show_refusal(error)
        else:
            self._show_refusal(error)

    def _show_refusal(self, error: FullfieldError) -> None:
        self._facts = None
        self._start.plan.show_refusal(error)
        self._start.where.show_sentence("")
        self._techniques.list.show_unknown(self._refused(), awaited=False)

    def _judge(self, judged: TechniquesJudged) -> None:
        self._judged = (self._site, judged)
        self._techniques.list.show_judged(judged, self._facts)
        self._start.plan.show_fixed(judged.fixed_bytes)

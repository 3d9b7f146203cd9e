"""Start: what is asked before, and the run's process. Launching writes files, so it is done in the background."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from fullfield import files
from fullfield.errors import FullfieldError
from fullfield.jobs import job as jobs
from fullfield.jobs.job import Job
from fullfield.nodes import node as nodes
from fullfield.nodes.node import Node
from fullfield.plan import first_weights
from fullfield.plan.spec import AUTO, TrainSpec, network
from fullfield.protocol.places import LOCAL, several, which
from fullfield.protocol.plan import Plan
from fullfield.runs import ensemble, reading
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.train import node_words
from fullfield_app.gui.train.plan_facts import Facts
from fullfield_app.gui.widgets.question import Answer, Question, ask

KIND = "train"


class Starting(QObject):
    """`started`: the folder of the run, of an ensemble of that which follows its members. `failed`: an exception."""

    started = Signal(object)
    failed = Signal(object)

    def __init__(self, workers: Workers, owner: QWidget) -> None:
        super().__init__(owner)
        self._workers, self._owner = workers, owner
        self._busy = False
        self._predicted: Facts | None = None
        self._processes = self._members = self._least = 1
        self._nodes: tuple[Node, ...] = ()
        self._tasks = Tasks(self)
        self._tasks.failed.connect(self._fail)

    def begin(
        self,
        spec: TrainSpec,
        *,
        fits: bool,
        elsewhere: str,
        processes: int = 1,
        members: int = 1,
        least: int = 1,
        predicted: Facts | None = None,
    ) -> None:
        """Start a training of so many processes, or so many `members` of an ensemble, after asking what there is to
        ask. `fits`: its plan does; `elsewhere`: the card that the figures are of, where it is not this computer's;
        `least`: how many of several machines are enough; `predicted`: what is drawn beside what it then takes."""
        if self._busy:
            return
        self._predicted, self._processes = None if elsewhere else predicted, processes
        self._members, self._least = members, least
        self._busy = True
        self._tasks.start(lambda: self._look(spec), lambda found: self._ask(spec, fits, elsewhere, found))

    def close(self) -> None:
        """Wait for a run that is being launched: it goes on without the window."""
        self._tasks.close()

    def _look(self, spec: TrainSpec) -> bool:
        """Whether another training is at work where this one shall run, whoever started it."""
        self._nodes = tuple(map(nodes.find, several(spec.place))) if which(spec.place) else ()
        folders, places = files.runs_folder().glob(f"*-{KIND}-*"), ensemble.each_place(spec.place)
        return any(set(ensemble.each_place(_place(one))) & set(places) and self._alive(one) for one in folders)

    def _alive(self, folder: Path) -> bool:
        try:
            return (folder / "worker.json").exists() and self._workers.attach(folder).alive()
        except (FullfieldError, OSError):  # no run, or one of another version
            return False

    def _ask(self, spec: TrainSpec, fits: bool, elsewhere: str, running: bool) -> None:
        self._busy = False
        question = self._question(spec, fits, elsewhere, running)
        if question is None:
            self._launch(spec)
        else:
            ask(self._owner, question)

    def _question(self, spec: TrainSpec, fits: bool, elsewhere: str, running: bool) -> Question | None:
        anyway = self.tr("Start anyway")
        if running:
            text = self.tr("Two at once share memory and processor: both take longer, and one may run out of memory.")
            title = self.tr("A training is running already. Start another?")
            go_on = Answer(text=anyway, act=lambda: self._ask(spec, fits, elsewhere, running=False))
            return Question(title=title, text=text, answers=(go_on,), cancel=self.tr("Do not start"))
        if elsewhere:
            text = self.tr("The figures are for {card}. The training will run on this computer.")
            title, reported = self.tr("Start on this computer?"), text.format(card=elsewhere)
            here = Answer(text=self.tr("Start here"), act=lambda: self._launch(spec), default=True)
            return Question(title=title, text=reported, answers=(here,), cancel=self.tr("Do not start"))
        if not fits:
            text = self.tr("By its plan it takes more memory than is free. Techniques that take less can be added.")
            title = self.tr("This training does not fit. Start anyway?")
            act = lambda: self._launch(replace(spec, fit=AUTO))  # noqa: E731 - an answer's deed
            add = Answer(text=self.tr("Add what makes it fit"), act=act, default=True)
            go = Answer(text=anyway, act=lambda: self._launch(replace(spec, fit="")))
            return Question(title=title, text=text, answers=(add, go), cancel=self.tr("Do not start"))
        return None

    def _launch(self, spec: TrainSpec) -> None:
        """Last of all, ask whether the images may go where they would."""
        asked = tuple(node for node in self._nodes if not node.may_have_images)
        if asked:
            self._ask_consent(spec, asked)
        else:
            self._start(spec)

    def _ask_consent(self, spec: TrainSpec, asked: tuple[Node, ...]) -> None:
        names = ", ".join(node.name for node in asked)
        title = self.tr("Send the images to {machine}?").format(machine=names)
        agree = Answer(
            text=self.tr("Send and train"),
            act=lambda: self._start(spec, images_to=asked, always=box.checkBox().isChecked()),
        )
        tick = self.tr("Do not ask again for {machine}").format(machine=names)
        question = Question(
            title=title, text=node_words.consent(asked), answers=(agree,), cancel=self.tr("Do not send"), tick=tick
        )
        box = ask(self._owner, question)

    def _start(self, spec: TrainSpec, *, images_to: tuple[Node, ...] = (), always: bool = False) -> None:
        """`images_to`: the user has agreed that the images go there, `always` for all trainings from now on."""
        self._busy = True
        predicted = None if spec.fit else self._predicted  # a training that shall fit tells its own plan
        self._tasks.start(lambda: self._begin(spec, predicted, images_to, always), self._reported)

    def _begin(self, spec: TrainSpec, predicted: Facts | None, images_to: tuple[Node, ...], always: bool) -> Path:
        for node in images_to if always else ():
            nodes.allow_images(node)
        if spec.place == LOCAL:  # on another machine what is there decides
            spec = first_weights.decided(spec)
        addresses = tuple(node.address for node in images_to)
        if self._members > 1:
            folders = ensemble.new_folders(self._members)
            keep = f"{network(spec).name}-ensemble"
            made = ensemble.prepare(spec, folders, processes=self._processes, images_to=addresses, keep=keep)
            begun = self._workers.launch(Job.of(made)).folder
        else:
            nodes_named = f"{self._least}:{len(several(spec.place))}"
            job = Job.of(spec, processes=self._processes, nodes=nodes_named, images_to=",".join(addresses))
            begun = self._workers.launch(job).folder
            folders = [begun]
        if predicted is not None:
            plan = Plan(techniques=spec.techniques, process_bytes=predicted.total)
            for folder in folders:
                reading.predict(folder, plan, budget_bytes=predicted.budget or predicted.limit)
        return begun

    def _reported(self, folder: Path) -> None:
        self._busy = False
        self.started.emit(folder)

    def _fail(self, error: BaseException) -> None:
        self._busy = False
        self.failed.emit(error)


def _place(folder: Path) -> str:
    """Where a run is; one that cannot be read is taken for one of this computer."""
    try:
        return jobs.load(folder).place
    except FullfieldError:
        return LOCAL

"""How long the training that is set up is, why it cannot start, and the start of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from fullfield.data.survey import Survey
from fullfield.errors import UsageError
from fullfield.plan.spec import AUTO, shared
from fullfield.protocol.places import LOCAL
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.train import choices as forms
from fullfield_app.gui.train import places
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.train.duration import of_members, roughly
from fullfield_app.gui.train.nodes_desk import NodesDesk
from fullfield_app.gui.train.part_desk import PartDesk
from fullfield_app.gui.train.plan_desk import PlanDesk
from fullfield_app.gui.train.start_side import StartSide
from fullfield_app.gui.train.starting import Starting
from fullfield_app.gui.train.weights_desk import WeightsDesk
from fullfield_app.gui.translation import say_core


class StartDesk(QObject):
    """`able`: whether it can start now; `started`: the folder of the run; `failed`: an exception."""

    able = Signal(bool)
    started = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        workers: Workers,
        side: StartSide,
        plans: PlanDesk,
        nodes: NodesDesk,
        part: PartDesk,
        weights: WeightsDesk,
        owner: QWidget,
    ) -> None:
        super().__init__(owner)
        self._side, self._plans, self._nodes, self._part, self._weights = side, plans, nodes, part, weights
        self._choices = Choices()
        self._survey: Survey | None = None
        self._starting = Starting(workers, owner)
        self._starting.started.connect(self.started)
        self._starting.failed.connect(self.failed)
        for desk in (weights, part):
            desk.changed.connect(self._show_obstacle)
        plans.shown.connect(self.show)

    def follow(self, choices: Choices, survey: Survey | None) -> None:
        """The form or its images have changed."""
        self._choices, self._survey = choices, survey
        self.show()

    def show(self) -> None:
        """Say how long it is, and why it cannot start."""
        self._side.show_length("" if self._choices.mistakes() else self._length())
        self._show_obstacle()

    def begin(self, folder: Path) -> None:
        """Start to train on the images in `folder`, or say why that cannot be."""
        choices, plans = self._choices, self._plans
        try:
            spec, processes = choices.spec(str(folder.absolute())), choices.processes
            if self._nodes.waits or self._nodes.one_network:
                spec = replace(spec, fit=AUTO)  # nobody knows yet what it has to fit into, or with how many it goes on
            if not spec.fit:  # else the training's own plan says what they share
                spec = replace(spec, techniques=plans.techniques)
            shared(spec, processes)  # says why where they cannot
        except UsageError as error:
            self.failed.emit(error)
            return
        self._starting.begin(
            spec,
            processes=processes,
            members=choices.members,
            least=places.bounds(choices)[0],
            fits=plans.fits,
            elsewhere=choices.gpu,
            predicted=plans.facts,
        )

    def close(self) -> None:
        """Wait for a run that is being launched: it goes on without the window."""
        self._starting.close()

    def _show_obstacle(self) -> None:
        obstacle = self._obstacle()
        self._side.show_obstacle(obstacle)
        self.able.emit(not obstacle)

    def _length(self) -> str:
        if self._survey is None or not self._survey.radiographs:
            return ""
        steps, epochs = forms.steps(self._choices, self._survey), int(self._choices.value("epochs"))
        reported = of_members(self._amount(self._survey.training, steps, epochs), self._choices)
        seconds = self._plans.step_seconds * steps * self._choices.members
        if not seconds:
            return reported
        return self.tr("{steps} Very roughly {time} here.").format(steps=reported, time=roughly(seconds))

    def _amount(self, images: int, steps: int, epochs: int) -> str:
        counted = (
            (images, self.tr("1 image to learn from"), self.tr("{count} images to learn from")),
            (steps, self.tr("1 step"), self.tr("{count} steps")),
            (epochs, self.tr("1 epoch"), self.tr("{count} epochs")),
        )
        images_said, steps_said, epochs_said = (
            one if count == 1 else many.format(count=count) for count, one, many in counted
        )
        text = self.tr("{images}, {steps} in {epochs}.")
        return text.format(images=images_said, steps=steps_said, epochs=epochs_said)

    def _obstacle(self) -> str:
        if self._survey is None:
            return self.tr("Choose the images first.")
        wrong = self.tr("Correct the settings first.") if self._choices.mistakes() else ""
        here = LOCAL in places.together(self._choices)
        return (
            say_core(self._survey.problem)
            or wrong
            or self._nodes.obstacle
            or ("" if places.node(self._choices) and not here else self._part.obstacle)
            or self._weights.obstacle
            or self._plans.obstacle
        )

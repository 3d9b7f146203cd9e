"""The page that sets a training up, from left to right: the images, size and techniques, what it takes and Start.

It routes: what its parts ask goes to the workers, what those tell goes to the parts that show it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QVBoxLayout, QWidget

from fullfield.data.survey import Survey
from fullfield.errors import FullfieldError
from fullfield.plan.spec import AUTO
from fullfield_app.gui import actions as action_table
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.page import Page
from fullfield_app.gui.pages import RUNS
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.train import commands, places, remembered
from fullfield_app.gui.train.choices import Choices
from fullfield_app.gui.train.data_desk import DataDesk
from fullfield_app.gui.train.data_side import DataSide
from fullfield_app.gui.train.more_dialog import MoreDialog
from fullfield_app.gui.train.more_fields import preset_titles
from fullfield_app.gui.train.nodes_desk import NodesDesk
from fullfield_app.gui.train.part_bar import PartBar
from fullfield_app.gui.train.part_desk import PartDesk
from fullfield_app.gui.train.plan_desk import PlanDesk
from fullfield_app.gui.train.review_desk import ReviewDesk
from fullfield_app.gui.train.review_view import ReviewView
from fullfield_app.gui.train.start_desk import StartDesk
from fullfield_app.gui.train.start_side import StartSide
from fullfield_app.gui.train.surveying import Surveying
from fullfield_app.gui.train.technique_side import TechniqueSide
from fullfield_app.gui.train.techniques import Chosen, chosen
from fullfield_app.gui.train.weights_desk import WeightsDesk
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.message_bar import Message
from fullfield_app.gui.widgets.scrolled import Scrolled

_BESIDE = frozenset({"size", "epochs", "batch", "techniques"})  # mistakes that are told outside "More"


class TrainPanel(Page):
    """The page of the window that sets a training up."""

    takes_files = True
    specs = commands.SPECS
    shows_images = True

    def __init__(self, workers: Workers) -> None:
        super().__init__()
        name(self, self.tr("Train"))
        self._choices = Choices()
        self._survey: Survey | None = None
        self._store: SettingsStore | None = None
        self._begun = False
        self._build()
        self._tasks = Tasks(self)
        self._plans = PlanDesk(workers.launch, self._techniques, self._start, self)
        self._surveying = Surveying(workers.launch, self)
        self._data = DataDesk(self._surveying, self._side, self)
        self._review = ReviewDesk(self._surveying, self._view, self)
        self._weights = WeightsDesk(workers.launch, self._start.weights, self)
        self._nodes = NodesDesk(workers.launch, self._start, self)
        self._part = PartDesk(workers.launch, self._part_bar, self)
        about = (self._plans, self._nodes, self._part, self._weights)
        self._starting = StartDesk(workers, self._start, *about, self)
        self.actions_by_key = action_table.build(self, self.specs, self._handlers(), image=self._view)
        self._view.add_actions(self.actions_by_key)
        self._connect_signals()

    # For the window ---------------------------------------------------------------------------------------------

    def settle(self, store: SettingsStore) -> None:
        """The form as it was when it was last used."""
        self._store = store
        self._choices = remembered.recall(store.now)

    def start(self) -> None:
        """Ask for the first plan, which starts the planner; and for the names of the presets."""
        self._begun = True
        self._take_choices(self._choices)
        self._show_setup()
        self._tasks.start(preset_titles, self._offer)
        self._weights.look()
        self._part.look()
        self._nodes.look(ask=self.isVisible())

    def take(self, paths: list[Path]) -> None:
        """A folder was dropped: train on it."""
        if paths:
            self._show_setup()
            self._data.take(paths)

    def showEvent(self, event: QShowEvent) -> None:
        """Ask again: what is free is another amount now, and what was asked last may never have been answered."""
        super().showEvent(event)
        if self._begun and not event.spontaneous():
            self._ask(self._choices.mistakes())
            self._part.look()
            self._nodes.look(ask=True)

    def hover(self, above: bool) -> None:
        """Files are held above the page."""
        self._side.hover(above)

    def close_down(self) -> None:
        """Keep the form; end the workers. A training that was started goes on."""
        self._remember()
        self._plans.close()
        self._data.close()
        self._surveying.close()
        self._review.close()
        self._weights.close()
        self._part.close()
        self._nodes.close()
        self._starting.close()
        self._tasks.close()

    # Building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._side, self._techniques, self._start = DataSide(), TechniqueSide(), StartSide()
        self._view, self._more = ReviewView(), MoreDialog(self)
        self._setup = QWidget()
        name(self._setup, self.tr("Three steps"))
        self._part_bar = PartBar()
        steps = QHBoxLayout()
        steps.setSpacing(18)
        steps.addWidget(self._side, 3)
        steps.addWidget(self._techniques, 5)
        last = Scrolled(self._start, across=False)
        name(last, self.tr("Third step, scrolled"))
        steps.addWidget(last, 4)
        layout = QVBoxLayout(self._setup)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._part_bar)
        layout.addLayout(steps, 1)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._setup)
        self._stack.addWidget(self._view)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "choose_data": self._data.ask_folder,
            "fit": self._plans.fit,
            "start_training": self._begin,
            "review": self._show_review,
            **self._review.handlers(),
        }

    def _connect_signals(self) -> None:
        self._techniques.form.changed.connect(self._set)
        self._techniques.form.more_asked.connect(self._more.open)
        self._techniques.list.changed.connect(self._take_chosen)
        self._more.changed.connect(self._set)
        self._start.card.chosen.connect(lambda gpu: self._take_choices(replace(self._choices, gpu=gpu)))
        self._start.where.chosen.connect(self._take_choices)
        self._start.least.chosen.connect(lambda count: self._take_choices(replace(self._choices, least=count)))
        self._start.fit_chosen.connect(lambda on: self._set("fit", AUTO if on else ""))
        self._start.members_chosen.connect(lambda count: self._take_choices(replace(self._choices, members=count)))
        self._start.start_asked.connect(self._begin)
        self._side.review_asked.connect(self._show_review)
        self._side.use.chosen.connect(lambda use_on: self._set("use_on", use_on))
        self._view.left.connect(self._show_setup)
        self._view.left.connect(self._data.split_anew)
        self._plans.used.connect(lambda texts: self._take_chosen(chosen(texts, self._choices.chosen)))
        self._plans.noticed.connect(self.noticed)
        self._plans.lost.connect(lambda error: self._on_lost(error, self._plans.planning.start))
        self._data.surveyed.connect(self._take_survey)
        self._data.said.connect(self.said)
        self._data.withdrawn.connect(self.withdrawn)
        self._data.lost.connect(lambda error: self._on_lost(error, self._data.look))
        self._review.counted.connect(self._side.show_review)
        self._plans.planning.machine.connect(self._nodes.know)
        self._nodes.changed.connect(self._ask_anew)
        self._nodes.dropped.connect(lambda: self._take_choices(places.here(self._choices)))
        self._weights.lost.connect(self.failed)
        self._part.installed.connect(self._ask_anew)
        self._part.said.connect(self.said)
        self._part.lost.connect(self.failed)
        self._starting.able.connect(self.actions_by_key["start_training"].setEnabled)
        self._starting.started.connect(self._on_started)
        for part in (self._data, self._review, self._weights, self._part, self._nodes, self._starting, self._tasks):
            part.failed.connect(self.failed)
        self._surveying.broken.connect(self.failed)

    # News -------------------------------------------------------------------------------------------------------

    def _set(self, key: str, value: object) -> None:
        self._take_choices(self._choices.with_value(key, value))

    def _take_chosen(self, new: Chosen) -> None:
        self._take_choices(replace(self._choices, chosen=new))

    def _take_choices(self, new: Choices) -> None:
        self._choices = new
        mistakes = new.mistakes()
        self._techniques.form.show_choices(new, mistakes, len(mistakes.keys() - _BESIDE))
        self._techniques.list.show_chosen(new.chosen)
        self._more.show_choices(new, mistakes)
        self._side.use.show_choice(new.value("use_on"))
        self._start.card.show_choice(new.gpu)
        self._start.card.setVisible(not places.node(new))
        self._start.where.show_choices(new)
        self._start.least.show_choices(new)
        self._start.show_fit(bool(new.value("fit")))
        self._start.show_members(new.members)
        self._data.follow(new)
        self._review.follow(new)
        self._weights.follow(new)
        self._nodes.follow(new)
        self._ask(mistakes)

    def _take_survey(self, survey: Survey | None) -> None:
        self._survey = survey
        self._review.take(survey, self._choices)
        if not self._review.reviewing.total:
            self._show_setup()
        self._ask_anew()

    def _ask_anew(self) -> None:
        """What is known has changed. Nobody sees it on a page that is not shown, and who plans would take memory from a
        training that has just been started."""
        if self.isVisible():
            self._ask(self._choices.mistakes())

    def _ask(self, mistakes: dict[str, str]) -> None:
        nodes = self._nodes
        self._plans.ask(
            self._choices,
            self._survey,
            mistakes,
            nodes.reported,
            nodes=nodes.computers,
            unlinked=nodes.unlinked,
            waits=nodes.waits,
        )
        self._starting.follow(self._choices, self._survey)
        self.actions_by_key["review"].setEnabled(self._review.reviewing.total > 0)

    def _begin(self) -> None:
        if self._data.folder is not None:
            self._remember()
            self._starting.begin(self._data.folder)

    def _on_started(self, folder: Path) -> None:
        self._plans.planning.rest()
        if self._choices.members > 1:
            self.noticed.emit(self.tr("When its members are complete, the ensemble is among your models."))
        self.went.emit(RUNS, folder)

    def _on_lost(self, error: FullfieldError, act: Callable[[], object]) -> None:
        text = f"{error.detail} {error.hint}".strip()
        self.said.emit(Message(title=error.title, text=text, action=self.tr("Start again"), act=act))

    # Turning ----------------------------------------------------------------------------------------------------

    def _show_setup(self) -> None:
        self._stack.setCurrentWidget(self._setup)
        for key in commands.REVIEW:
            self.actions_by_key[key].setEnabled(False)

    def _show_review(self) -> None:
        self._stack.setCurrentWidget(self._view)
        for key in commands.REVIEW:
            self.actions_by_key[key].setEnabled(True)
        self._review.begin()

    def _offer(self, presets: tuple[tuple[str, str], ...]) -> None:
        self._view.offer(presets)
        self._more.offer(presets)
        self._more.show_choices(self._choices, self._choices.mistakes())

    def _remember(self) -> None:
        """Not a form that nobody has changed: another window may have kept its own meanwhile."""
        if self._store is not None and self._choices != remembered.recall(self._store.now):
            self._store.change(lambda now: remembered.remember(now, self._choices))

"""The page that keeps runs: the list of all, the page of one. It routes.

A training is a process of its own: what is closed here goes on there, and is found again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QStackedLayout, QVBoxLayout, QWidget

from fullfield.errors import FullfieldError
from fullfield.protocol.ensembles import LEAST, MOST
from fullfield.runs.runs import Run, State
from fullfield_app.gui import actions as action_table
from fullfield_app.gui.bridge.follower import Follower
from fullfield_app.gui.bridge.run_bridge import MODEL, Following
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.page import Page
from fullfield_app.gui.pages import ENHANCE, TRAIN
from fullfield_app.gui.runs import asking, commands
from fullfield_app.gui.runs.improving import Improving
from fullfield_app.gui.runs.label_dialog import LabelDialog
from fullfield_app.gui.runs.list_side import ListSide
from fullfield_app.gui.runs.model_work import ModelWork
from fullfield_app.gui.runs.models_dialog import ModelsDialog, show_card
from fullfield_app.gui.runs.no_runs import NoRuns
from fullfield_app.gui.runs.overlay import Compared, Overlay
from fullfield_app.gui.runs.report_desk import ReportDesk
from fullfield_app.gui.runs.run_page import RunPage
from fullfield_app.gui.runs.sample_pictures import SamplePictures
from fullfield_app.gui.runs.shelf import Shelf
from fullfield_app.gui.runs.table import RunTable
from fullfield_app.gui.runs.use_desk import UseDesk
from fullfield_app.gui.runs.wanted import REPORT, RESUME, Wanted
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.message_bar import Message
from fullfield_app.gui.widgets.question import ask


class RunsPanel(Page):
    """The page of the window that keeps runs."""

    specs = commands.SPECS

    def __init__(self, workers: Workers) -> None:
        super().__init__()
        name(self, self.tr("Runs"))
        self._follower, self._shelf, self._pictures = Follower(workers, self), Shelf(self), SamplePictures(self)
        self._models, self._reports = ModelWork(self), ReportDesk(workers.launch, self)
        self._uses, self._improving = UseDesk(self._models, workers, self), Improving(workers, self)
        self._run: Run | None = None
        self._now: Following | None = None
        self._wanted: Wanted | None = None  # a run to open that is not listed yet
        self._then = ""  # what to do with the run that is open as soon as it has been read
        self._build()
        self._connect_signals()
        self._enable()

    # For the window ---------------------------------------------------------------------------------------------

    def start(self) -> None:
        """List the runs."""
        self._shelf.begin()

    def turn_to(self, subject: object) -> None:
        """`subject`: a run that is Wanted, the folder of one, or None."""
        wanted = Wanted(folder=subject) if isinstance(subject, Path) else subject
        if isinstance(wanted, Wanted):
            self._wanted = wanted
            self._shelf.refresh()
            self._open_wanted()

    def close_down(self) -> None:
        """Follow no more; the trainings go on."""
        self._follower.close()
        for part in (self._shelf, self._pictures, self._models, self._reports, self._uses, self._improving):
            part.close()

    def showEvent(self, event: QShowEvent) -> None:
        """The list is kept fresh while it is seen."""
        super().showEvent(event)
        self._shelf.begin()

    def hideEvent(self, event: QHideEvent) -> None:
        """And rests while it is not."""
        super().hideEvent(event)
        self._shelf.rest()

    # Building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.actions_by_key = action_table.build(self, self.specs, self._handlers())
        self._table, self._overlay = RunTable(), Overlay(self._pictures)
        self._list = ListSide(self._table, self._overlay, self.actions_by_key)
        self._page, self._none = RunPage(self._pictures), NoRuns()
        inner = QWidget()
        name(inner, self.tr("List of runs, or one of them"))
        self._stack = QStackedLayout(inner)
        for widget in (self._none, self._list, self._page):
            self._stack.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(inner)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "open_run": self._open_selected,
            "all_runs": self._back,
            "label_run": self._label,
            "report_run": self._report,
            "join_runs": lambda: self._models.join([run.folder for run in self._chosen()]),
            "delete_runs": self._delete,
            "models": self._show_models,
        }

    def _connect_signals(self) -> None:
        self._shelf.listed.connect(self._on_listed)
        self._shelf.read.connect(self._on_read)
        self._shelf.failed.connect(self.failed)
        self._table.opened.connect(self._open)
        self._table.chosen.connect(self._on_chosen)
        self._table.delete_asked.connect(self._delete)
        self._follower.came.connect(self._on_came)
        self._follower.refused.connect(self._on_refused)
        self._follower.removed.connect(self._on_removed)
        self._page.asked.connect(self._do)
        self._page.watch_asked.connect(self._follower.watch)
        for part in (self._models, self._reports, self._uses, self._improving):
            part.failed.connect(self.failed)
        self._models.inspected.connect(lambda model, name: show_card(self.window(), self._models, model, name))
        self._models.kept.connect(self._on_kept)
        self._models.exported.connect(lambda _: self.noticed.emit(self.tr("The model has been exported.")))
        self._reports.said.connect(self.said)
        self._uses.said.connect(self.said)
        self._uses.grading.connect(lambda wish: self.went.emit(ENHANCE, wish))
        self._page.verdict.use_asked.connect(lambda part: self._uses.take(self._run, part))
        self._page.verdict.grade_asked.connect(lambda: self._uses.grade(self._run))
        self._improving.started.connect(self.turn_to)
        self._none.train_asked.connect(lambda: self.went.emit(TRAIN, None))
        self._none.models_asked.connect(self.actions_by_key["models"].trigger)

    # News -------------------------------------------------------------------------------------------------------

    def _on_listed(self, found: list[Run]) -> None:
        self._table.show_runs(found)
        folder = self._run.folder if self._run is not None else None
        self._run = next((run for run in found if run.folder == folder), None)
        if self._run is not None:
            self._show_run(self._run)
            if self._run.state.alive and self._now is not None and self._now.whole and not self._now.state.alive:
                self._follower.follow(self._run.folder)  # another window has resumed it
        elif folder is not None:
            self._back()
            self.noticed.emit(self.tr("The run that was open is no longer there, or cannot be reached."))
        if self._stack.currentWidget() is not self._page:
            self._stack.setCurrentWidget(self._list if found else self._none)
        self._open_wanted()
        self._on_chosen()

    def _on_read(self, found: tuple[Compared, ...]) -> None:
        show = self._overlay.show_runs if self._run is None else self._page.show_members
        show(found)

    def _show_run(self, run: Run) -> None:
        """The curves of an ensemble are those of its members."""
        self._page.show_run(run)
        if run.members:
            rows = map(self._table.runs.row_of, run.members)
            self._shelf.compare([self._table.runs.run_at(row) for row in rows if row >= 0], most=MOST)

    def _on_chosen(self) -> None:
        self._enable()
        if self._stack.currentWidget() is self._list:
            self._shelf.compare(self._table.selected())

    def _on_came(self, now: Following) -> None:
        before = self._now.state if self._now is not None else None
        self._now = now
        self._page.show_following(now)
        if now.whole and now.state is State.DIED:
            self._shelf.see(now.folder)
        if before is not None and before is not now.state:
            self._shelf.refresh()
        if now.whole and self._then:
            then, self._then = self._then, ""
            if then == RESUME:
                self._follower.resume(self._page.image)
            elif then == REPORT:
                self._reports.show(now.folder)

    def _on_refused(self, error: FullfieldError) -> None:
        self.failed.emit(error)
        self._shelf.refresh()

    def _on_removed(self, folder: Path) -> None:
        if self._run is not None and self._run.folder == folder:
            self._back()
        else:
            self._shelf.refresh()

    def _on_kept(self, model: str) -> None:
        title = self.tr("The model is among your models now.")
        text = self.tr("Choose “{model}” when you enhance, or take it for a body part.").format(model=model)
        show, act = self.tr("Show models"), self._show_models
        self.said.emit(Message(title=title, text=text, trouble=False, action=show, act=act))

    # Asking -----------------------------------------------------------------------------------------------------

    def _open_selected(self) -> None:
        for run in self._table.selected()[:1]:
            self._open(run)

    def _open_wanted(self) -> None:
        wanted = self._wanted if QApplication.activeModalWidget() is None else None  # a question is of what is shown
        row = self._table.runs.row_of(wanted.folder) if wanted is not None else -1
        if wanted is not None and row >= 0:
            self._open(self._table.runs.run_at(row), wanted.then)

    def _open(self, run: Run, then: str = "") -> None:
        self._wanted = None
        if run.state is State.DAMAGED:
            self._tell_damaged(run)
            return
        self._run, self._now, self._then = run, None, then
        self._table.choose(run.folder)
        self._show_run(run)
        self._stack.setCurrentWidget(self._page)
        self._follower.follow(run.folder)
        self._enable()

    def _tell_damaged(self, run: Run) -> None:
        self.said.emit(
            Message(
                title=self.tr("This run is damaged."),
                text=self.tr("What its folder holds cannot be read. Look at its files, or delete it."),
                action=self.tr("Show folder"),
                act=partial(QDesktopServices.openUrl, QUrl.fromLocalFile(str(run.folder))),
                other=self.tr("Delete…"),
                act_other=lambda: self._ask_to_delete([run]),
            )
        )

    def _back(self) -> None:
        self._run, self._now, self._then = None, None, ""
        self._stack.setCurrentWidget(self._list)
        self._table.setFocus()
        self._shelf.refresh()
        self._enable()

    def _do(self, key: str) -> None:
        follower = self._follower
        {
            "back": self._back,
            "pause": follower.pause,
            "stop": follower.stop,
            "discard": lambda: ask(self.window(), asking.discarding(partial(follower.discard, follower.number))),
            "resume": lambda: follower.resume(self._page.image),
            "keep": self._keep,
            "report": self.actions_by_key["report_run"].trigger,
            "label": self._label,
            "delete": self._delete,
        }[key]()

    def _label(self) -> None:
        chosen = self._chosen()
        if len(chosen) == 1:
            dialog = LabelDialog(chosen[0].label, self.window())
            dialog.given.connect(partial(self._shelf.rename, chosen[0].folder, chosen[0].label))
            dialog.finished.connect(dialog.deleteLater)
            dialog.open()

    def _report(self) -> None:
        chosen = self._chosen()
        if len(chosen) == 1:
            self._reports.ask(chosen[0].folder)

    def _keep(self) -> None:
        if self._run is not None:
            self._models.inspect(self._run.folder / MODEL, self._run.label.name)

    def _show_models(self) -> None:
        dialog = ModelsDialog(self._models, self.window())
        dialog.improve_asked.connect(self._improving.ask)
        dialog.switch_asked.connect(self._uses.offer)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        self._models.list()

    def _delete(self) -> None:
        self._ask_to_delete([run for run in self._chosen() if not run.state.alive])

    def _ask_to_delete(self, chosen: list[Run]) -> None:
        if chosen:
            folders = [run.folder for run in chosen]
            ask(self.window(), asking.deleting(len(folders), lambda: self._remove(folders)))

    def _remove(self, folders: list[Path]) -> None:
        if self._run is not None and self._run.folder in folders:
            self._back()
        self._shelf.remove(folders)

    def _chosen(self) -> list[Run]:
        """The run that is open, or those that are selected."""
        return [self._run] if self._run is not None else self._table.selected()

    def _enable(self) -> None:
        chosen, actions = self._chosen(), self.actions_by_key
        actions["open_run"].setEnabled(len(chosen) == 1 and self._run is None)
        actions["all_runs"].setEnabled(self._run is not None)
        actions["label_run"].setEnabled(len(chosen) == 1)
        single = len(chosen) == 1 and not chosen[0].members
        actions["report_run"].setEnabled(single and chosen[0].state is not State.DAMAGED)
        complete = all(run.state is State.COMPLETED and not run.members for run in chosen)
        actions["join_runs"].setEnabled(complete and LEAST <= len(chosen) <= MOST)
        actions["delete_runs"].setEnabled(any(not run.state.alive for run in chosen))

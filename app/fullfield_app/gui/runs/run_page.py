"""The page of one run: its curves, its memory, its radiograph by epoch, its details and what it has said."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QSplitter, QTabWidget, QVBoxLayout, QWidget

from fullfield.enhance import models
from fullfield.runs.run_state import RunSnapshot
from fullfield.runs.runs import Run
from fullfield_app.gui.bridge.run_bridge import Following
from fullfield_app.gui.runs import curves, facts, overlay, words
from fullfield_app.gui.runs.fact_form import FactForm
from fullfield_app.gui.runs.notice_list import NoticeList
from fullfield_app.gui.runs.overlay import Compared
from fullfield_app.gui.runs.plot import Plot
from fullfield_app.gui.runs.rank_list import RankList
from fullfield_app.gui.runs.run_head import RunHead
from fullfield_app.gui.runs.sample_pictures import SamplePictures
from fullfield_app.gui.runs.sample_view import SampleView
from fullfield_app.gui.runs.verdict_bar import VerdictBar
from fullfield_app.gui.translation import say_core
from fullfield_app.gui.widgets.accessible import name


class RunPage(QWidget):
    """Shows a run. `asked`: what its user wants done with it, a key of `RunHead`; `watch_asked`: see `SampleView`;
    `verdict`: on its model, where that was compared."""

    asked = Signal(str)
    watch_asked = Signal(int)

    def __init__(self, pictures: SamplePictures, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("One run"))
        self._run: Run | None = None
        self._now: Following | None = None
        self._members: tuple[Compared, ...] = ()
        self._build(pictures)
        self._head.asked.connect(self.asked)
        self._samples.watch_asked.connect(self.watch_asked)
        self._recent.toggled.connect(lambda _: self._show_plots())
        self._tabs.currentChanged.connect(lambda _: self._show_right())
        self._memories.currentChanged.connect(lambda _: self._show_plots())

    @property
    def image(self) -> int:
        """The radiograph that is looked at; −1: none yet."""
        return self._samples.image

    def show_run(self, run: Run) -> None:
        """Show this run; how far it is comes after."""
        other = self._run is None or self._run.folder != run.folder
        was_ensemble, self._run = self._run is not None and bool(self._run.members), run
        if was_ensemble != bool(run.members):  # which has no radiograph
            self._tabs.setCurrentWidget(self._details if run.members else self._samples)
        self._head.show_title(words.title(run), ensemble=bool(run.members))
        if other:
            self._now, self._members = None, ()
            self._show_nothing()
        if self._now is not None:
            self._details.show_rows(facts.rows(run, self._now.reported))

    def _show_nothing(self) -> None:
        """Nothing of the run before is this one's: neither its verdict nor its radiograph."""
        self._head.show_nothing()
        self.verdict.hide()
        for plot in (self._loss, self._quality, self._memory):
            plot.show_lines(())
        self._memories.setTabVisible(self._memories.indexOf(self._ranks), False)
        self._samples.show_run(Path(), RunSnapshot(), live=True)
        self._details.show_rows({})
        self._said.show_notices(())

    def show_following(self, now: Following) -> None:
        """How far the run is."""
        if self._run is None or now.folder != self._run.folder:
            return
        self._now = now
        self._head.show_following(now)
        compared = now.reported.compared
        self.verdict.show_comparison(compared, self._titles() if compared is not None else {})
        self._show_plots()
        self._show_right()

    def show_members(self, members: Sequence[Compared]) -> None:
        """The members of an ensemble, whose curves are its own."""
        if self._run is not None and {one.folder for one in members} <= set(self._run.members):
            self._members = tuple(members)
            self._show_plots()

    def _show_plots(self) -> None:
        if self._now is None or self._run is None:
            return
        reported = self._now.reported
        if self._run.members:
            self._show_plots_of_members()
            return
        self._loss.show_lines(curves.losses(reported), curves.baselines(reported), says=curves.loss_in_words(reported))
        self._quality.show_lines(curves.quality(reported), curves.quality_levels(reported))
        memory, live = reported.memory, self._now.state.alive
        several = len(reported.ranks) > 1
        self._memories.setTabVisible(self._memories.indexOf(self._ranks), several)
        if several:
            self._ranks.show_ranks(reported.ranks, live=live)
        self._recent.setVisible(live and self._memories.currentWidget() is self._memory)
        recent = live and self._recent.isChecked()
        self._memory.show_lines(
            curves.memory(memory, recent=recent),
            curves.memory_levels(memory),
            marks=() if recent else memory.rungs,
            says=curves.memory_in_words(memory),
        )

    def _show_plots_of_members(self) -> None:
        runs = self._members
        self._loss.show_lines(overlay.by_epoch(runs, "validation_loss"), says=overlay.losses_in_words(runs))
        self._quality.show_lines(overlay.by_epoch(runs, "psnr_db"))
        self._memory.show_lines(overlay.held(runs), says=overlay.memory_in_words(runs))
        self._memories.setTabVisible(self._memories.indexOf(self._ranks), False)
        self._recent.hide()

    def _show_right(self) -> None:
        """Only the tab that is looked at."""
        if self._now is None or self._run is None:
            return
        match self._tabs.currentWidget():
            case self._samples:
                self._samples.show_run(self._now.folder, self._now.reported, live=self._now.state.alive)
            case self._details:
                self._details.show_rows(facts.rows(self._run, self._now.reported))
            case _:
                self._said.show_notices(self._now.reported.notices)

    def _titles(self) -> dict[str, str]:
        return {part: say_core(title) for part, title in models.body_parts().items()}

    def _form(self) -> FactForm:
        return FactForm(self.tr("Details of the run"), facts.titles())

    def _build(self, pictures: SamplePictures) -> None:
        self._head, self.verdict = RunHead(), VerdictBar()
        epochs = self.tr("epochs")
        self._loss = Plot(self.tr("Loss of the run"), x=epochs, y=self.tr("100·(1 − MS-SSIM)"), log=True)
        self._quality = Plot(self.tr("Quality of the run"), x=epochs, y=self.tr("PSNR in dB"))
        self._memory = Plot(self.tr("Memory of the run"), x=self.tr("time of training"), y=self.tr("GiB"), time=True)
        figures = QTabWidget()
        name(figures, self.tr("Loss and quality"))
        figures.setDocumentMode(True)
        figures.addTab(self._loss, self.tr("Loss"))
        figures.addTab(self._quality, self.tr("Quality"))
        self._ranks = RankList()
        memory = self._memories = QTabWidget()
        name(memory, self.tr("Memory while it trains"))
        memory.setDocumentMode(True)
        memory.addTab(self._memory, self.tr("Memory"))
        memory.addTab(self._ranks, self.tr("Processes"))
        memory.setTabVisible(1, False)
        self._recent = QCheckBox(self.tr("Last minute"))
        self._recent.setChecked(True)
        name(self._recent, self.tr("Memory of the last minute only"))
        corner = QWidget()
        name(corner, self.tr("Beside the memory's tab"))
        above = QVBoxLayout(corner)  # of the line under the tabs
        above.setContentsMargins(0, 0, 8, 6)
        above.addWidget(self._recent)
        memory.setCornerWidget(corner)
        left = QSplitter(Qt.Orientation.Vertical)
        name(left, self.tr("Curves of the run"))
        left.setChildrenCollapsible(False)
        left.addWidget(figures)
        left.addWidget(memory)
        self._samples, self._details, self._said = SampleView(pictures), self._form(), NoticeList()
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        name(self._tabs, self.tr("Radiograph, details and messages"))
        self._tabs.addTab(self._samples, self.tr("Radiograph"))
        self._tabs.addTab(self._details, self.tr("Details"))
        self._tabs.addTab(self._said, self.tr("Messages"))
        body = QSplitter(Qt.Orientation.Horizontal)
        name(body, self.tr("Curves and radiograph"))
        body.setChildrenCollapsible(False)
        body.addWidget(left)
        body.addWidget(self._tabs)
        body.setSizes([560, 640])
        body.setStretchFactor(0, 1)
        body.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self._head)
        layout.addWidget(self.verdict)
        layout.addWidget(body, 1)

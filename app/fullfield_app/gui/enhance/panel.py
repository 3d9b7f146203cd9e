"""The page that enhances: a queue, the two images, and what can be done with them.

It routes: what its parts ask goes to the work, what the work tells goes to the parts that show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QStackedLayout, QVBoxLayout, QWidget

from fullfield.enhance.methods import Offer
from fullfield.protocol.session_commands import Export
from fullfield_app.gui import actions as action_table
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.workers import Workers
from fullfield_app.gui.enhance import clearing, list_commands, view_commands, view_handlers
from fullfield_app.gui.enhance.adjustment import Adjustment
from fullfield_app.gui.enhance.contrast import Contrast
from fullfield_app.gui.enhance.export_bar import ExportBar
from fullfield_app.gui.enhance.export_commands import ExportCommands
from fullfield_app.gui.enhance.exporting import Exporting
from fullfield_app.gui.enhance.list_filter import ListFilter
from fullfield_app.gui.enhance.new_images import NewImages
from fullfield_app.gui.enhance.offering import Offering
from fullfield_app.gui.enhance.open_dialogs import OpenDialogs
from fullfield_app.gui.enhance.opening import Opening
from fullfield_app.gui.enhance.pictures import Pictures
from fullfield_app.gui.enhance.queue_commands import QueueCommands
from fullfield_app.gui.enhance.queue_side import QueueSide
from fullfield_app.gui.enhance.queue_tree import QueueTree
from fullfield_app.gui.enhance.showing import Showing
from fullfield_app.gui.enhance.view_bar import ViewBar
from fullfield_app.gui.enhance.viewing import Viewing
from fullfield_app.gui.enhance.where_desk import WhereDesk
from fullfield_app.gui.enhance.work import Work
from fullfield_app.gui.enhance.worker_news import WorkerNews
from fullfield_app.gui.grading.opening import Grading
from fullfield_app.gui.grading.wanted import GradingWish
from fullfield_app.gui.page import Page
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.view.compare_view import CompareView
from fullfield_app.gui.view.drop_area import DropArea
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.question import Answer, Question
from fullfield_app.gui.widgets.scrolled import Scrolled

SIDE_WIDTH = 320


class EnhancePanel(Page):
    """The page of the window that enhances."""

    shows_images = takes_files = True
    specs = (*list_commands.SPECS, *view_commands.SPECS)

    def __init__(self, workers: Workers) -> None:
        super().__init__()
        name(self, self.tr("Enhance"))
        self.work, self._grading = Work(workers.session, self), Grading(workers, self)
        self._pictures, self._tasks = Pictures(self), Tasks(self)
        self._saving = Tasks(self)  # of measurements, which no slow folder of exports keeps waiting
        self._exporting, self._dialogs = Exporting(self._tasks, self.work.queue, self), OpenDialogs(self)
        self._offering, self._news = Offering(self), WorkerNews(self.work, self)
        self._build()
        self._where = WhereDesk(workers.launch, self._side.where, self.work, self)
        self._opening = Opening(self.work, lambda: self._side.choice.choice, self)
        self._showing = Showing(self.work.queue, self._pictures, self._compare, self)
        self._contrast = Contrast(self._compare, self._side.plot, self)
        self._connect_signals()
        self._connect_news()

    # For the window ---------------------------------------------------------------------------------------------

    def settle(self, store: SettingsStore) -> None:
        """How results are written is remembered, and whether patient data is shown."""
        self._export.settle(store)
        self._viewing.settle(store)
        self._where.settle(store)
        store.changed.connect(lambda: self._tree.show_names(store.now.overlay))
        self._tree.show_names(store.now.overlay)

    def start(self) -> None:
        """What comes after the first paint: the worker, and the presets and models there are."""
        self.work.start()
        self._offering.look()
        self._where.look()

    def take(self, paths: list[Path]) -> None:
        """Take files and folders into the queue."""
        if paths:
            self._opening.open(paths)
            self.opened.emit(paths)

    def turn_to(self, subject: object) -> None:
        """Models may have been kept or removed meanwhile, and machines listed. `subject`: a GradingWish, or None."""
        if self.isVisible():
            self._offering.look()
            self._where.look()
        if isinstance(subject, GradingWish):
            self.take(list(subject.images))
            self.said.emit(self._grading.invite(subject.model, self.actions_by_key["grade"].trigger))

    def hover(self, above: bool) -> None:
        """Files are held above the window."""
        self._empty.hover(above)

    def question(self) -> Question | None:
        """Results that have not been exported would be lost."""
        text = clearing.unexported(self.work.queue.rows())
        if not text:
            return None
        return Question(
            title=self.tr("Close without exporting?"),
            text=text,
            answers=(Answer(text=self.tr("Close"), act=lambda: None),),
            cancel=self.tr("Go back"),
        )

    def close_down(self) -> None:
        """End the worker, then all that runs in the background; a folder that is being walked is left."""
        self._grading.close()
        self.work.close()
        self._pictures.close()
        self._viewing.close()
        self._opening.close()
        self._offering.close()
        self._where.close()
        self._tasks.close()
        self._saving.close()
        self._export.close_down()

    # Building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._tree = QueueTree(self.work.queue, self)
        self._side, self._compare = QueueSide(self._tree), CompareView()
        self._empty, self._export = DropArea(), ExportBar()
        self._viewing = Viewing(self._compare, self._side, self._saving, self)
        self._commands = QueueCommands(self.work, self._side, self)
        self._adjustment = Adjustment(self._side, self._compare, self.work, self._pictures, self._commands)
        self._new = NewImages(self._side, self._compare, self._adjustment.panel)
        self._tree.held = lambda: self._new.held
        self._exports = ExportCommands(
            self.work, self._side.list, self._export, self._exporting, lambda index: self._showing.appearance(index)
        )
        self.actions_by_key = action_table.build(self, self.specs, self._handlers(), image=self._compare)
        self._viewing.use(self.actions_by_key)
        middle = QWidget()
        name(middle, self.tr("Images and export"))
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(ViewBar(self.actions_by_key))
        layout.addWidget(self._compare, 1)
        layout.addWidget(self._export)
        self._page = QSplitter(Qt.Orientation.Horizontal)
        name(self._page, self.tr("Queue and images"))
        self._page.setChildrenCollapsible(False)
        column = Scrolled(self._side, across=False)
        name(column, self.tr("Queue, scrolled"))
        self._page.addWidget(column)
        self._page.addWidget(middle)
        self._page.addWidget(self._adjustment.panel)
        self._page.setStretchFactor(1, 1)
        self._page.setSizes([max(SIDE_WIDTH, column.sizeHint().width()), 3 * SIDE_WIDTH])
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._page)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "open_files": self._dialogs.ask_files,
            "open_folder": self._dialogs.ask_folder,
            "grade": lambda: self._grading.open(self.work.queue.rows(), self._export.folder),
            "adjust": self._adjustment.toggle,
            **self._exports.handlers(),
            **self._commands.handlers(),
            **view_handlers.handlers(self._compare, self._viewing),
        }

    def _connect_signals(self) -> None:
        work, pictures, side = self.work, self._pictures, self._side
        work.added.connect(self._on_added)
        work.removed.connect(self._on_removed)
        work.changed.connect(self._on_changed)
        work.progressed.connect(self._count)
        work.decoded.connect(pictures.left_anew)
        pictures.ready.connect(lambda _: self._showing.refresh())
        pictures.thumbnail_ready.connect(self._tree.put_stamp)
        pictures.thumbnail_failed.connect(self._tree.miss_stamp)
        self._exporting.planned.connect(self._on_planned)
        self._dialogs.chosen.connect(self.take)
        side.list.current_changed.connect(self._on_current)
        side.choice.file_asked.connect(self._offering.ask_file)
        side.choice.doubted.connect(self._offering.ask_model)
        self._offering.chosen.connect(side.choice.take_model)
        self._commands.follow(self.actions_by_key)
        self._commands.export_again.connect(self._exports.again)
        self._exports.deciding.connect(self._commands.deciding)
        self._export.follow(*(self.actions_by_key[key] for key in ("export_selected", "export_new")))
        side.filter.changed.connect(self._filter)
        side.list.shown_changed.connect(self._count_shown)
        self._showing.row_shown.connect(self._commands.look_at)
        self._showing.row_shown.connect(self._adjustment.look_at)
        self._adjustment.saved.connect(self._offering.look)
        self._offering.offered.connect(self._offer)
        self._empty.files_asked.connect(self._dialogs.ask_files)
        self._empty.folder_asked.connect(self._dialogs.ask_folder)
        self._showing.row_shown.connect(side.details.show_row)
        self._showing.row_shown.connect(self._viewing.look_at)
        self._viewing.region_chosen.connect(self._contrast.limit)

    def _connect_news(self) -> None:
        news, opening, exporting, viewing = self._news, self._opening, self._exporting, self._viewing
        for part in (news, opening, exporting, self._export, self._exports, self._commands, self._where):
            part.said.connect(self.said)
        for withdrawn in (news.withdrawn, opening.withdrawn, exporting.withdrawn, self._where.withdrawn):
            withdrawn.connect(self.withdrawn)
        for noticed in (
            self.work.noticed,
            news.noticed,
            opening.noticed,
            self._grading.noticed,
            viewing.noticed,
            self._where.noticed,
        ):
            noticed.connect(self.noticed)
        offering, where = self._offering, self._where
        for unsure in (self._tasks, self._saving, opening, offering, where, viewing.measuring):
            unsure.failed.connect(self.failed)
        self._grading.failed.connect(self.failed)
        self._pictures.failed.connect(self._showing.miss)
        self._showing.missed.connect(self.work.renew)
        self._showing.failed.connect(self.failed)
        self._pictures.broken.connect(self.failed)

    # News -------------------------------------------------------------------------------------------------------

    def _on_added(self, indexes: tuple[int, ...]) -> None:
        self._side.filter.clear()  # what has come in is seen
        self._tree.arrange()
        self._ask_thumbnails(indexes)
        self._turn_page()
        self._new.take(indexes)

    def _on_removed(self, indexes: tuple[int, ...]) -> None:
        self._tree.arrange()
        self._showing.leave(indexes)
        self._showing.look_at(self._side.list.current())
        self._exporting.follow(self.work.queue, frozenset(indexes))
        self._turn_page()

    def _on_changed(self, indexes: frozenset[int]) -> None:
        self._tree.refresh(indexes)
        self._ask_thumbnails(indexes)
        if self._showing.index in indexes:
            self._showing.refresh()
        self._exporting.follow(self.work.queue, indexes)

    def _ask_thumbnails(self, indexes: Iterable[int]) -> None:
        for index in indexes:
            row = self.work.queue.get(index)
            if row is not None and row.decoded is not None and self._tree.needs_stamp(index):
                self._pictures.ask_thumbnail(index, row.decoded)

    def _on_planned(self, exports: tuple[Export, ...]) -> None:
        self.work.export(exports)
        self._exporting.follow(self.work.queue, frozenset(export.index for export in exports))  # some may have left
        if self.work.queue.paused:
            self.said.emit(self._commands.held())

    def _on_current(self, index: int) -> None:
        self._commands.deciding.emit()
        self.work.prefer([index])
        self._showing.look_at(index)

    def _offer(self, offers: tuple[Offer, ...]) -> None:
        self._tree.texts.titles = {offer.key: offer.title for offer in offers}
        self._side.choice.offer(offers)

    def _filter(self, wanted: ListFilter) -> None:
        self._tree.set_filter(wanted)
        if wanted:
            self._side.list.expandAll()  # what is found is seen

    def _turn_page(self) -> None:
        self._stack.setCurrentWidget(self._page if len(self.work.queue) else self._empty)

    def _count(self) -> None:
        queue, pace = self.work.queue, self.work.pace
        done, total = queue.progress()
        self._side.progress.show_progress(
            done,
            total,
            pace.seconds_left(done, total),
            busy=queue.busy,
            per_minute=pace.per_minute(done),
            paused=queue.paused,
        )
        self._count_shown()
        if not queue.busy:
            self.withdrawn.emit(self._commands.finishing())
        if not queue.paused:
            self.withdrawn.emit(self._commands.held().title)

    def _count_shown(self) -> None:
        self._exports.count()
        shown, queue = self._side.list.shown(), self.work.queue
        self._side.filter.show_counts(len(shown), len(queue))
        self._side.progress.offer_again(0 if queue.busy else sum(queue[index].again for index in shown))

"""The page that enhances: a queue, the two images, and what can be done with them.

It routes: what its parts ask goes to the work, what the work tells goes to the parts that show it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSplitter, QStackedLayout, QVBoxLayout, QWidget

from fullfield.errors import FullfieldError
from fullfield.jobs.inputs import Found, discover
from fullfield_app.gui import actions as action_table
from fullfield_app.gui.bridge.commands import Export
from fullfield_app.gui.bridge.job_bridge import Start
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.enhance.choice_bar import preset_titles
from fullfield_app.gui.enhance.commands_table import SPECS
from fullfield_app.gui.enhance.contrast import Contrast
from fullfield_app.gui.enhance.export_bar import ExportBar
from fullfield_app.gui.enhance.exporting import FORMATS, Exporting
from fullfield_app.gui.enhance.open_dialogs import OpenDialogs
from fullfield_app.gui.enhance.pictures import Pictures
from fullfield_app.gui.enhance.queue_side import QueueSide
from fullfield_app.gui.enhance.queue_table import QueueTable
from fullfield_app.gui.enhance.showing import Showing
from fullfield_app.gui.enhance.view_bar import ViewBar
from fullfield_app.gui.enhance.work import Work
from fullfield_app.gui.view.compare_view import CompareView, Mode
from fullfield_app.gui.view.drop_area import DropArea
from fullfield_app.gui.view.viewer import Tool
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.message_bar import Message

SIDE_WIDTH = 320
ZOOM_STEP = 1.25


class EnhancePanel(QWidget):
    """`noticed`: a sentence for the status bar; `said`: a Message, `withdrawn` by its title; `failed`: an exception."""

    noticed = Signal(str)
    said = Signal(object)
    withdrawn = Signal(str)
    failed = Signal(object)

    def __init__(self, start: Start, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Enhance"))
        self.work = Work(start, self)
        self._pictures, self._tasks = Pictures(self), Tasks(self)
        self._exporting, self._dialogs = Exporting(self._tasks, self), OpenDialogs(self)
        self._lost = ""
        self._build()
        self._showing = Showing(self.work.queue, self._pictures, self._compare, self)
        self._contrast = Contrast(self._compare, self._side.plot, self)
        self._connect_signals()

    # For the window ---------------------------------------------------------------------------------------------

    def start(self) -> None:
        """What comes after the first paint: the worker, and the names of the presets."""
        self.work.start()
        self._tasks.start(preset_titles, self._side.choice.offer)

    def open(self, paths: list[Path]) -> None:
        """Take files and folders into the queue."""
        if paths:
            self._tasks.start(lambda: discover(paths), self._take)

    def hover(self, above: bool) -> None:
        """Files are held above the window."""
        self._empty.hover(above)

    def unsaved(self) -> int:
        """How many results have not been exported."""
        return sum(row.exportable and row.exported is None for row in self.work.queue.rows())

    def close_down(self) -> None:
        """End the worker, then all that runs in the background: a folder that is being walked is waited for."""
        self.work.close()
        self._pictures.close()
        self._tasks.close()

    # Building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._table = QueueTable(self.work.queue, self)
        self._side, self._compare = QueueSide(self._table), CompareView()
        self._empty, self._export = DropArea(), ExportBar(FORMATS)
        self.actions_by_key: dict[str, QAction] = action_table.build(self, SPECS, self._handlers(), image=self._compare)
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
        self._page.addWidget(self._side)
        self._page.addWidget(middle)
        self._page.setStretchFactor(1, 1)
        self._page.setSizes([SIDE_WIDTH, 3 * SIDE_WIDTH])
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._page)

    def _handlers(self) -> dict[str, Callable[[], None]]:
        view, side = self._compare, self._side
        return {
            "open_files": self._dialogs.ask_files,
            "open_folder": self._dialogs.ask_folder,
            "export_selected": lambda: self._start_export(only_selected=True),
            "export_all": lambda: self._start_export(only_selected=False),
            "next": lambda: side.list.step(1),
            "previous": lambda: side.list.step(-1),
            "enhance": lambda: self.work.enhance(side.list.selected(), side.choice.choice),
            "cancel": self._cancel,
            "remove": lambda: self.work.remove(side.list.selected()),
            "side_by_side": lambda: view.set_mode(Mode.SIDE_BY_SIDE),
            "curtain": lambda: view.set_mode(Mode.CURTAIN),
            "window": lambda: view.set_tool(Tool.WINDOW),
            "zoom": lambda: view.set_tool(Tool.ZOOM),
            "pan": lambda: view.set_tool(Tool.PAN),
            "fit": view.fit,
            "one_to_one": view.one_to_one,
            "larger": lambda: view.zoom(ZOOM_STEP),
            "smaller": lambda: view.zoom(1 / ZOOM_STEP),
            "invert": view.invert,
            "turn_right": lambda: view.turn(1),
            "turn_left": lambda: view.turn(-1),
            "flip_across": view.flip,
            "flip_over": lambda: view.flip(upside_down=True),
            "reset": view.reset,
        }

    def _connect_signals(self) -> None:
        work, pictures, side = self.work, self._pictures, self._side
        work.added.connect(self._on_added)
        work.removed.connect(self._on_removed)
        work.changed.connect(self._on_changed)
        work.decoded.connect(pictures.left_anew)
        work.noticed.connect(self.noticed)
        work.started.connect(self._on_started)
        work.lost.connect(self._on_lost)
        pictures.ready.connect(lambda _: self._showing.refresh())
        pictures.thumbnail_ready.connect(self._table.put_stamp)
        pictures.failed.connect(lambda _, error: self.failed.emit(error))
        pictures.broken.connect(self.failed)
        self._tasks.failed.connect(self.failed)
        self._exporting.planned.connect(self._on_planned)
        self._exporting.said.connect(self.said)
        self._dialogs.chosen.connect(self.open)
        side.list.current_changed.connect(self._on_current)
        side.progress.cancel_asked.connect(self._cancel)
        side.choice.chosen.connect(lambda choice: work.enhance(side.list.selected(), choice))
        side.choice.all_asked.connect(self._enhance_all)
        self._export.export_asked.connect(lambda only: self._start_export(only_selected=only))
        self._empty.files_asked.connect(self._dialogs.ask_files)
        self._empty.folder_asked.connect(self._dialogs.ask_folder)
        self._showing.row_shown.connect(side.details.show_row)

    # News -------------------------------------------------------------------------------------------------------

    def _take(self, found: Found) -> None:
        if not self.work.add(found.items, self._side.choice.choice):
            known, none = self.tr("All of these images are in the list already."), self.tr("There are no files in it.")
            text = known if found.items else none
            self.said.emit(Message(title=self.tr("Nothing new was opened."), text=text, trouble=False))

    def _on_added(self, indexes: tuple[int, ...]) -> None:
        self._table.append(indexes)
        self._turn_page()
        if indexes and self._side.list.current() < 0:
            self._side.list.choose(indexes[0])
            self._side.list.setFocus()
        self._count()

    def _on_removed(self, indexes: tuple[int, ...]) -> None:
        self._table.drop(indexes)
        self._showing.forget(indexes)
        self._showing.look_at(self._side.list.current())
        self._exporting.follow(self.work.queue, frozenset(indexes))
        self._turn_page()
        self._count()

    def _on_changed(self, indexes: frozenset[int]) -> None:
        self._table.refresh(indexes)
        for index in indexes:
            row = self.work.queue.get(index)
            if row is not None and row.decoded is not None and not self._table.has_stamp(index):
                self._pictures.ask_thumbnail(index, row.decoded)
        if self._showing.index in indexes:
            self._showing.refresh()
        self._exporting.follow(self.work.queue, indexes)
        self._count()

    def _on_planned(self, exports: tuple[Export, ...]) -> None:
        self.work.export(exports)
        self._exporting.follow(self.work.queue, frozenset(export.index for export in exports))  # some may have left

    def _on_current(self, index: int) -> None:
        self.work.prefer([index])
        self._showing.look_at(index)

    def _on_started(self) -> None:
        self.noticed.emit(self.tr("Ready."))
        self.withdrawn.emit(self._lost)

    def _on_lost(self, error: FullfieldError) -> None:
        self._lost = error.title
        text = self.tr("{why} Your list is kept.").format(why=f"{error.detail} {error.hint}".strip())
        self.said.emit(Message(title=error.title, text=text, action=self.tr("Start again"), act=self.work.start))
        self.noticed.emit(self.tr("The worker is not running."))

    def _turn_page(self) -> None:
        self._stack.setCurrentWidget(self._page if len(self.work.queue) else self._empty)

    def _count(self) -> None:
        done, total = self.work.queue.progress()
        self._side.progress.show_progress(done, total, self.work.seconds_left())
        self._export.set_ready(sum(row.exportable for row in self.work.queue.rows()))
        if done == total:
            self.withdrawn.emit(self._finishing())

    def _finishing(self) -> str:
        return self.tr("The image in hand is finished first.")

    # Asking -----------------------------------------------------------------------------------------------------

    def _enhance_all(self) -> None:
        self.work.enhance([row.index for row in self.work.queue.rows()], self._side.choice.choice)

    def _cancel(self) -> None:
        self.work.cancel([row.index for row in self.work.queue.rows()])
        if self.work.queue.busy:
            text, stop = self.tr("All others were cancelled."), self.tr("Stop it now")
            act = self.work.end_at_once
            self.said.emit(Message(title=self._finishing(), text=text, trouble=False, action=stop, act=act))

    def _start_export(self, *, only_selected: bool) -> None:
        rows = self.work.queue.rows()
        among = set(self._side.list.selected()) if only_selected else {row.index for row in rows}
        chosen = {row.index for row in rows if row.exportable and row.index in among}
        if chosen:
            self._exporting.export(rows, chosen, folder=self._export.folder, format=self._export.format)
        else:
            none = self.tr("None of these images is enhanced yet.")
            self.said.emit(Message(title=self.tr("There is nothing to export."), text=none, trouble=False))

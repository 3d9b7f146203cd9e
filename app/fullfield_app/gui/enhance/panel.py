"""The page that enhances: a queue, the two images, and what can be done with them. It routes; its parts know nothing
of each other.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from fullfield.errors import FullfieldError
from fullfield.jobs.inputs import Found, discover
from fullfield_app.gui import actions as action_table
from fullfield_app.gui.bridge.job_bridge import Start
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.bridge.throttle import Throttle
from fullfield_app.gui.enhance.choice_bar import ChoiceBar
from fullfield_app.gui.enhance.commands_table import SPECS
from fullfield_app.gui.enhance.details import Details
from fullfield_app.gui.enhance.export_bar import ExportBar
from fullfield_app.gui.enhance.exporting import FORMATS, Exporting
from fullfield_app.gui.enhance.histogram import spread
from fullfield_app.gui.enhance.pictures import Pictures
from fullfield_app.gui.enhance.queue_table import QueueTable
from fullfield_app.gui.enhance.queue_view import QueueView
from fullfield_app.gui.enhance.showing import Showing
from fullfield_app.gui.enhance.view_bar import ViewBar
from fullfield_app.gui.enhance.work import Work
from fullfield_app.gui.view.compare_view import CompareView, Mode
from fullfield_app.gui.view.drop_area import DropArea
from fullfield_app.gui.view.viewer import Side, Tool
from fullfield_app.gui.widgets import histogram_plot
from fullfield_app.gui.widgets.accessible import name
from fullfield_app.gui.widgets.histogram_plot import HistogramPlot
from fullfield_app.gui.widgets.message_bar import Message, MessageBar
from fullfield_app.gui.widgets.progress_line import ProgressLine

SIDE_WIDTH = 320
ZOOM_STEP = 1.25


class EnhancePanel(QWidget):
    """`noticed`: a sentence for the status bar; `failed`: an exception to be shown."""

    noticed = Signal(str)
    failed = Signal(object)

    def __init__(self, start: Start, messages: MessageBar, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Enhance"))
        self._messages = messages
        self.work = Work(start, self)
        self._pictures, self._tasks = Pictures(self), Tasks(self)
        self._exporting = Exporting(self._tasks, self)
        self._redraw = Throttle(80, self)
        self._build()
        self._showing = Showing(self.work.queue, self._pictures, self._compare, self)
        self._connect_signals()

    # For the window ---------------------------------------------------------------------------------------------

    def start(self) -> None:
        """What comes after the first paint: the worker, the names of the presets, the plot."""
        self.work.start()
        self._tasks.start(_presets, self._choice.offer)
        self._tasks.start(histogram_plot.load, lambda _: self._plot.attach())

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
        """End the worker and all that runs in the background."""
        self._tasks.close()
        self._pictures.close()
        self.work.close()

    # Building ---------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self._table = QueueTable(self.work.queue, self)
        self._list = QueueView(self._table)
        self._progress, self._details, self._plot = ProgressLine(), Details(), HistogramPlot()
        self._choice, self._compare, self._empty = ChoiceBar(), CompareView(), DropArea()
        name(self._compare, self.tr("Images before and after"))
        self._export = ExportBar(FORMATS)
        self.actions_by_key: dict[str, QAction] = action_table.build(self, SPECS, self._handlers(), image=self._compare)
        page = QSplitter(Qt.Orientation.Horizontal)
        name(page, self.tr("Queue and images"))
        page.setChildrenCollapsible(False)
        page.addWidget(self._build_side())
        page.addWidget(self._build_middle())
        page.setStretchFactor(1, 1)
        page.setSizes([SIDE_WIDTH, 3 * SIDE_WIDTH])
        self._page = page
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(page)

    def _build_side(self) -> QWidget:
        side = QWidget()
        name(side, self.tr("Queue"))
        layout = QVBoxLayout(side)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self._choice)
        layout.addWidget(self._list, 3)
        layout.addWidget(self._progress)
        layout.addWidget(self._details, 2)
        self._plot.setFixedHeight(128)
        layout.addWidget(self._plot)
        return side

    def _build_middle(self) -> QWidget:
        middle = QWidget()
        name(middle, self.tr("Images and export"))
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(ViewBar(self.actions_by_key))
        layout.addWidget(self._compare, 1)
        layout.addWidget(self._export)
        return middle

    def _handlers(self) -> dict[str, Callable[[], None]]:
        view = self._compare
        return {
            "open_files": self._ask_files,
            "open_folder": self._ask_folder,
            "export_selected": lambda: self._start_export(only_selected=True),
            "export_all": lambda: self._start_export(only_selected=False),
            "next": lambda: self._list.step(1),
            "previous": lambda: self._list.step(-1),
            "enhance": lambda: self.work.enhance(self._list.selected(), self._choice.choice),
            "cancel": self._cancel,
            "remove": lambda: self.work.remove(self._list.selected()),
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
        work, showing = self.work, self._showing
        work.added.connect(self._on_added)
        work.removed.connect(self._on_removed)
        work.changed.connect(self._on_changed)
        work.noticed.connect(self.noticed)
        work.started.connect(lambda: self.noticed.emit(self.tr("Ready.")))
        work.lost.connect(self._on_lost)
        self._pictures.ready.connect(lambda _: showing.refresh())
        self._pictures.thumbnail_ready.connect(self._table.put_stamp)
        self._pictures.failed.connect(lambda _, error: self.failed.emit(error))
        self._pictures.broken.connect(self.failed)
        self._tasks.failed.connect(self.failed)
        self._exporting.planned.connect(work.export)
        self._list.current_changed.connect(self._on_current)
        self._progress.cancel_asked.connect(self._cancel)
        self._choice.chosen.connect(lambda choice: work.enhance(self._list.selected(), choice))
        self._choice.all_asked.connect(self._enhance_all)
        self._export.export_asked.connect(lambda only: self._start_export(only_selected=only))
        self._empty.files_asked.connect(self._ask_files)
        self._empty.folder_asked.connect(self._ask_folder)
        showing.row_shown.connect(self._details.show_row)
        self._compare.shown_changed.connect(lambda: self._redraw.offer(None))
        self._redraw.passed.connect(lambda _: self._draw_spreads())

    # News -------------------------------------------------------------------------------------------------------

    def _take(self, found: Found) -> None:
        if self.work.add(found.items, self._choice.choice):
            return
        text = (
            self.tr("All of these images are in the list already.") if found.items else self.tr("There are no files.")
        )
        self._messages.add(Message(title=self.tr("Nothing new was opened."), text=text, trouble=False))

    def _on_added(self, indexes: tuple[int, ...]) -> None:
        self._table.append(indexes)
        self._stack.setCurrentWidget(self._page if len(self.work.queue) else self._empty)
        if indexes and self._list.current() < 0:
            self._list.choose(indexes[0])
        self._count()

    def _on_removed(self, indexes: tuple[int, ...]) -> None:
        self._table.drop(indexes)
        self._showing.forget(indexes)
        self._showing.look_at(self._list.current())
        self._stack.setCurrentWidget(self._page if len(self.work.queue) else self._empty)
        self._count()

    def _on_changed(self, indexes: frozenset[int]) -> None:
        self._table.refresh(indexes)
        for index in indexes:
            row = self.work.queue.get(index)
            if row is not None and row.decoded is not None and not self._table.has_stamp(index):
                self._pictures.ask_thumbnail(index, row.decoded)
        if self._showing.index in indexes:
            self._showing.refresh()
        self._count()

    def _on_current(self, index: int) -> None:
        self.work.prefer([index])
        self._showing.look_at(index)

    def _on_lost(self, error: FullfieldError) -> None:
        text = self.tr("{why} Your list is kept.").format(why=f"{error.detail} {error.hint}".strip())
        again = self.tr("Start again")
        self._messages.add(Message(title=error.title, text=text, action=again, act=self.work.start))
        self.noticed.emit(self.tr("The worker is not running."))

    def _count(self) -> None:
        done, total = self.work.queue.progress()
        self._progress.show_progress(done, total, self.work.seconds_left())
        self._export.set_ready(sum(row.exportable for row in self.work.queue.rows()))

    def _draw_spreads(self) -> None:
        shown = (self._compare.shown(Side.BEFORE), self._compare.shown(Side.AFTER))
        spreads = [spread(item) if item is not None else None for item in shown]
        before, after = ((item.centres, item.shares, item.contrast) if item else None for item in spreads)
        self._plot.show_curves(before, after)

    # Asking -----------------------------------------------------------------------------------------------------

    def _ask_files(self) -> None:
        dialog = QFileDialog(self, self.tr("Open radiographs"))
        name(dialog, self.tr("Open radiographs"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(lambda paths: self.open([Path(path) for path in paths]))
        dialog.open()

    def _ask_folder(self) -> None:
        dialog = QFileDialog(self, self.tr("Open a folder of radiographs"))
        name(dialog, self.tr("Open a folder of radiographs"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.filesSelected.connect(lambda paths: self.open([Path(path) for path in paths]))
        dialog.open()

    def _enhance_all(self) -> None:
        self.work.enhance([row.index for row in self.work.queue.rows()], self._choice.choice)

    def _cancel(self) -> None:
        self.work.cancel([row.index for row in self.work.queue.rows()])
        if self.work.queue.busy:
            self._messages.add(
                Message(
                    title=self.tr("The image in hand is finished first."),
                    text=self.tr("All others were cancelled."),
                    trouble=False,
                    action=self.tr("Stop it now"),
                    act=self.work.end_at_once,
                )
            )

    def _start_export(self, *, only_selected: bool) -> None:
        rows = self.work.queue.rows()
        among = set(self._list.selected()) if only_selected else {row.index for row in rows}
        chosen = {row.index for row in rows if row.exportable and row.index in among}
        if chosen:
            self._exporting.export(rows, chosen, folder=self._export.folder, format=self._export.format)
        else:
            none = self.tr("None of these images is enhanced yet.")
            self._messages.add(Message(title=self.tr("There is nothing to export."), text=none, trouble=False))


def _presets() -> tuple[tuple[str, str], ...]:
    from fullfield.image import presets  # reads their files: in the background

    return tuple((key, presets.load(key).title) for key in presets.names())

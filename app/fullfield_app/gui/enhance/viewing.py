"""Looking and measuring, as one part of the page: what actions ask goes to the images, the marks and their numbers.

No widget of its own. It knows which image is seen, and so its corners, the size of its pixels and its marks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence

from fullfield import files
from fullfield.image.image import Voi
from fullfield_app.gui.bridge.task import Tasks
from fullfield_app.gui.enhance.blink import Blink
from fullfield_app.gui.enhance.file_windows import FileWindows
from fullfield_app.gui.enhance.queue_side import QueueSide
from fullfield_app.gui.enhance.view_bar import ContextMenu
from fullfield_app.gui.measure.board import Board
from fullfield_app.gui.measure.calibration import Calibration
from fullfield_app.gui.measure.glass import MarkGlass
from fullfield_app.gui.measure.marks import Marks, Shape
from fullfield_app.gui.measure.measured import Measured
from fullfield_app.gui.measure.measuring import Measuring
from fullfield_app.gui.queue.row import Row
from fullfield_app.gui.stored.store import SettingsStore
from fullfield_app.gui.view.area import Area
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.compare_view import CompareView
from fullfield_app.gui.view.overlay import corners
from fullfield_app.gui.view.picture import Picture, Source
from fullfield_app.gui.view.tool import Tool

SPACE = QKeySequence(Qt.Key.Key_Space)


class Viewing(QObject):
    """`use` its actions once they are made; `look_at` the image that is seen. `noticed`: a sentence.

    `region_chosen`: an Area and its number, or None, as it is measured.
    """

    noticed = Signal(str)
    region_chosen = Signal(object, str)

    def __init__(self, view: CompareView, side: QueueSide, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view, self._side, self._tasks = view, side, tasks
        self._actions: Mapping[str, QAction] = {}
        self._store: SettingsStore | None = None
        self._calibration = Calibration()
        self._index, self._marks = -1, dict[int, Marks]()  # also of images that left the list: they may come back
        self._chosen: tuple[Area, str] | None = None
        self.board = Board(self)
        self._glass = MarkGlass(self.board, lambda line: self._calibration.say_length(line))
        self.measuring = Measuring(view, self.board, self)
        view.set_glass(self._glass)
        self._connect_signals()

    def _connect_signals(self) -> None:
        self.board.changed.connect(self._on_marks)
        self.measuring.measured.connect(self._on_measured)
        self._view.tapped.connect(self._on_space)
        self._side.measure.delete_asked.connect(self.board.delete)
        self._side.measure.save_asked.connect(self._save)

    def use(self, actions: Mapping[str, QAction]) -> None:
        """The actions are there: what is checked, what blinks, what the right button opens."""
        self._actions = actions
        self._blink = Blink(actions["blink"], self._view.exchange, self)
        self._side.measure.offer([actions[key] for key in ("rectangle", "ellipse", "line")])
        self._menu: ContextMenu | None = None
        self._windows = FileWindows(self._view)
        self._windows.chosen.connect(self._show_through)
        actions["file_windows"].setMenu(self._windows)
        self._view.menu_asked.connect(self._open_menu)
        self._show_measuring(False)

    def settle(self, store: SettingsStore) -> None:
        """Whether the overlay is shown is a setting."""
        self._store = store
        store.changed.connect(self._show_overlay)
        self._show_overlay()

    def close(self) -> None:
        """Measure no more."""
        self.measuring.close()

    def look_at(self, row: Row | None, source: Source | None) -> None:
        """This image is seen now; its source may not be there yet."""
        self._windows.offer(None if source is None else source.picture)
        index = -1 if row is None else row.index
        if index != self._index:
            self._marks[self._index] = self.board.marks
            self._index = index
            self.board.set_marks(self._marks.get(index, Marks()))
        if source is None:
            self._calibration = Calibration()
            self._view.set_corners(None)
            return
        spacing, header = source.image.spacing_mm, source.header
        self._calibration = Calibration(
            spacing_mm=spacing,
            source=header.spacing_from if spacing is not None else "",
            pixel=source.image.pixel_size,
        )
        self._view.set_corners(corners(header, source.picture, spacing))

    # What actions do --------------------------------------------------------------------------------------------

    def set_tool(self, tool: Tool) -> None:
        """What a left drag does."""
        self._view.set_tool(tool)

    def toggle_blink(self) -> None:
        """Exchange the images, or no longer."""
        self._blink.toggle()

    def toggle_looks(self) -> None:
        """Zoom and place together, or apart."""
        self._view.link_looks(self._actions["link_looks"].isChecked())

    def toggle_windows(self) -> None:
        """Windows together, or apart."""
        self._view.link_windows(self._actions["link_windows"].isChecked())

    def _show_through(self, voi: Voi) -> None:
        """The image before, whose window it is; it says nothing of the image after, which has other values."""
        shown = self._view.shown(Side.BEFORE)
        if shown is not None:
            self._view.show_side(Side.BEFORE, shown.picture, voi)

    def toggle_marks(self) -> None:
        """What was added and what was taken, over the image after; or not."""
        shown = self._actions["marks"].isChecked()
        for viewer in self._view.viewers():
            viewer.marked = shown
            viewer.update()
        if shown:
            text = self.tr("Orange: the result shows what the image does not have. Blue: it hides what the image has.")
            self.noticed.emit(text)

    def toggle_disagreement(self) -> None:
        """Where the members of an ensemble disagree, over the image after; or not."""
        shown = self._actions["disagreement"].isChecked()
        for viewer in self._view.viewers():
            viewer.disagreeing = shown
            viewer.update()
        after = self._view.shown(Side.AFTER)
        if shown and after is not None and after.picture.disagreement is None:
            self.noticed.emit(self.tr("This result was not made by an ensemble: it has no members that disagree."))
        elif shown:
            text = self.tr(
                "Purple: there the members disagree, by half a percent of white (clear) to five (full). Where they "
                "agree, all may be wrong: it is no measure of truth."
            )
            self.noticed.emit(text)

    def toggle_overlay(self) -> None:
        """Show the corners, or hide them, from now on."""
        shown = self._actions["overlay"].isChecked()
        self._view.show_overlay(shown)
        if self._store is not None:
            self._store.change(lambda settings: replace(settings, overlay=shown))

    def measure_handlers(self) -> dict[str, Callable[[], None]]:
        """What the actions of the menu Measure do."""
        return {
            "measure": self._toggle_measuring,
            "rectangle": lambda: self._draw(Shape.RECTANGLE),
            "ellipse": lambda: self._draw(Shape.ELLIPSE),
            "line": lambda: self._draw(Shape.LINE),
            "add_mark": self._add_mark,
            "next_mark": self.board.choose_next,
            "delete_mark": self.board.delete,
            "clear_marks": self.board.clear,
        }

    def _draw(self, shape: Shape) -> None:
        self.board.shape = shape
        self._show_measuring(True)
        self._view.set_tool(Tool.MARK)

    def _add_mark(self) -> None:
        shown = self._view.shown(Side.BEFORE) or self._view.shown(Side.AFTER)
        sight = self._view.in_sight()
        self._actions[self.board.shape.value].trigger()  # with another tool, keys would not be the mark's
        if shown is not None and sight is not None:
            self.board.add(self.board.shape, sight, (shown.picture.columns, shown.picture.rows))

    def _toggle_measuring(self) -> None:
        if self._actions["measure"].isChecked():
            self._actions[self.board.shape.value].trigger()
            return
        self._show_measuring(False)
        if any(self._actions[shape.value].isChecked() for shape in Shape):
            self._actions["window"].trigger()

    # News -------------------------------------------------------------------------------------------------------

    def _show_measuring(self, shown: bool) -> None:
        self._actions["measure"].setChecked(shown)
        self.board.show(shown)
        self._on_marks()

    def _show_overlay(self) -> None:
        shown = self._store is not None and self._store.now.overlay
        self._actions["overlay"].setChecked(shown)
        self._view.show_overlay(shown)

    def _on_marks(self) -> None:
        marks, shown = self.board.marks, self.board.shown
        self._view.repaint_glass()
        self._side.show_measure(shown, line=marks.line() is not None)
        slot = marks.chosen if shown else None
        region = marks.regions().get(slot) if slot is not None else None
        chosen = None if region is None or slot is None else (region.area, slot.value)
        if chosen != self._chosen:
            self._chosen = chosen
            self.region_chosen.emit(*(chosen or (None, "")))

    def _on_measured(self, measured: Measured) -> None:
        shown = [self._view.shown(side) for side in Side]
        pictures: list[Picture | None] = [one.picture if one is not None else None for one in shown]
        self._side.measure.show_measured(measured, self._calibration, (pictures[0], pictures[1]))

    def _on_space(self) -> None:
        for action in self._view.actions():
            if SPACE in action.shortcuts():
                action.trigger()

    def _open_menu(self, place: QPoint) -> None:
        if self._menu is None:
            self._menu = ContextMenu(self._actions, self._view)
        self._menu.show_at(place)

    def _save(self, path: Path, text: str) -> None:
        said = self.tr("The measurements were saved.")
        self._tasks.start(lambda: files.write_text(path, text), lambda _: self.noticed.emit(said))

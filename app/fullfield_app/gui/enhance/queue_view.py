"""The list of images as a tree of patients, studies and series, or flat: selected, walked, folded by mouse and key."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from fullfield_app.gui.enhance.queue_tree import QueueTree, Role
from fullfield_app.gui.enhance.row_painter import RowPainter
from fullfield_app.gui.widgets.accessible import name

PULSE_MILLISECONDS = 120
INDENTATION = 12


class QueueView(QTreeView):
    """Shows the queue; `current_changed` carries the index of the image one looks at (−1: none); `selection_changed`:
    other images are selected.

    Of a group one looks at the first image; whoever selects a group has selected its images.
    """

    current_changed = Signal(int)
    selection_changed = Signal()

    def __init__(self, tree: QueueTree, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Images"))
        self._tree = tree
        self._delegate = RowPainter(self)
        self._pulse = QTimer(self)
        self._pulse.setInterval(PULSE_MILLISECONDS)
        self._told = -1
        self._build()
        self._connect_signals()

    def current(self) -> int:
        """The index of the image one looks at; −1 when there is none."""
        images = self._tree.images(self.currentIndex())
        return images[0] if images else -1

    def selected(self) -> list[int]:
        """The indexes of all selected images, in the order in which they came."""
        places = self.selectionModel().selectedIndexes()
        return sorted({image for place in places for image in self._tree.images(place)})

    def choose(self, index: int) -> None:
        """Look at image `index`."""
        self._go_to(self._tree.place(index))

    def step(self, rows: int) -> None:
        """Look at the next image, or the one before."""
        order, current = self._tree.order(), self.current()
        if order:
            place = order.index(current) + rows if current in order else 0
            self.choose(order[min(max(place, 0), len(order) - 1)])

    def set_grouped(self, grouped: bool) -> None:
        """By patient, study and series, or one list."""
        current, chosen = self.current(), self.selected()
        self._tree.set_grouped(grouped)
        self.setRootIsDecorated(grouped)
        if current >= 0 and current != self.current():
            self.choose(current)
        for index in chosen:
            self.selectionModel().select(self._tree.place(index), QItemSelectionModel.SelectionFlag.Select)
        self.scrollTo(self.currentIndex())

    def keyboardSearch(self, search: str) -> None:
        """Letters are the window's keys, not a search."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The image one looks at stays in sight, if it was."""
        seen = QRect(QPoint(), event.oldSize()).intersects(self.visualRect(self.currentIndex()))
        super().resizeEvent(event)
        if seen:
            self.scrollTo(self.currentIndex())

    def _build(self) -> None:
        self.setModel(self._tree)
        self.setItemDelegate(self._delegate)
        self.setHeaderHidden(True)
        self.setIndentation(INDENTATION)
        self.setRootIsDecorated(self._tree.grouped)
        self.setExpandsOnDoubleClick(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def _connect_signals(self) -> None:
        self.selectionModel().currentChanged.connect(lambda *_: self._say_current())
        self.selectionModel().selectionChanged.connect(lambda *_: self.selection_changed.emit())
        self._tree.dataChanged.connect(lambda *_: self._pulse_while_busy())
        self._tree.rowsInserted.connect(self._unfold)
        self._pulse.timeout.connect(self._beat)

    def _go_to(self, place: QModelIndex) -> None:
        if place.isValid():
            self.selectionModel().setCurrentIndex(place, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(place)

    def _say_current(self) -> None:
        if self.current() != self._told:
            self._told = self.current()
            self.current_changed.emit(self._told)

    def _unfold(self, parent: QModelIndex | QPersistentModelIndex, first: int, last: int) -> None:
        """A group comes in open."""
        for row in range(first, last + 1):
            place = self._tree.index(row, 0, parent)
            if place.data(Role.INDEX) is None:
                self.expand(place)

    def _pulse_while_busy(self) -> None:
        if self._tree.busy and not self._pulse.isActive():
            self._pulse.start()

    def _beat(self) -> None:
        self._delegate.beat += 1
        self.viewport().update()
        if not self._tree.busy:
            self._pulse.stop()

"""The list of images as a tree of patients, studies and series, or flat: selected, walked, folded by mouse and key."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QItemSelectionRange,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from fullfield_app.gui.enhance.queue_tree import QueueTree, Role
from fullfield_app.gui.enhance.row_painter import RowPainter
from fullfield_app.gui.widgets.accessible import name

BLINK_MILLISECONDS = 120
INDENTATION = 12


class QueueView(QTreeView):
    """Shows the queue; `current_changed` carries the index of the image one looks at (−1: none); `selection_changed`:
    other images are selected; `all_asked`: without the filter; `shown_changed`: others are in the list, or elsewhere
    in it.

    Of a group one looks at the first image, and a selected group is all of its images. One looks at an image that
    is selected, and the image that one looks at counts as selected where none is: commands act on what is seen.
    """

    current_changed = Signal(int)
    selection_changed = Signal()
    all_asked = Signal()
    shown_changed = Signal()

    def __init__(self, tree: QueueTree, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Images"))
        self._tree = tree
        self._delegate = RowPainter(self)
        self._busy_timer = QTimer(self)
        self._busy_timer.setInterval(BLINK_MILLISECONDS)
        self._reported = self._lost = -1
        self._quiet = False
        self._before: tuple[int, list[int], bool, list[int]] = (-1, [], False, [])
        self._marked: list[int] = []
        self._build()
        self._connect_signals()

    def current(self) -> int:
        """The index of the image one looks at; −1 when there is none."""
        images, chosen = self._tree.images(self.currentIndex()), self._chosen()
        if images and chosen and images[0] not in chosen:  # by Ctrl, with others still selected
            return self._reported if self._reported in chosen else chosen[0]
        return images[0] if images else -1

    def selected(self) -> list[int]:
        """The indexes of all selected images, in the order in which they came."""
        current = self.current()
        return self._chosen() or ([current] if current >= 0 else [])

    def shown(self) -> list[int]:
        """The indexes of all images in the list, in the order in which they came: a filter may leave some out."""
        return sorted(self._tree.order())

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
        self._select(chosen)
        self.scrollTo(self.currentIndex())

    def event(self, event: QEvent) -> bool:
        """While a filter is on, Escape is no command to the list."""
        if event.type() is QEvent.Type.ShortcutOverride and self._ends_filter(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape shows what a filter hides."""
        if self._ends_filter(event):
            self.all_asked.emit()
            return
        super().keyPressEvent(event)

    def _ends_filter(self, event: QEvent) -> bool:
        return self._tree.filtered and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape

    def keyboardSearch(self, search: str) -> None:
        """Letters are the window's keys, not a search."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The image one looks at stays in sight, if it was."""
        seen = self._sees_current(QRect(QPoint(), event.oldSize()))
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
        self.selectionModel().selectionChanged.connect(lambda *_: self._say_selection())
        self._tree.dataChanged.connect(lambda *_: self._blink_while_busy())
        self._tree.rowsInserted.connect(self._unfold)
        self._tree.arranging.connect(self._keep)
        self._tree.arranged.connect(self._go_on)
        self._busy_timer.timeout.connect(self._beat)

    def _chosen(self) -> list[int]:
        places = self.selectionModel().selectedIndexes()
        return sorted({image for place in places for image in self._tree.images(place)})

    def _go_to(self, place: QModelIndex) -> None:
        if place.isValid():
            self.selectionModel().setCurrentIndex(place, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.scrollTo(place)

    def _keep(self) -> None:
        """Qt looks at all that is selected with each image that moves: meanwhile nothing is."""
        self._quiet = True
        seen = self._sees_current(self.viewport().rect())
        self._before = (self.current(), self.selected(), seen, self._tree.order())
        self._marked = [place.internalId() for place in self.selectionModel().selectedIndexes()]
        self.selectionModel().clearSelection()

    def _go_on(self) -> None:
        """What was selected stays so, and in sight; one looks at nothing that the list does not show.

        Where the image that one looked at is in the list no more, one looks at one of the others that were selected,
        else at the one that came after it, else at the one before it. What a filter has left out comes back where none
        was in the list meanwhile.
        """
        self._mark(filter(QModelIndex.isValid, map(self._tree.place_of, self._marked)))
        self._quiet = False
        current, chosen, seen, earlier = self._before
        order = self._tree.order()
        if not order:
            self._lost = max(current, self._lost)
        elif current < 0:
            if self._lost in order:
                self.choose(self._lost)
            self._lost = -1
        elif current not in order:
            left = [index for index in chosen if index in order]
            place = earlier.index(current)
            beside = [index for index in (*earlier[place:], *reversed(earlier[:place])) if index in order]
            self.choose((left or beside or order)[0])
            self._select(left)
        elif seen:
            self.scrollTo(self.currentIndex())
        self._say_current()
        self.shown_changed.emit()

    def _select(self, indexes: list[int]) -> None:
        there = set(self._chosen())
        self._mark(self._tree.place(index) for index in indexes if index not in there)

    def _mark(self, places: Iterable[QModelIndex]) -> None:
        """These are selected, too, at once: for each alone all that follows the selection would be done again."""
        marked, add = QItemSelection(), QItemSelectionModel.SelectionFlag.Select
        for place in places:
            marked.append(QItemSelectionRange(place))
        for selection in (marked, QItemSelection()):  # and what Shift adds next comes to them
            self.selectionModel().select(selection, add)

    def _sees_current(self, room: QRect) -> bool:
        return room.intersects(self.visualRect(self.currentIndex()))

    def _say_selection(self) -> None:
        if not self._quiet:
            self._say_current()
            self.selection_changed.emit()

    def _say_current(self) -> None:
        if self._quiet:
            return
        if self.current() != self._reported:
            self._reported = self.current()
            self.current_changed.emit(self._reported)

    def _unfold(self, parent: QModelIndex | QPersistentModelIndex, first: int, last: int) -> None:
        """A group comes in open."""
        for row in range(first, last + 1):
            place = self._tree.index(row, 0, parent)
            if place.data(Role.INDEX) is None:
                self.expand(place)

    def _blink_while_busy(self) -> None:
        if self._tree.busy and not self._busy_timer.isActive():
            self._busy_timer.start()

    def _beat(self) -> None:
        self._delegate.beat += 1
        self.viewport().update()
        if not self._tree.busy:
            self._busy_timer.stop()

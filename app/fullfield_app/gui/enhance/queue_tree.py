"""The list of images for Qt's tree: what groups and images say and show; all texts are plain."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QImage

from fullfield.image.header import Header
from fullfield_app.gui.bridge.throttle import Throttle
from fullfield_app.gui.enhance.grouping import NOT_OPENED, OPENING, Key, Placement, Titles, arrange, placement_of
from fullfield_app.gui.enhance.list_filter import ListFilter
from fullfield_app.gui.enhance.node_tree import Index, Node, NodeTree
from fullfield_app.gui.enhance.queue_model import Queue
from fullfield_app.gui.enhance.row_texts import STEPS, RowTexts
from fullfield_app.gui.queue.row import Row, State
from fullfield_app.gui.widgets.label import tooltip

ARRANGE_MILLISECONDS = 250  # of hundreds of images that are being opened, many find their groups together


class Role:
    """What the painter asks for beside the usual roles."""

    INDEX = Qt.ItemDataRole.UserRole + 1
    STATE = Qt.ItemDataRole.UserRole + 2
    STATE_TEXT = Qt.ItemDataRole.UserRole + 3
    PROGRESS = Qt.ItemDataRole.UserRole + 4
    NOTE = Qt.ItemDataRole.UserRole + 5
    COUNT = Qt.ItemDataRole.UserRole + 6
    PARTS = Qt.ItemDataRole.UserRole + 7
    DAMAGED = Qt.ItemDataRole.UserRole + 8


class QueueTree(NodeTree):
    """Shows a `Queue`, or what a filter lets through of it. `texts` says what a row says. While an image is `held`,
    what the filter lets through no more stays: what a hand or a dialog does to that image must not become another's.

    `arranging`, `arranged`: before and after images and groups take other places, come or go.
    """

    arranging = Signal()
    arranged = Signal()

    def __init__(self, queue: Queue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue, self.texts = queue, RowTexts()
        self._places: dict[int, Placement] = {}
        self._stamps: dict[int, QImage] = {}
        self._titles = Titles()
        self._filter = ListFilter()
        self._grouped, self._names = True, False
        self._soon = Throttle(ARRANGE_MILLISECONDS, self)
        self._soon.passed.connect(lambda _: self._arrange_unheld())
        self.held: Callable[[], bool] = lambda: False

    @property
    def busy(self) -> bool:
        """The worker is at something."""
        return self._queue.busy and not self._queue.paused

    @property
    def grouped(self) -> bool:
        """By patient, study and series."""
        return self._grouped

    def set_grouped(self, grouped: bool) -> None:
        """By patient, study and series, or one list."""
        if grouped != self._grouped:
            self._grouped = grouped
            self.arrange()

    @property
    def filtered(self) -> bool:
        """A filter leaves something out."""
        return bool(self._filter)

    def set_filter(self, wanted: ListFilter) -> None:
        """Show these alone; what is not shown is in the queue all the same."""
        self._filter = wanted
        self.arrange()

    def show_names(self, names: bool) -> None:
        """Say the names of patients and the dates of studies, or neutral titles."""
        if names != self._names:
            self._names = names
            self.arrange()
            for node in self._groups.values():
                self._tell(node)

    # News -------------------------------------------------------------------------------------------------------

    def refresh(self, indexes: Iterable[int]) -> None:
        """These images have changed."""
        moved = False
        groups: dict[int, Node] = {}
        for index in indexes:
            node, row = self._leaves.get(index), self._queue.get(index)
            if self._filter and row is not None:
                moved = moved or self._accepts(row) != (node is not None)
            if node is not None:
                self._tell(node)
                moved = moved or (node.parent is not None and node.parent.key != self._wanted_key(index, node))
                groups |= {group.id: group for group in node.ancestors()}
        for group in groups.values():
            self._tell(group)
        if moved:
            self._soon.offer(None)

    def needs_stamp(self, index: int) -> bool:
        """A thumbnail is to be asked for, now: true only once, until `miss_stamp`."""
        new = index not in self._stamps
        self._stamps.setdefault(index, QImage())
        return new

    def put_stamp(self, index: int, image: QImage, header: Header) -> None:
        """The thumbnail of an image has been made, and its header is known; it may have left, and may come back."""
        self._stamps[index] = image
        self._places[index] = placement_of(header)
        self._titles.learn(self._places[index])
        self._soon.offer(None)
        node = self._leaves.get(index)
        if node is not None:
            self._tell(node)

    def miss_stamp(self, index: int) -> None:
        """The thumbnail of an image could not be made: it is to be asked for again."""
        self._stamps.pop(index, None)

    # For views --------------------------------------------------------------------------------------------------

    def place(self, index: int) -> QModelIndex:
        """Where an image is; nowhere where it is not here."""
        node = self._leaves.get(index)
        return QModelIndex() if node is None else self._at(node)

    def place_of(self, node: int) -> QModelIndex:
        """Where the node with this number is; nowhere where it is not here."""
        found = self._nodes.get(node)
        return QModelIndex() if found is None else self._at(found)

    def images(self, place: Index) -> list[int]:
        """The images at a place: one, or all of a group, in the order in which they are shown."""
        return [node.image for node in self._node(place).leaves()] if place.isValid() else []

    def order(self) -> list[int]:
        """All images that are shown, in their order."""
        return [node.image for node in self._root.leaves()]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a row shows."""
        if not index.isValid():
            return None
        node = self._node(index)
        if node.group is not None:
            return self._group_data(node, role)
        row = self._queue.get(node.image)
        return None if row is None else self._row_data(row, role)

    # Within -----------------------------------------------------------------------------------------------------

    def _row_data(self, row: Row, role: int) -> Any:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.name
            case Qt.ItemDataRole.DecorationRole:
                return self._stamps.get(row.index)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{row.name}: {self.texts.state(row)} {self.texts.note(row)}".strip()
            case Qt.ItemDataRole.ToolTipRole:
                return tooltip(f"{row.name} — {self.texts.state(row)} {self.texts.note(row)}".strip())
            case Role.INDEX:
                return row.index
            case Role.STATE:
                return row.state
            case Role.STATE_TEXT:
                return self.texts.state(row)
            case Role.NOTE:
                return self.texts.note(row)
            case Role.PROGRESS:
                return STEPS[row.state]
            case Role.DAMAGED:
                return bool(row.damage)
        return None

    def _group_data(self, node: Node, role: int) -> Any:
        assert node.group is not None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._titles.say(node.group, names=self._names)
        if role == Role.PARTS:
            return self._titles.parts(node.group, names=self._names)
        if role not in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole, Role.COUNT, Role.PROGRESS):
            return None  # of each row that is painted much is asked, and counting takes long in a large group
        rows = [row for leaf in node.leaves() if (row := self._queue.get(leaf.image)) is not None]
        done = sum(row.state in (State.ENHANCED, State.EXPORTED) for row in rows)
        title = self._titles.say(node.group, names=self._names)
        match role:
            case Qt.ItemDataRole.AccessibleTextRole | Qt.ItemDataRole.ToolTipRole:
                text = self.texts.group(title, done, len(rows))
                return text if role == Qt.ItemDataRole.AccessibleTextRole else tooltip(text)
            case Role.COUNT:
                return f"{done}/{len(rows)}" if done < len(rows) else str(len(rows))
            case Role.PROGRESS:
                return done / max(len(rows), 1)
        return None

    def _wanted_key(self, index: int, node: Node) -> Key:
        """The group that an image that is not placed belongs to; its own where it is placed or groups are not shown."""
        own = node.parent.key if node.parent is not None else ()
        if not self._grouped or index in self._places:
            return own
        return self._unplaced(index)

    def _unplaced(self, index: int) -> Key:
        row = self._queue.get(index)
        ended = row is not None and row.decoded is None and row.state in (State.FAILED, State.CANCELLED)
        return NOT_OPENED if ended else OPENING

    def _accepts(self, row: Row) -> bool:
        if not self._filter:
            return True
        place = self._places.get(row.index)
        known = (row.name, self.texts.state(row), self.texts.note(row), self._titles.known(place) if place else "")
        return self._filter.accepts(" ".join(known), exported=row.exported is not None and not row.unexported)

    def arrange(self) -> None:
        """Bring the tree to what it shall be now. What is known of images that have left stays: they may come back."""
        indexes = [row.index for row in self._queue.rows() if self._accepts(row)]
        self.arranging.emit()
        self.take_out(self._leaves.keys() - set(indexes))
        places = {index: self._places.get(index) or self._unplaced(index) for index in indexes}
        self.settle(arrange(indexes, places) if self._grouped else tuple(indexes))
        self.arranged.emit()

    def _arrange_unheld(self) -> None:
        if self._filter and self.held():
            self._soon.offer(None)
        else:
            self.arrange()

    def _tell(self, node: Node) -> None:
        place = self._at(node)
        self.dataChanged.emit(place, place)

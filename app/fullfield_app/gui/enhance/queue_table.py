"""The queue for Qt's views: one column, a row per image; all texts are plain."""

from __future__ import annotations

from enum import IntEnum

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QImage

from fullfield.units import format_seconds
from fullfield_app.gui.enhance.queue_model import Queue
from fullfield_app.gui.enhance.row import Row, State
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP
from fullfield_app.gui.widgets.label import tooltip

Index = QModelIndex | QPersistentModelIndex

translate = QCoreApplication.translate


class Role(IntEnum):
    """What the queue's painter asks for beside the usual roles."""

    INDEX = Qt.ItemDataRole.UserRole + 1
    STATE = Qt.ItemDataRole.UserRole + 2
    STATE_TEXT = Qt.ItemDataRole.UserRole + 3
    PROGRESS = Qt.ItemDataRole.UserRole + 4


_STEPS = {
    State.WAITING: 0.0,
    State.OPENING: 0.1,
    State.OPENED: 0.3,
    State.ENHANCING: 0.5,
    State.ENHANCED: 1.0,
    State.EXPORTING: 0.9,
    State.EXPORTED: 1.0,
    State.CANCELLED: 0.0,
    State.FAILED: 0.0,
}


class QueueTable(QAbstractListModel):
    """Shows a `Queue`; `place(index)` is the row of an image."""

    def __init__(self, queue: Queue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue = queue
        self._shown: list[int] = []
        self._places: dict[int, int] = {}
        self._stamps: dict[int, QImage] = {}

    def place(self, index: int) -> int:
        """The row of image `index`; −1 when it is not here."""
        return self._places.get(index, -1)

    @property
    def busy(self) -> bool:
        """The worker is at something."""
        return self._queue.busy

    def append(self, indexes: tuple[int, ...]) -> None:
        """These images have come into the queue."""
        if indexes:
            count = len(self._shown)
            self.beginInsertRows(QModelIndex(), count, count + len(indexes) - 1)
            self._shown.extend(indexes)
            self._number()
            self.endInsertRows()

    def drop(self, indexes: tuple[int, ...]) -> None:
        """These images have left the queue."""
        for index in sorted(indexes, key=self.place, reverse=True):
            place = self.place(index)
            if place >= 0:
                self.beginRemoveRows(QModelIndex(), place, place)
                del self._shown[place]
                self._stamps.pop(index, None)
                self._number()
                self.endRemoveRows()

    def refresh(self, indexes: frozenset[int]) -> None:
        """These images have changed."""
        places = [self._places[index] for index in indexes if index in self._places]
        if places:
            self.dataChanged.emit(self.index(min(places)), self.index(max(places)))

    def has_stamp(self, index: int) -> bool:
        """A thumbnail is there, or asked for: true from the second time on."""
        known = index in self._stamps
        self._stamps.setdefault(index, QImage())
        return known

    def put_stamp(self, index: int, image: QImage) -> None:
        """The thumbnail of an image has been made."""
        self._stamps[index] = image
        self.refresh(frozenset({index}))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """How many images there are."""
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """What a row shows."""
        if not 0 <= index.row() < len(self._shown):
            return None
        row = self._queue[self._shown[index.row()]]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.name
            case Qt.ItemDataRole.DecorationRole:
                return self._stamps.get(row.index)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{row.name}: {state_text(row)}"
            case Qt.ItemDataRole.ToolTipRole:
                return tooltip(f"{row.name} — {state_text(row)}")
            case Role.INDEX:
                return row.index
            case Role.STATE:
                return row.state
            case Role.STATE_TEXT:
                return state_text(row)
            case Role.PROGRESS:
                return _STEPS[row.state]
        return None

    def _number(self) -> None:
        self._places = {index: place for place, index in enumerate(self._shown)}


def state_text(row: Row) -> str:
    """How far an image is, in a few words; for a failed one why."""

    match row.state:
        case State.FAILED if row.trouble is not None:
            return translate("QueueTable", "Failed: {reason}").format(reason=row.trouble.detail or row.trouble.title)
        case State.ENHANCED if row.result is not None:
            text = translate("QueueTable", "Enhanced in {time}").format(time=format_seconds(row.result.seconds))
            return (
                translate("QueueTable", "{state}, with a warning").format(state=text)
                if row.source_notes or row.result_notes
                else text
            )
        case State.WAITING if row.decoded is not None:
            return translate("QueueTable", "Opened, waiting")
        case _:
            return translate("QueueTable", _WORDS[row.state])


_WORDS = {
    State.WAITING: QT_TRANSLATE_NOOP("QueueTable", "Waiting"),
    State.OPENING: QT_TRANSLATE_NOOP("QueueTable", "Opening"),
    State.OPENED: QT_TRANSLATE_NOOP("QueueTable", "Opened"),
    State.ENHANCING: QT_TRANSLATE_NOOP("QueueTable", "Enhancing"),
    State.ENHANCED: QT_TRANSLATE_NOOP("QueueTable", "Enhanced"),
    State.EXPORTING: QT_TRANSLATE_NOOP("QueueTable", "Exporting"),
    State.EXPORTED: QT_TRANSLATE_NOOP("QueueTable", "Exported"),
    State.CANCELLED: QT_TRANSLATE_NOOP("QueueTable", "Cancelled"),
    State.FAILED: QT_TRANSLATE_NOOP("QueueTable", "Failed"),
}

"""The queue as a list: thumbnail, name, state and progress of each image, painted as plain text."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from fullfield_app.gui.enhance.queue_table import QueueTable, Role
from fullfield_app.gui.enhance.row import State
from fullfield_app.gui.widgets.accessible import name

STAMP = 44
PAD = 6
_BUSY = (State.OPENING, State.ENHANCING, State.EXPORTING)
PULSE_MILLISECONDS = 120


class QueueView(QListView):
    """Shows the queue; `current_changed` carries the index of the image one looks at (−1: none)."""

    current_changed = Signal(int)

    def __init__(self, table: QueueTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name(self, self.tr("Images"))
        self._table = table
        self._delegate = _RowPainter(self)
        self._pulse = QTimer(self)
        self._pulse.setInterval(PULSE_MILLISECONDS)
        self._build()
        self._connect_signals()

    def current(self) -> int:
        """The index of the image one looks at; −1 when there is none."""
        index = self.currentIndex().data(Role.INDEX)
        return int(index) if index is not None else -1

    def selected(self) -> list[int]:
        """The indexes of all selected images, in the queue's order."""
        rows = sorted(self.selectionModel().selectedIndexes(), key=lambda place: place.row())
        return [int(place.data(Role.INDEX)) for place in rows]

    def choose(self, index: int) -> None:
        """Look at image `index`."""
        self.setCurrentIndex(self._table.index(self._table.place(index)))

    def step(self, rows: int) -> None:
        """Look at the next image, or the one before."""
        row = min(max(self.currentIndex().row() + rows, 0), self._table.rowCount() - 1)
        if row >= 0:
            self.selectionModel().setCurrentIndex(
                self._table.index(row), QItemSelectionModel.SelectionFlag.ClearAndSelect
            )

    def keyboardSearch(self, search: str) -> None:
        """Letters are the window's keys, not a search."""

    def _build(self) -> None:
        self.setModel(self._table)
        self.setItemDelegate(self._delegate)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def _connect_signals(self) -> None:
        self.selectionModel().currentChanged.connect(lambda *_: self.current_changed.emit(self.current()))
        self._table.dataChanged.connect(lambda *_: self._pulse_while_busy())
        self._pulse.timeout.connect(self._beat)

    def _pulse_while_busy(self) -> None:
        if self._table.busy and not self._pulse.isActive():
            self._pulse.start()

    def _beat(self) -> None:
        self._delegate.beat += 1
        self.viewport().update()
        if not self._table.busy:
            self._pulse.stop()


class _RowPainter(QStyledItemDelegate):
    """Paints a row; `beat` moves the mark of those that the worker is at."""

    beat = 0

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """All rows are of one height."""
        lines = 2 * option.fontMetrics.height() + 3 * PAD
        return QSize(200, max(STAMP + 2 * PAD, lines))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Thumbnail, name, state, progress."""
        room: QRect = option.rect
        palette: QPalette = option.palette
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if chosen:
            painter.fillRect(room, palette.highlight())
        self._paint_stamp(painter, room, index.data(Qt.ItemDataRole.DecorationRole))
        texts = room.adjusted(STAMP + 3 * PAD, PAD, -PAD, -PAD)
        ink = palette.highlightedText().color() if chosen else palette.text().color()
        painter.setPen(ink)
        metrics = painter.fontMetrics()
        title = metrics.elidedText(str(index.data()), Qt.TextElideMode.ElideMiddle, texts.width())
        painter.drawText(texts, int(Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextSingleLine), title)
        self._paint_state(painter, texts, index, palette, chosen=chosen)
        painter.restore()

    def _paint_stamp(self, painter: QPainter, room: QRect, stamp: object) -> None:
        box = QRect(room.left() + PAD, room.center().y() - STAMP // 2, STAMP, STAMP)
        painter.fillRect(box, QColor(0, 0, 0))
        if isinstance(stamp, QImage) and not stamp.isNull():
            size = stamp.size().scaled(box.size(), Qt.AspectRatioMode.KeepAspectRatio)
            place = QRect(0, 0, size.width(), size.height())
            place.moveCenter(box.center())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(place, stamp)

    def _paint_state(
        self,
        painter: QPainter,
        texts: QRect,
        index: QModelIndex | QPersistentModelIndex,
        palette: QPalette,
        *,
        chosen: bool,
    ) -> None:
        state = index.data(Role.STATE)
        small = QFont(painter.font())
        small.setPointSizeF(max(painter.font().pointSizeF() * 0.9, 7.0))
        painter.setFont(small)
        colour = palette.highlightedText().color() if chosen else palette.placeholderText().color()
        if state is State.FAILED:
            colour = palette.brightText().color()
        painter.setPen(colour)
        line = texts.adjusted(0, 0, 0, -PAD)
        text = painter.fontMetrics().elidedText(
            str(index.data(Role.STATE_TEXT)), Qt.TextElideMode.ElideRight, texts.width()
        )
        painter.drawText(line, int(Qt.AlignmentFlag.AlignBottom | Qt.TextFlag.TextSingleLine), text)
        self._paint_progress(painter, texts, state, float(index.data(Role.PROGRESS)), palette)

    def _paint_progress(self, painter: QPainter, texts: QRect, state: object, part: float, palette: QPalette) -> None:
        if state not in (State.WAITING, State.OPENED, *_BUSY):
            return
        bar = QRect(texts.left(), texts.bottom() - 1, texts.width(), 2)
        painter.fillRect(bar, palette.mid())
        painter.fillRect(QRect(bar.left(), bar.top(), round(bar.width() * part), bar.height()), palette.link())
        if state in _BUSY:
            width = bar.width() // 6
            left = bar.left() + (self.beat * width // 3) % max(bar.width() - width, 1)
            painter.fillRect(QRect(left, bar.top(), width, bar.height()), palette.link().color().lighter(150))

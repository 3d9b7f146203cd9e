"""How rows of the list are painted: thumbnail, name, state, method and progress of an image; title of a group."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QPainter, QPalette, QPen, QPolygon
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from fullfield_app.gui.enhance.grouping import JOINT
from fullfield_app.gui.enhance.queue_tree import Role
from fullfield_app.gui.queue.row import State

STAMP = 44
MARK = 16  # of damage, on the thumbnail
PAD = 6
LEAST_LETTERS = 6  # that are left of a patient
SMALL = 0.9  # of the font, for what is below the name
_BUSY = (State.OPENING, State.ENHANCING, State.EXPORTING)
Index = QModelIndex | QPersistentModelIndex


def fitting(parts: Sequence[str], metrics: QFontMetrics, width: int) -> str:
    """Parts of a title in `width` pixels: the first gives way, the patient's name or ID; date and modality stay."""
    whole = JOINT.join(parts)
    if metrics.horizontalAdvance(whole) <= width:
        return whole
    first, rest = parts[0], whole.removeprefix(parts[0])
    room = max(width - metrics.horizontalAdvance(rest), LEAST_LETTERS * metrics.averageCharWidth())
    shortened = metrics.elidedText(first, Qt.TextElideMode.ElideRight, room)
    return metrics.elidedText(f"{shortened}{rest}", Qt.TextElideMode.ElideRight, width)


def lines(index: Index) -> tuple[tuple[str, ...], ...]:
    """The parts of a group's title, line by line: a patient's name has a line of its own, all else is below it."""
    parts: tuple[str, ...] = tuple(index.data(Role.PARTS) or ())
    return (parts,) if index.parent().isValid() or len(parts) < 2 else (parts[:1], parts[1:])


def _small(font: QFont) -> QFont:
    small = QFont(font)
    small.setBold(False)
    small.setPointSizeF(max(font.pointSizeF() * SMALL, 7.0))
    return small


class RowPainter(QStyledItemDelegate):
    """Paints a row; `beat` moves the mark of those that the worker is at."""

    beat = 0

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Images are of one height, groups of another."""
        line = option.fontMetrics.height()
        image = max(STAMP + 2 * PAD, line + 2 * round(SMALL * line) + 3 * PAD)
        if index.data(Role.INDEX) is not None:
            return QSize(200, image)
        return QSize(200, PAD + line + (len(lines(index)) - 1) * (round(SMALL * line) + 2))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """One row."""
        room: QRect = option.rect
        palette: QPalette = option.palette
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if chosen:
            painter.fillRect(room, palette.highlight())
        painter.setPen(palette.highlightedText().color() if chosen else palette.text().color())
        if index.data(Role.INDEX) is None:
            self._paint_group(painter, room.adjusted(PAD, 0, -PAD, 0), index, palette, chosen=chosen)
        else:
            self._paint_stamp(painter, room, index.data(Qt.ItemDataRole.DecorationRole))
            if index.data(Role.DAMAGED):
                self._paint_damage(painter, room, palette)
            self._paint_image(painter, room.adjusted(STAMP + 3 * PAD, PAD, -PAD, -PAD), index, palette, chosen=chosen)
        painter.restore()

    def _paint_group(self, painter: QPainter, room: QRect, index: Index, palette: QPalette, *, chosen: bool) -> None:
        font = QFont(painter.font())
        font.setBold(True)
        painter.setFont(font)
        quiet = painter.pen().color() if chosen else palette.placeholderText().color()
        count, single, top = str(index.data(Role.COUNT)), int(Qt.TextFlag.TextSingleLine), room.top() + PAD // 2
        *above, last = lines(index)
        for parts in above:
            line = QRect(room.left(), top, room.width(), painter.fontMetrics().height())
            painter.drawText(line, single, fitting(parts, painter.fontMetrics(), line.width()))
            top += line.height()
            painter.setFont(_small(font))
            painter.setPen(quiet)
        metrics = painter.fontMetrics()
        line = QRect(room.left(), top, room.width(), metrics.height())
        taken = metrics.horizontalAdvance(count) + PAD
        painter.drawText(line, single, fitting(last, metrics, line.width() - taken))
        painter.setPen(quiet)
        painter.drawText(line, single | int(Qt.AlignmentFlag.AlignRight), count)
        part = float(index.data(Role.PROGRESS))
        if part < 1:
            self._paint_bar(painter, QRect(room.left(), room.bottom() - 1, room.width(), 2), part, palette)

    def _paint_stamp(self, painter: QPainter, room: QRect, stamp: object) -> None:
        box = QRect(room.left() + PAD, room.center().y() - STAMP // 2, STAMP, STAMP)
        painter.fillRect(box, QColor(0, 0, 0))
        if isinstance(stamp, QImage) and not stamp.isNull():
            size = stamp.size().scaled(box.size(), Qt.AspectRatioMode.KeepAspectRatio)
            place = QRect(0, 0, size.width(), size.height())
            place.moveCenter(box.center())
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(place, stamp)

    def _paint_damage(self, painter: QPainter, room: QRect, palette: QPalette) -> None:
        """A triangle with an exclamation mark in the lower right corner of the thumbnail."""
        right, bottom = room.left() + PAD + STAMP, room.center().y() - STAMP // 2 + STAMP
        corners = (QPoint(right - MARK, bottom), QPoint(right, bottom), QPoint(right - MARK // 2, bottom - MARK))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.brightText())
        painter.drawPolygon(QPolygon(corners))
        painter.setPen(QPen(palette.base().color(), 2))
        middle = right - MARK // 2
        painter.drawLine(middle, bottom - MARK * 2 // 3, middle, bottom - MARK // 3)
        painter.drawPoint(middle, bottom - 2)
        painter.restore()

    def _paint_image(self, painter: QPainter, texts: QRect, index: Index, palette: QPalette, *, chosen: bool) -> None:
        state = index.data(Role.STATE)
        self._paint_line(painter, texts, texts.top(), str(index.data()), Qt.TextElideMode.ElideMiddle)
        top = texts.top() + painter.fontMetrics().height() + 1
        painter.setFont(_small(painter.font()))
        quiet = palette.highlightedText().color() if chosen else palette.placeholderText().color()
        painter.setPen(palette.brightText().color() if state is State.FAILED or index.data(Role.DAMAGED) else quiet)
        self._paint_line(painter, texts, top, str(index.data(Role.STATE_TEXT)), Qt.TextElideMode.ElideRight)
        painter.setPen(quiet)
        top += painter.fontMetrics().height()
        self._paint_line(painter, texts, top, str(index.data(Role.NOTE)), Qt.TextElideMode.ElideRight)
        if state in (State.WAITING, State.OPENED, *_BUSY):
            bar = QRect(texts.left(), texts.bottom() + 2, texts.width(), 2)
            self._paint_bar(painter, bar, float(index.data(Role.PROGRESS)), palette)
            if state in _BUSY:
                self._paint_beat(painter, bar, palette)

    def _paint_line(self, painter: QPainter, room: QRect, top: int, text: str, mode: Qt.TextElideMode) -> None:
        metrics = painter.fontMetrics()
        line = QRect(room.left(), top, room.width(), metrics.height())
        painter.drawText(line, int(Qt.TextFlag.TextSingleLine), metrics.elidedText(text, mode, room.width()))

    def _paint_bar(self, painter: QPainter, bar: QRect, part: float, palette: QPalette) -> None:
        painter.fillRect(bar, palette.mid())
        painter.fillRect(QRect(bar.left(), bar.top(), round(bar.width() * part), bar.height()), palette.link())

    def _paint_beat(self, painter: QPainter, bar: QRect, palette: QPalette) -> None:
        width = bar.width() // 6
        left = bar.left() + (self.beat * width // 3) % max(bar.width() - width, 1)
        painter.fillRect(QRect(left, bar.top(), width, bar.height()), palette.link().color().lighter(150))

"""Parts beside each other, which go on in lines below where there is no room for all of them."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem


class Flow(QLayout):
    """A row of widgets and layouts that is broken where it is wider than its room. In each line what expands takes what
    is left; between lines there are `below` pixels, between parts `spacing`."""

    def __init__(self, *, spacing: int, below: int) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}  # by width: Qt asks often, until something changes
        self._below = below
        self.setSpacing(spacing)
        self.setContentsMargins(0, 0, 0, 0)

    def add_layout(self, layout: QLayout) -> None:
        """As one part, which is not broken."""
        self.addChildLayout(layout)
        self.addItem(layout)

    def addItem(self, item: QLayoutItem, /) -> None:
        """At the end."""
        self._items.append(item)
        self.invalidate()

    def count(self) -> int:
        """How many there are."""
        return len(self._items)

    def itemAt(self, place: int, /) -> QLayoutItem | None:
        """None where there is none, as Qt asks."""
        return self._items[place] if 0 <= place < len(self._items) else None

    def takeAt(self, place: int, /) -> QLayoutItem | None:
        """It is no longer laid out."""
        taken = self._items.pop(place) if 0 <= place < len(self._items) else None
        self.invalidate()
        return taken

    def invalidate(self) -> None:
        """Something in it is another one, is shown or hidden, or would like another size."""
        self._heights.clear()
        super().invalidate()

    def expandingDirections(self) -> Qt.Orientation:
        """As wide as there is room, never taller."""
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:
        """Narrower is taller."""
        return True

    def heightForWidth(self, width: int, /) -> int:
        """Of all lines."""
        if width not in self._heights:
            lines = self._lines(width)
            self._heights[width] = sum(map(_height, lines)) + self._below * max(0, len(lines) - 1)
        return self._heights[width]

    def sizeHint(self) -> QSize:
        """All in one line."""
        shown = self._shown()
        return QSize(self._wide(shown), _height(shown))

    def minimumSize(self) -> QSize:
        """Each in a line of its own; how tall that is Qt asks for a width."""
        shown = self._shown()
        return QSize(max((item.minimumSize().width() for item in shown), default=0), _height(shown))

    def setGeometry(self, room: QRect, /) -> None:
        """Lines from the top, in the middle of what is taller."""
        super().setGeometry(room)
        top = room.top() + max(0, room.height() - self.heightForWidth(room.width())) // 2
        for line in self._lines(room.width()):
            self._place(line, QRect(room.left(), top, room.width(), _height(line)))
            top += _height(line) + self._below

    def _place(self, line: list[QLayoutItem], room: QRect) -> None:
        free, left = room.width() - self._wide(line), room.left()
        wide = [item for item in line if item.expandingDirections() & Qt.Orientation.Horizontal]
        wide = line if free < 0 else wide  # one part alone, which is wider than the room
        for item in line:
            width = _width(item) + (free // len(wide) if item in wide else 0)
            item.setGeometry(QRect(QPoint(left, room.top()), QSize(width, room.height())))
            left += width + self.spacing()

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        for item in self._shown():
            if lines and self._wide([*lines[-1], item]) <= width:
                lines[-1].append(item)
            else:
                lines.append([item])
        return lines

    def _wide(self, line: list[QLayoutItem]) -> int:
        return sum(map(_width, line)) + self.spacing() * max(0, len(line) - 1)


def _width(item: QLayoutItem) -> int:
    """As it would like; of a widget that is elided, with its whole text."""
    widget = item.widget()
    return item.sizeHint().width() if widget is None else widget.sizeHint().width()


def _height(line: list[QLayoutItem]) -> int:
    return max((item.sizeHint().height() for item in line), default=0)

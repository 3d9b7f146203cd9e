"""What a left drag does, and what may lie on an image: the values that views and those who use them share."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QPointF
from PySide6.QtGui import QKeyEvent, QPainter

from fullfield_app.gui.view.camera import Look

if TYPE_CHECKING:
    from fullfield_app.gui.view.drags import Drag


class Tool(StrEnum):
    """What a left drag does. MARK: it draws or moves a mark on the glass."""

    WINDOW = "window"
    ZOOM = "zoom"
    PAN = "pan"
    MARK = "mark"


class Glass(Protocol):
    """What lies on the images of every view: regions and lines, in coordinates of the file.

    Places are logical pixels of the view; `ratio` device pixels make one of them. The painter works in device pixels.
    """

    def paint(self, painter: QPainter, look: Look, ratio: float) -> None:
        """Paint all of it."""

    def press(self, place: QPointF, look: Look, ratio: float) -> Drag | None:
        """The left button goes down with the tool MARK."""

    def key(self, event: QKeyEvent, look: Look) -> bool:
        """A key with the tool MARK; False where it means nothing here."""
        ...

    def wants(self, event: QKeyEvent) -> bool:
        """Whether this key is meant for the glass before any shortcut."""
        ...

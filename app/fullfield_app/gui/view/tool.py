"""What a left drag does, and what may lie on an image: the values that views and those who use them share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from PySide6.QtCore import QPointF
from PySide6.QtGui import QKeyEvent, QPainter

from fullfield_app.gui.view.camera import Look


class Tool(StrEnum):
    """What a left drag does. MARK: it draws or moves a mark on the glass."""

    WINDOW = "window"
    ZOOM = "zoom"
    PAN = "pan"
    MARK = "mark"


def _nothing() -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class Drag:
    """`move`: the mouse is there now (logical pixels of the view); `end`: the button was let go."""

    move: Callable[[QPointF], None]
    end: Callable[[], None] = _nothing


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

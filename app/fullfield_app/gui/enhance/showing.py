"""Which images the compare view shows for the row one looks at, through which windows and which way up: kept per image.

No widget of its own: it listens to the queue and the pictures, and tells the view.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QObject, Signal

from fullfield.errors import FullfieldError
from fullfield.image.delivery import Appearance
from fullfield.image.image import Voi, VoiTable
from fullfield.image.values import Window
from fullfield_app.gui.enhance.pictures import Pictures
from fullfield_app.gui.enhance.queue_model import Queue
from fullfield_app.gui.queue.row import Row, State, forgotten
from fullfield_app.gui.translation import in_lines
from fullfield_app.gui.view.camera import Orientation
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.compare_view import CompareView
from fullfield_app.gui.view.picture import Picture, Source
from fullfield_app.gui.view.tone import Shown

Pair = tuple[Picture | None, Picture | None]


@dataclass(frozen=True, kw_only=True)
class Kept:
    """The window `voi` that a picture was seen through, and what is to be known of the picture: never its pixels.
    `table`: see `Appearance`."""

    lowest: int
    highest: int
    bits: int
    first: Voi
    voi: Voi
    table: int | None = None

    def suits(self, picture: Picture) -> bool:
        """It is the same picture, read again, not a new result."""
        return (self.lowest, self.highest, self.bits) == (picture.lowest, picture.highest, picture.bits)

    @property
    def chosen(self) -> Window | None:
        """The window that a user has set; None while it is the picture's own first one."""
        return self.voi if isinstance(self.voi, Window) and self.voi != self.first else None


class Showing(QObject):
    """`row_shown`: the row and its source (each may be None) that are seen now. `missed`: the index of an image whose
    pixels are gone; `failed`: a FullfieldError, where making them anew is not wanted, or was in vain.
    """

    row_shown = Signal(object, object)
    missed = Signal(int)
    failed = Signal(object)

    def __init__(self, queue: Queue, pictures: Pictures, view: CompareView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._queue, self._pictures, self._view = queue, pictures, view
        self._index = -1
        self._seen: Pair = (None, None)
        self._windows: dict[tuple[int, Side], Kept] = {}
        self._results: dict[int, Path] = {}  # whose windows those are
        self._turned: dict[int, Appearance] = {}  # turn and inversion alone
        self._anew: set[int] = set()  # missed, and not seen since
        self._view.shown_changed.connect(self._keep)

    @property
    def index(self) -> int:
        """The image one looks at; −1: none."""
        return self._index

    def look_at(self, index: int) -> None:
        """Look at another image."""
        if index != self._index:
            self._index = index
            self._seen = (None, None)
            look = self._turned.get(index, Appearance())
            orientation = Orientation(turns=look.turns, mirrored=look.mirrored)
            self._view.show_pair(None, None, orientation=orientation, inverted=look.inverted)
        self.refresh()

    def leave(self, indexes: tuple[int, ...]) -> None:
        """These images have left the queue; how they were seen stays, for they may come back."""
        if self._index in indexes:
            self.look_at(-1)

    def appearance(self, index: int) -> Appearance:
        """How an image is seen, or was when one last looked at it."""
        row = self._queue.get(index)
        if row is None or row.result is None:
            return Appearance()
        kept = tuple(self._windows.get((index, side)) for side in Side)
        before, after = (one.chosen if one is not None else None for one in kept)
        if self._results.get(index) != row.result.path:
            after = None  # the window of an earlier result
        table = kept[0].table if kept[0] is not None else None
        return replace(self._turned.get(index, Appearance()), before=before, after=after, table=table)

    def miss(self, path: Path, error: FullfieldError) -> None:
        """What was left there is gone: of hundreds of images the cache keeps the last, and a worker that ended took
        its results with it."""
        rows = (row for row in self._queue.rows() if path in (row.decoded, row.result.path if row.result else None))
        row = min(rows, key=lambda row: row.index != self._index, default=None)
        if row is None:
            return
        if row.index in self._anew or not forgotten(row).pending:
            self.failed.emit(error)
        else:
            self._anew.add(row.index)
            self.missed.emit(row.index)

    def refresh(self) -> None:
        """Show what there is now of the image one looks at."""
        row = self._queue.get(self._index)
        source, after = self._find(row)
        if source is not None and after is not None:
            self._anew.discard(self._index)
        pair = (source.picture if source is not None else None, after)
        messages = (self._before_text(row), self._after_text(row))
        for side, now, seen, message in zip(Side, pair, self._seen, messages, strict=True):
            if now is None or now is not seen:
                self._view.show_side(side, now, self._window(side, now), message)
        self._seen = pair
        self.row_shown.emit(row, source)

    def _find(self, row: Row | None) -> tuple[Source | None, Picture | None]:
        if row is None or row.decoded is None:
            return None, None
        source = self._pictures.source(row.decoded)
        if source is None or row.result is None or (row.trouble is not None and not row.exportable):
            return source, None
        return source, self._pictures.result(row.result, source.picture)

    def _window(self, side: Side, picture: Picture | None) -> Voi | None:
        kept = self._windows.get((self._index, side))
        return kept.voi if kept is not None and picture is not None and kept.suits(picture) else None

    def _keep(self) -> None:
        if self._index < 0:
            return
        turns, mirrored = self._view.orientation.turns, self._view.orientation.mirrored
        self._turned[self._index] = Appearance(inverted=self._view.inverted, turns=turns, mirrored=mirrored)
        for side in Side:
            shown: Shown | None = self._view.shown(side)
            if shown is not None:
                self._windows[self._index, side] = _kept(shown)
        row = self._queue.get(self._index)
        if row is not None and row.result is not None and self._view.shown(Side.AFTER) is not None:
            self._results[self._index] = row.result.path

    def _before_text(self, row: Row | None) -> str:
        if row is None:
            return ""
        if row.state is State.FAILED and row.decoded is None and row.trouble is not None:
            return in_lines(row.trouble.title, row.trouble.detail, row.trouble.hint)
        if row.state is State.CANCELLED and row.decoded is None:
            return self.tr("Cancelled before it was opened.")
        return self.tr("Opening…")

    def _after_text(self, row: Row | None) -> str:
        if row is None:
            return ""
        match row.state:
            case State.ENHANCING:
                return self.tr("Enhancing…")
            case State.CANCELLED:
                return self.tr("Cancelled. Enhance it again from the menu Image.")
            case State.FAILED if row.decoded is not None and row.trouble is not None:
                return in_lines(row.trouble.title, row.trouble.detail, row.trouble.hint)
            case State.FAILED:
                return ""
        return self.tr("Waiting to be enhanced…") if row.pending else ""


def _kept(shown: Shown) -> Kept:
    picture, voi = shown.picture, shown.voi
    table = next((place for place, one in enumerate(picture.vois) if _same(one, voi)), None)
    return Kept(
        lowest=picture.lowest,
        highest=picture.highest,
        bits=picture.bits,
        first=picture.voi,
        voi=voi,
        table=table,
    )


def _same(one: Voi, other: Voi) -> bool:
    """They are one table of a file, which may have been read again since."""
    if not (isinstance(one, VoiTable) and isinstance(other, VoiTable)):
        return False
    return one.first == other.first and np.array_equal(one.table, other.table)

"""The two images that are compared, and the windows that they are seen through. No widget.

Linked windows move together: what changes is counted in shares of each image's own range, for an enhanced image has
values of another kind, and it is always measured from where the two stood when they were last set apart from each
other. So neither jumps at the first touch, and no rounding adds up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fullfield.image.image import Voi
from fullfield.image.values import Window
from fullfield_app.gui.view.canvas import Side
from fullfield_app.gui.view.picture import Picture
from fullfield_app.gui.view.tone import Shown
from fullfield_app.gui.view.window_tool import drag_of


class Pair:
    """What each side shows, and whether their windows are linked."""

    def __init__(self) -> None:
        self.linked, self.inverted = True, False
        self._shown: dict[Side, Shown | None] = {Side.BEFORE: None, Side.AFTER: None}
        self._anchors: dict[Side, Shown | None] = dict(self._shown)

    def __getitem__(self, side: Side) -> Shown | None:
        return self._shown[side]

    @property
    def empty(self) -> bool:
        """No image yet."""
        return all(shown is None for shown in self._shown.values())

    def show(self, before: Shown | None, after: Shown | None, *, inverted: bool = False) -> None:
        """Another pair; `inverted`: also the images that come into it later."""
        self.inverted = inverted
        self._shown = {Side.BEFORE: before, Side.AFTER: after}
        self._set_apart()

    def exchange(self, side: Side, picture: Picture | None, voi: Voi | None) -> None:
        """Another image on one side."""
        self._shown[side] = None
        if picture is not None:
            self._shown[side] = Shown(picture=picture, voi=voi or picture.voi, inverted=self.inverted)
        self._set_apart()

    def set_window(self, side: Side, window: Window) -> None:
        """Another window on one side; where they are linked, the other side's moves by the same shares."""
        own, other = self._anchors[side], _other(side)
        self._put(side, window)
        anchor = self._anchors[other]
        if own is None or anchor is None or not self.linked:
            self._anchors[side] = self._shown[side]
            return
        start = drag_of(own.picture, own.voi)
        span = start.highest - start.lowest
        wider = ((window.high - window.low) - (start.start.high - start.start.low)) / span
        higher = ((window.high + window.low) - (start.start.high + start.start.low)) / 2 / span
        self._put(other, drag_of(anchor.picture, anchor.voi).moved(wider, higher))

    def set_windows(self, side: Side | None, make: Callable[[Picture], Voi]) -> None:
        """To each picture the window that `make` gives it: to both where they are linked or `side` is None."""
        for one in Side:
            shown = self._shown[one]
            if shown is not None and (side is None or self.linked or one is side):
                self._put(one, make(shown.picture))
        self._set_apart()

    def set_linked(self, linked: bool) -> None:
        """Link the windows as they stand now, or let each go its own way."""
        self.linked = linked
        self._set_apart()

    def reset(self) -> None:
        """Each as it was shown first."""
        self.inverted = False
        for side, shown in self._shown.items():
            if shown is not None:
                self._shown[side] = Shown(picture=shown.picture, voi=shown.picture.voi)
        self._set_apart()

    def invert(self) -> None:
        """Exchange bright and dark."""
        self.inverted = not self.inverted
        for side, shown in self._shown.items():
            if shown is not None:
                self._shown[side] = replace(shown, inverted=self.inverted)

    def _put(self, side: Side, voi: Voi) -> None:
        shown = self._shown[side]
        if shown is not None:
            self._shown[side] = replace(shown, voi=voi)

    def _set_apart(self) -> None:
        self._anchors = dict(self._shown)


def _other(side: Side) -> Side:
    return Side.AFTER if side is Side.BEFORE else Side.BEFORE

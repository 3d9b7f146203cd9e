"""The window under the hand: a drag to the right widens it, a drag downwards darkens, as in Weasis and OHIF.

Both ends stay within the values that the image has, or that the window had which it began with: one that leaves them
turns a radiograph white or black (Weasis#373), and one that is cut to them jumps at the first touch.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from fullfield.image.image import Voi, VoiTable
from fullfield.image.values import Window
from fullfield_app.gui import numbers
from fullfield_app.gui.view.picture import Picture

FINE = 100  # a narrower window is told in more than whole numbers
NARROWEST = 1 / 256  # of the range: narrower shows nothing but two tones


@dataclass(frozen=True, kw_only=True)
class WindowDrag:
    """A drag that began at `start`, on an image whose values run from `lowest` to `highest`."""

    start: Window
    lowest: float
    highest: float

    def moved(self, right: float, down: float) -> Window:
        """The window after a move by parts of the view's size, −1 … 1: one view's width is the whole range."""
        span = max(self.highest - self.lowest, 1.0)
        low, high = self.start.low, self.start.high
        first, last = min(low, self.lowest), max(high, self.lowest + span)
        width = min(max(high - low + right * span, max(1.0, span * NARROWEST)), last - first)
        middle = (low + high) / 2 + down * span
        begin = min(max(middle - width / 2, first), last - width)
        return replace(self.start, low=begin, high=begin + width, name="")


def drag_of(picture: Picture, voi: Voi) -> WindowDrag:
    """A drag that starts from how `picture` is shown now."""
    span = max(picture.highest - picture.lowest, 1)
    return WindowDrag(start=as_window(voi), lowest=picture.lowest, highest=picture.lowest + span)


def width_and_level(picture: Picture, voi: Voi) -> tuple[str, str]:
    """A window's width and centre as the file has them, in its own values (PS3.3 C.11.2.1.2), a table's in its place.

    A linear window of the width 1 shows one value, so its ends lie one less apart than it is wide.
    """
    window = as_window(voi)
    first, last = sorted(picture.scale.own(end) for end in (window.low, window.high))
    more = 0 if window.sigmoid or window.exact else 1
    width, level = last - first + more, (first + last + more) / 2
    if width >= FINE:
        return numbers.plain(round(width)), numbers.plain(round(level))
    return numbers.short(width, 4), numbers.short(level, 4)


def as_window(voi: Voi) -> Window:
    """A window in place of a table: from where the table leaves black to where it reaches white."""
    if isinstance(voi, Window):
        return voi
    return _of_table(voi)


def _of_table(voi: VoiTable) -> Window:
    rising = [place for place, shade in enumerate(voi.table) if 0.02 < shade < 0.98]
    first, last = (rising[0], rising[-1]) if rising else (0, len(voi.table) - 1)
    return Window(low=float(voi.first + first), high=float(voi.first + max(last, first + 1)))

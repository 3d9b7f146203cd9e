"""What of an enhanced image goes into a file: all of its data, or the picture as it is seen; and the mark below it.

Plain values that cross a process: the window makes them, the worker reads them.
"""

from __future__ import annotations

from dataclasses import dataclass

from fullfield.image.values import Window


@dataclass(frozen=True, kw_only=True)
class Appearance:
    """How a pair of images is seen.

    `before`, `after`: their windows, in units of the pixels; None: the one that each is shown through first. `table`:
    which one of the file's windows and tables the image before is seen through, where that is a table; from 0.
    Bright and dark are exchanged when `inverted`; quarter `turns` clockwise, then `mirrored` left to right.
    """

    before: Window | None = None
    after: Window | None = None
    table: int | None = None
    inverted: bool = False
    turns: int = 0
    mirrored: bool = False


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """`displayed`: an 8-bit picture as it is seen through `look`; else all of the data, in 16 bits, whatever the look.

    `beside`: the image before stands on the left of a picture as displayed, under `captions` (before, after).
    `mark`: the sentence in the strip below the picture; empty: no strip. Not in DICOM, which says it in its attributes.
    `window`: DICOM carries the window of `look` as its first one.
    """

    displayed: bool = False
    look: Appearance = Appearance()
    beside: bool = False
    captions: tuple[str, str] = ("", "")
    mark: str = ""
    window: bool = False

    @property
    def shown_window(self) -> Window | None:
        """The window that a DICOM file is to open with; None: the one over all of its data."""
        return self.look.after if self.window else None


FULL = Delivery()

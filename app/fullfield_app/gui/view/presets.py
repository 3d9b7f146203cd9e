"""Windows at the press of a number key: for radiographs, made from the values that the image has.

A radiograph's values have no fixed meaning as those of a CT have, so each is told by the image's own range, the 1st
to 99th percentile of its values with padding left out. They are found on a sample, so that a key answers at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fullfield.image.image import Pixels, Voi
from fullfield.image.values import Window
from fullfield_app.gui.translation import QT_TRANSLATE_NOOP
from fullfield_app.gui.view.area import Area
from fullfield_app.gui.view.picture import Picture

SAMPLES = 1 << 16
TAILS_PERCENT = 1.0


@dataclass(frozen=True, kw_only=True)
class WindowPreset:
    """`key`: of its action; `keys`: on the keyboard. `make`: the window for a picture; None: from what is in sight."""

    key: str
    keys: str
    title: str
    make: Callable[[Picture], Voi] | None


def auto_window(picture: Picture, area: Area | None = None, *, tails: float = TAILS_PERCENT) -> Window:
    """The window without the `tails`, in percent, of the values: of all of them, or of those within `area`."""
    values = _sample(picture, area)
    first, last = (float(value) for value in np.percentile(values, [tails, 100 - tails]))
    if last <= first:
        first, last = float(values.min()), float(values.max())
    return Window(low=first, high=max(last, first + 1))


def _part(picture: Picture, begin: float, end: float, *, sigmoid: bool = False) -> Window:
    """From `begin` to `end`, as shares of the range from the 1st to the 99th percentile."""
    whole = auto_window(picture)
    span = whole.high - whole.low
    low = whole.low + begin * span
    return Window(low=low, high=max(whole.low + end * span, low + 1), sigmoid=sigmoid)


def _sample(picture: Picture, area: Area | None) -> Pixels:
    pixels = picture.levels[0]
    if area is not None:
        pixels = pixels[area.kept((picture.columns, picture.rows)).slices()]
    step = max(1, math.isqrt(pixels.size // SAMPLES))
    values = np.ascontiguousarray(pixels[::step, ::step]).ravel()
    if picture.padding is not None:
        inside = values[(values < picture.padding[0]) | (values > picture.padding[1])]
        return inside if inside.size else values
    return values


PRESETS: tuple[WindowPreset, ...] = (
    WindowPreset(
        key="preset_file", keys="1", title=QT_TRANSLATE_NOOP("actions", "As in the file"), make=lambda one: one.voi
    ),
    WindowPreset(
        key="preset_range",
        keys="2",
        title=QT_TRANSLATE_NOOP("actions", "Whole range"),
        make=lambda one: Window(low=one.lowest, high=max(one.highest, one.lowest + 1)),
    ),
    WindowPreset(
        key="preset_percentiles",
        keys="3",
        title=QT_TRANSLATE_NOOP("actions", "1st to 99th percentile"),
        make=auto_window,
    ),
    WindowPreset(
        key="preset_bone",
        keys="4",
        title=QT_TRANSLATE_NOOP("actions", "Bone: the bright half"),
        make=lambda one: _part(one, 0.5, 1.0),
    ),
    WindowPreset(
        key="preset_soft",
        keys="5",
        title=QT_TRANSLATE_NOOP("actions", "Soft tissue: the middle half"),
        make=lambda one: _part(one, 0.25, 0.75),
    ),
    WindowPreset(
        key="preset_lung",
        keys="6",
        title=QT_TRANSLATE_NOOP("actions", "Lung and air: the dark half"),
        make=lambda one: _part(one, 0.0, 0.5),
    ),
    WindowPreset(
        key="preset_contrast",
        keys="7",
        title=QT_TRANSLATE_NOOP("actions", "High contrast: 10th to 90th percentile"),
        make=lambda one: auto_window(one, tails=10.0),
    ),
    WindowPreset(
        key="preset_sigmoid",
        keys="8",
        title=QT_TRANSLATE_NOOP("actions", "Soft ends: a sigmoid curve"),
        make=lambda one: _part(one, 0.0, 1.0, sigmoid=True),
    ),
    WindowPreset(
        key="preset_sight", keys="9", title=QT_TRANSLATE_NOOP("actions", "From the part that is in sight"), make=None
    ),
)

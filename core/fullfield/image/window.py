"""Windows: which values of an image are shown from black to white, and the picture that a window gives.

A window of a file is taken as it stands, also where it reaches beyond the data: cut to them it shows another picture
than the file asks for. The reader has left aside those that do not fit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fullfield.image.image import Image, Pixels, Voi, VoiTable
from fullfield.image.values import Window

LOW_PERCENT, HIGH_PERCENT = 0.5, 99.5
_SAMPLES = 1 << 18
_RAMP = np.arange(65536, dtype=np.uint16)


def first_voi(image: Image) -> Voi:
    """How an image is shown first: through the first window or table of its file, else between two percentiles."""
    return image.voi[0] if image.voi else percentile_window(image)


def source(image: Image) -> NDArray[np.float32]:
    """The table of what an image's values are shown as, 0 black … 1 white, where nothing else is asked for."""
    voi = whole_window(image.pixels) if image.enhanced else first_voi(image)
    return shares(voi, image.top).astype(np.float32)


def whole_window(pixels: Pixels) -> Window:
    """All of the data and no more: how an enhanced image is shown first, and the window that its file carries."""
    lowest, highest = int(pixels.min()), int(pixels.max())
    return Window(low=lowest, high=max(highest, lowest + 1))


def percentile_window(image: Image, low: float = LOW_PERCENT, high: float = HIGH_PERCENT) -> Window:
    """The window between two percentiles of the pixels that are image, found on a sample spread over all of it.

    `low` < `high` always, also for an image of one value.
    """
    values = _sample(image)
    first, last = (float(value) for value in np.percentile(values, [low, high]))
    if last <= first:
        first, last = float(values.min()), float(values.max())
    return Window(low=first, high=max(last, first + 1))


def data_range(image: Image) -> tuple[float, float]:
    """The smallest and the largest value of the pixels that are image; both of all pixels where none is."""
    pixels = image.pixels
    if image.padding is not None:
        inside = pixels[(pixels < image.padding[0]) | (pixels > image.padding[1])]
        if inside.size:
            return float(inside.min()), float(inside.max())
    return float(pixels.min()), float(pixels.max())


def render(pixels: Pixels, voi: Voi) -> NDArray[np.uint8]:
    """The picture that `voi` gives, 0 black … 255 white (PS3.3 C.11.2.1.2, C.11.2.1.3; the sigmoid C.11.2.1.3.1).

    Any shape; the curve is applied through a table of the values that occur.
    """
    table = np.rint(255 * shares(voi, int(pixels.max(initial=0)))).astype(np.uint8)
    return table[pixels]


def shares(voi: Voi, top: int) -> NDArray[np.float64]:
    """What `voi` makes of the values 0 … `top`: 0 black … 1 white."""
    values = np.arange(top + 1, dtype=np.float64)
    if isinstance(voi, VoiTable):
        shown = voi.table[np.clip(values.astype(np.int64) - voi.first, 0, voi.table.size - 1)].astype(np.float64)
    else:
        width = max(voi.high - voi.low, 1e-9)
        shown = (values - voi.low) / width
        if voi.sigmoid:
            shown = 1 / (1 + np.exp(np.clip(-4 * (shown - 0.5), -60, 60)))
    return np.clip(shown, 0, 1)


def greys(voi: Voi, *, inverted: bool = False, padding: tuple[int, int] | None = None) -> NDArray[np.uint8]:
    """The grey level of each of the 65,536 values; padding is black whatever the window (PS3.3 C.7.5.1.1.2)."""
    levels = render(_RAMP, voi)
    if inverted:
        levels = 255 - levels
    if padding is not None:
        levels[padding[0] : padding[1] + 1] = 0
    return levels


def _sample(image: Image) -> Pixels:
    pixels = image.pixels
    stride = max(1, int(np.sqrt(pixels.size / _SAMPLES)))
    values = pixels[:: min(stride, pixels.shape[0]), :: min(stride, pixels.shape[1])].ravel()
    if image.padding is not None:
        inside = values[(values < image.padding[0]) | (values > image.padding[1])]
        return inside if inside.size else values
    return values


__all__ = [
    "HIGH_PERCENT",
    "LOW_PERCENT",
    "data_range",
    "first_voi",
    "greys",
    "percentile_window",
    "render",
    "shares",
    "source",
    "whole_window",
]

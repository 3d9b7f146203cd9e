"""The contrast of an image as it is shown: how its grey levels are spread, and how much they differ close by.

Arithmetic without a widget.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fullfield.image.image import Pixels
from fullfield_app.gui.view.area import Area
from fullfield_app.gui.view.tone import Grey, Shown, table

LARGEST_SIDE = 512  # the grey levels of a reduced size are those of the whole, to well below a bin
BINS = 64
BLOCK = 8


@dataclass(frozen=True, kw_only=True, eq=False)
class Spread:
    """`shares`: percent of the pixels per bin; `centres`: grey level of each bin, 0 (black) … 100 (white).

    `contrast`: the local contrast in percent of full scale: the mean of the standard deviations of the grey levels
    (RMS contrast, Peli 1990) within blocks of BLOCK × BLOCK. Over the whole image that figure would praise a picture
    for its black background and blame one whose latitude was brought down to what the eye can see.
    """

    centres: NDArray[np.float64]
    shares: NDArray[np.float64]
    contrast: float


def spread(shown: Shown, area: Area | None = None) -> Spread:
    """The spread of what is seen, within `area`; padding is left out, black and white ends count.

    Always of some 500 pixels a side at most: the whole image reduced, a small area as it is.
    """
    picture = shown.picture
    parts = [_part(level, number, area) for number, level in enumerate(picture.levels)]
    image = np.asarray(next((part for part in parts if max(part.shape) <= LARGEST_SIDE), parts[-1]))
    inside = np.ones(image.shape, np.bool_)
    if picture.padding is not None:
        inside = (image < picture.padding[0]) | (image > picture.padding[1])
        inside = inside if inside.any() else np.ones(image.shape, np.bool_)
    pictured = table(shown)[image]
    greys = pictured[inside]
    counts = np.bincount(greys >> 2, minlength=BINS)[:BINS]
    centres = (np.arange(BINS, dtype=np.float64) + 0.5) * (100 / BINS)
    return Spread(centres=centres, shares=100.0 * counts / greys.size, contrast=_local_contrast(pictured, inside))


def _part(level: Pixels, number: int, area: Area | None) -> Pixels:
    if area is None:
        return level
    scale = 1 / (1 << number)
    small = Area(left=area.left * scale, top=area.top * scale, width=area.width * scale, height=area.height * scale)
    rows, columns = small.kept((float(level.shape[1]), float(level.shape[0]))).slices()
    part = level[rows, columns]
    return part if part.size else level[-1:, -1:]


def _local_contrast(greys: Grey, inside: NDArray[np.bool_]) -> float:
    rows, columns = (size // BLOCK * BLOCK for size in greys.shape)
    if not rows or not columns:
        return float(greys[inside].std()) / 255 * 100
    blocks = (rows // BLOCK, BLOCK, columns // BLOCK, BLOCK)
    whole = inside[:rows, :columns].reshape(blocks).all(axis=(1, 3))
    spreads = greys[:rows, :columns].reshape(blocks).std(axis=(1, 3), dtype=np.float32)
    return float(spreads[whole].mean() if whole.any() else spreads.mean()) / 255 * 100

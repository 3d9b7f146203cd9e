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
MASK_GAIN = 36  # the sum of the squares of (1, -2, 1) × (1, -2, 1)
CERTAIN = 1.5  # blocks of pure noise differ by chance: most of them count as nothing


@dataclass(frozen=True, kw_only=True, eq=False)
class Spread:
    """`shares`: percent of the pixels per bin; `centres`: grey level of each bin, 0 (black) … 100 (white).

    `contrast`: the local contrast in percent of full scale: the mean of the standard deviations of the grey levels
    (RMS contrast, Peli 1990) within blocks of BLOCK × BLOCK, net of noise: its variance nearby, by the mask of
    Immerkær (CVIU 64, 1996), is taken off, or more noise would be told as more contrast. Over the whole image that
    figure would praise a picture for its black background and blame one whose latitude was brought down to what the
    eye can see.
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
    variance = greys[:rows, :columns].reshape(blocks).var(axis=(1, 3), dtype=np.float32)
    noise = _noise_variance(greys)[:rows, :columns].reshape(blocks).mean(axis=(1, 3))
    spreads = np.sqrt(np.maximum(variance - CERTAIN * noise, 0))
    return float(spreads[whole].mean() if whole.any() else spreads.mean()) / 255 * 100


def _noise_variance(greys: Grey) -> NDArray[np.float32]:
    """Of the noise around each place: the square of what a mask leaves that knows no edge and no slope, by its gain."""
    plane = np.pad(greys.astype(np.float32), 1, mode="edge")
    rows = plane[:-2] - 2 * plane[1:-1] + plane[2:]
    response = rows[:, :-2] - 2 * rows[:, 1:-1] + rows[:, 2:]
    return np.asarray(response * response / MASK_GAIN, np.float32)

"""The contrast of an image as it is shown: how its grey levels are spread. Arithmetic without a widget."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fullfield_app.gui.view.tone import Shown, table

LARGEST_SIDE = 512  # the grey levels of a reduced size are those of the whole, to well below a bin
BINS = 64


@dataclass(frozen=True, kw_only=True, eq=False)
class Spread:
    """`shares`: percent of the pixels per bin; `centres`: grey level of each bin, 0 (black) … 100 (white).

    `contrast`: the RMS contrast (standard deviation of the grey levels, Peli 1990), in percent of full scale.
    """

    centres: NDArray[np.float64]
    shares: NDArray[np.float64]
    contrast: float


def spread(shown: Shown) -> Spread:
    """The spread of what is seen; padding is left out, black and white ends count."""
    picture = shown.picture
    level = next((item for item in picture.levels if max(item.shape) <= LARGEST_SIDE), picture.levels[-1])
    values = np.asarray(level).ravel()
    if picture.padding is not None:
        inside = values[(values < picture.padding[0]) | (values > picture.padding[1])]
        values = inside if inside.size else values
    greys = table(shown)[values]
    counts = np.bincount(greys >> 2, minlength=BINS)[:BINS]
    centres = (np.arange(BINS, dtype=np.float64) + 0.5) * (100 / BINS)
    return Spread(centres=centres, shares=100.0 * counts / max(values.size, 1), contrast=float(greys.std()) / 255 * 100)

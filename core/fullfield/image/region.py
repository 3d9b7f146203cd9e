"""Numbers of regions of an image: mean, SD, and the signal-to-noise and contrast-to-noise ratio that follow from them.

Needs numpy alone, so that the window can import it. Sums are in float64, SDs those of all pixels (divided by n).

    SNR = m / s
    CNR = |m₁ − m₂| / √((s₁² + s₂²) / 2)

CNR is that of two regions of equal weight: the difference of the means over the SD pooled from both (Cohen's d with
equal sizes; Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988). The ratio of Patterson & Foster,
Ultrasonic Imaging 5 (1983), has √(s₁² + s₂²) below and is smaller by √2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Values = NDArray[Any]
BLOCK_VALUES = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """Of `count` pixels, in the image's own values."""

    mean: float
    sd: float
    count: int


def statistics(values: Values) -> Statistics:
    """Of these pixels; NaN where there are none.

    In blocks, so that a whole radiograph takes no float64 copy of itself; sums are of differences from the first
    pixel, so that a flat region has an SD of exactly 0.
    """
    if not values.size:
        return Statistics(mean=math.nan, sd=math.nan, count=0)
    first = float(values.flat[0])
    rows = max(BLOCK_VALUES * values.shape[0] // values.size, 1)
    total = squares = 0.0
    for begin in range(0, values.shape[0], rows):
        block = values[begin : begin + rows].astype(np.float64) - first
        total += float(block.sum())
        squares += float(np.vdot(block, block))
    mean = total / values.size
    variance = max(squares / values.size - mean**2, 0.0)
    return Statistics(mean=first + mean, sd=math.sqrt(variance), count=int(values.size))


def snr(region: Statistics) -> float:
    """Signal-to-noise ratio: mean over SD; infinite where nothing varies."""
    return region.mean / region.sd if region.sd != 0 else math.inf


def cnr(one: Statistics, other: Statistics) -> float:
    """Contrast-to-noise ratio of two regions; NaN where there is neither contrast nor noise."""
    noise = math.sqrt((one.sd**2 + other.sd**2) / 2)
    contrast = abs(one.mean - other.mean)
    return contrast / noise if noise != 0 else (math.inf if contrast > 0 else math.nan)


def ellipse(rows: int, columns: int) -> NDArray[np.bool_]:
    """The pixels whose middle lies in the ellipse that fills `rows` × `columns`."""
    down = (np.arange(rows) + 0.5) / rows * 2 - 1
    across = (np.arange(columns) + 0.5) / columns * 2 - 1
    inside: NDArray[np.bool_] = (down[:, None] ** 2 + across[None, :] ** 2) <= 1
    return inside


def profile(image: Values, start: tuple[float, float], end: tuple[float, float]) -> NDArray[np.float64]:
    """The values along a line from `start` to `end` (x, y; the first pixel's middle is 0.5), one about every pixel.

    Between pixels the values are interpolated (bilinear); beyond the border its pixels go on.
    """
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    steps = np.linspace(0, 1, max(math.ceil(length), 1) + 1)
    x = np.clip(start[0] + steps * (end[0] - start[0]) - 0.5, 0, image.shape[1] - 1)
    y = np.clip(start[1] + steps * (end[1] - start[1]) - 0.5, 0, image.shape[0] - 1)
    left, top = x.astype(np.int64), y.astype(np.int64)
    right, bottom = np.minimum(left + 1, image.shape[1] - 1), np.minimum(top + 1, image.shape[0] - 1)
    across, down = x - left, y - top
    upper = image[top, left] * (1 - across) + image[top, right] * across
    lower = image[bottom, left] * (1 - across) + image[bottom, right] * across
    found: NDArray[np.float64] = np.asarray(upper * (1 - down) + lower * down, np.float64)
    return found


__all__ = ["Statistics", "cnr", "ellipse", "profile", "snr", "statistics"]

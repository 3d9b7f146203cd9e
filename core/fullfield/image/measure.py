"""Measures of image quality on arrays: with a reference, of two regions, and of what is clipped. Sums are in float64.

Planes are (rows, columns) of any real type; where a formula needs a scale they are fractions, 0 black … 1 white. A
measure that a plane has no answer to (no noise, no structure) is NaN or infinite, never an error.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fullfield.image import pyramid, region

Plane = NDArray[np.floating] | NDArray[np.unsignedinteger]
Region = tuple[slice, slice] | NDArray[np.bool_]

END = 1 / 1024
"""Of white: as near to black and white a value is clipped. A preset's own ends are the values next to them."""


def psnr(image: Plane, reference: Plane, *, peak: float = 1.0) -> float:
    """Peak signal-to-noise ratio in dB: 10·log10(peak² / mean squared error); infinite for equal planes."""
    error = float(np.mean((_double(image) - _double(reference)) ** 2))
    return math.inf if error == 0 else 10 * math.log10(peak**2 / error)


def finest_band(image: Plane, reference: Plane) -> tuple[float, float]:
    """The finest Laplacian band's SD over the reference's (wanted 0.9 … 1.1), and the correlation of the two bands.

    What MS-SSIM does not see: trabeculae and fine lines. NaN where a band is empty.
    """
    band, wanted = (pyramid.laplacian(_double(plane), 1)[0] for plane in (image, reference))
    band_sd, wanted_sd = float(band.std()), float(wanted.std())
    covariance = float(np.mean((band - band.mean()) * (wanted - wanted.mean())))
    ratio = band_sd / wanted_sd if wanted_sd > 0 else math.nan
    return ratio, covariance / (band_sd * wanted_sd) if band_sd > 0 and wanted_sd > 0 else math.nan


def cnr(image: Plane, first: Region, second: Region) -> float:
    """Contrast-to-noise ratio of two regions, as `region` defines it."""
    plane = _double(image)
    return region.cnr(region.statistics(plane[first]), region.statistics(plane[second]))


def clipped_fraction(plane: Plane, *, source: Plane) -> float:
    """The share of pixels that are black or white in `plane`, 0 … 1, and not in `source`, to `END` of white."""
    return float(np.mean(((plane <= END) | (plane >= 1 - END)) & (source > END) & (source < 1 - END)))


def _double(plane: Plane) -> NDArray[np.float64]:
    return np.asarray(plane, np.float64)


__all__ = ["END", "clipped_fraction", "cnr", "finest_band", "psnr"]

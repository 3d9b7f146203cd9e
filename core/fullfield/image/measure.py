"""Measures of image quality on arrays: with a reference, of two regions, and without either. Sums are in float64.

Planes are (rows, columns) of any real type; where a formula needs a scale they are fractions, 0 black … 1 white. A
measure that a plane has no answer to (no noise, no structure) is NaN or infinite, never an error.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image import pyramid, region

Plane = NDArray[np.floating] | NDArray[np.unsignedinteger]
Region = tuple[slice, slice] | NDArray[np.bool_]

END = 1 / 1024
"""Of white: as near to black and white a value is clipped. A preset's own ends are the values next to them."""


def mae(image: Plane, reference: Plane) -> float:
    """Mean absolute error, in the planes' unit."""
    return float(np.mean(np.abs(_double(image) - _double(reference))))


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


def band_sds(image: Plane, levels: int = 6) -> tuple[float, ...]:
    """The SD of each band of the Laplacian pyramid (Burt & Adelson 1983), finest first."""
    return tuple(float(band.std()) for band in pyramid.laplacian(_double(image), levels)[:-1])


def cnr(image: Plane, first: Region, second: Region) -> float:
    """Contrast-to-noise ratio of two regions, as `region` defines it."""
    plane = _double(image)
    return region.cnr(region.statistics(plane[first]), region.statistics(plane[second]))


def snr(image: Plane, inside: Region) -> float:
    """Signal-to-noise ratio of a region, as `region` defines it."""
    return region.snr(region.statistics(_double(image)[inside]))


def noise_sd(image: Plane) -> float:
    """The noise SD of a plane with structure: Immerkær, CVIU 64 (1996), the mean of |image ∗ N| · √(π/2) / 6."""
    if min(image.shape) < 3:
        return math.nan
    mask = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float64)
    response = cv2.filter2D(_double(image), cv2.CV_64F, mask)[1:-1, 1:-1]
    return float(np.mean(np.abs(response)) * math.sqrt(math.pi / 2) / 6)


def eme(image: Plane, blocks: int = 8) -> float:
    """Measure of enhancement: mean over blocks×blocks of 20·ln(max/min) (Agaian et al., IEEE TIP 10, 2001).

    `image` in 0…1; 1/255 is added to both, so that a black pixel does not rule.
    """
    plane = _double(image)
    total = []
    for rows in np.array_split(np.arange(plane.shape[0]), min(blocks, plane.shape[0])):
        for columns in np.array_split(np.arange(plane.shape[1]), min(blocks, plane.shape[1])):
            block = plane[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            total.append(20 * math.log((float(block.max()) + 1 / 255) / (float(block.min()) + 1 / 255)))
    return float(np.mean(total))


def entropy(image: Plane, bins: int = 256) -> float:
    """Shannon entropy of the grey values in bits; `image` in 0…1."""
    counts = np.histogram(np.clip(_double(image), 0, 1), bins=bins, range=(0, 1))[0]
    shares = counts[counts > 0] / counts.sum()
    return float(-np.sum(shares * np.log2(shares)))


def lightness_order_error(image: Plane, source: Plane, *, side: int = 50) -> float:
    """The share of pairs of places whose order of lightness differs, 0 … 1, on `side`×`side` means (0: none).

    After the lightness-order error of Wang et al., IEEE TIP 22 (2013), as a share instead of a count.
    """
    small = [
        cv2.resize(_double(plane), (side, side), interpolation=cv2.INTER_AREA).ravel() for plane in (image, source)
    ]
    orders = [plane[:, None] >= plane[None, :] for plane in small]
    return float(np.mean(orders[0] ^ orders[1]))


def clipped_fraction(plane: Plane, *, source: Plane) -> float:
    """The share of pixels that are black or white in `plane`, 0 … 1, and not in `source`, to `END` of white."""
    return float(np.mean(((plane <= END) | (plane >= 1 - END)) & (source > END) & (source < 1 - END)))


def _double(plane: Plane) -> NDArray[np.float64]:
    return np.asarray(plane, np.float64)


__all__ = [
    "END",
    "band_sds",
    "clipped_fraction",
    "cnr",
    "eme",
    "entropy",
    "finest_band",
    "lightness_order_error",
    "mae",
    "noise_sd",
    "psnr",
    "snr",
]

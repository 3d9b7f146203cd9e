"""Whether a network's result can be one of the image that it was given: a coarse bound on every result.

An enhancement is local: it changes how much contrast there is, not where, nor which of two tissues is the brighter.
Three figures compare what the network was given with what it made of it, both in 0…1:

    correlation     of the coarse structures (1/64 to 1/8 of the longer side)    an exchanged, empty or inverted image
    order_error     share of pairs of places whose order of tones is another     wrong tones
    fine_ratio      SD of the finest band, by the input's                        noise, texture, blur

What is usual differs between processings, so a training calibrates the bounds on the references of its validation
part (`calibrated`), and the model's card carries them; the network's own results have no say in it. The bounds are
coarse on purpose: a result outside of them is wrong, one inside of them need not be good.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from fullfield.image import measure, pyramid
from fullfield.image.bounds import Agreement, Bounds

Part = Callable[[slice, slice], NDArray[np.float32]]
"""Rows and columns of a plane in 0…1, NaN where it is no image."""

COARSE_SIDE = 128  # cells on the longer side of the plane that coarse structures are looked at in
COARSE_SIGMAS = (1.0, 8.0)  # cells
SAMPLE_SIDE, SAMPLES = 256, 4  # the finest band is looked at in 4 × 4 squares, as the image is stored
GREY_STEP = 1 / 4096  # of the 12 bits of an output: finer differences are rounding
LEAST_CELLS = 64  # fewer than these tell nothing
RARE = 0.02  # the share of references at either end that may be odd
LEAST_CORRELATION, MOST_ORDER_ERROR = 0.3, 0.6  # of chance: 0 ± 0.2 and 0.5


def agreement(source: Part, output: Part, shape: tuple[int, int]) -> Agreement:
    """The figures of an `output` for a `source`, both planes of `shape` (rows, columns).

    No float copy of either is made. A source without structure, such as a flat image, agrees with an output that has
    none either; one that is nearly all padding, or has a few pixels, agrees with anything.
    """
    coarse = [_coarse(part, shape) for part in (source, output)]
    inside, coarse[1] = np.isfinite(coarse[0]), np.nan_to_num(coarse[1])
    if np.count_nonzero(inside) < LEAST_CELLS:
        return Agreement(correlation=1.0, order_error=0.0, fine_ratio=1.0)
    filled = [np.where(inside, plane, plane[inside].mean()).astype(np.float32) for plane in coarse]
    return Agreement(
        correlation=_correlation(*(_structures(plane)[inside] for plane in filled)),
        order_error=measure.lightness_order_error(filled[1], filled[0]),
        fine_ratio=_fine_ratio(source, output, shape),
    )


def calibrated(found: Iterable[Agreement]) -> Bounds:
    """The bounds for results whose references agree with their inputs as `found`; the general ones where there are
    none. Wide, for a handful of references does not tell what is usual, and never so wide that anything passes."""
    rows, general = list(found), Bounds()

    def of(name: str, share: float, otherwise: float) -> float:
        values = [value for row in rows if math.isfinite(value := getattr(row, name))]
        return float(np.quantile(values, share)) if values else otherwise

    if not rows:
        return general
    correlation, order = of("correlation", RARE, general.correlation), of("order_error", 1 - RARE, general.order_error)
    return Bounds(
        correlation=round(max(correlation - 0.5 * (1 - correlation) - 0.1, LEAST_CORRELATION), 4),
        order_error=round(min(1.5 * order + 0.1, MOST_ORDER_ERROR), 4),
        fine_low=round(of("fine_ratio", RARE, general.fine_low) / 3, 4),
        fine_high=round(of("fine_ratio", 1 - RARE, general.fine_high) * 2.5, 4),
    )


def whole(plane: NDArray[np.float32]) -> Part:
    """A plane that is there."""
    return lambda rows, columns: plane[rows, columns]


def _coarse(part: Part, shape: tuple[int, int]) -> NDArray[np.float32]:
    """Means over squares, `COARSE_SIDE` on the longer side; one that reaches past the image ends with it."""
    cell = max(1, math.ceil(max(shape) / COARSE_SIDE))
    edges = np.arange(0, shape[1], cell)
    widths = np.diff(np.append(edges, shape[1]))
    rows = []
    for top in range(0, shape[0], cell):
        band = part(slice(top, min(top + cell, shape[0])), slice(0, shape[1]))
        rows.append(np.add.reduceat(band.mean(axis=0, dtype=np.float64), edges) / widths)
    return np.asarray(rows, np.float32)


def _structures(plane: NDArray[np.float32]) -> NDArray[np.float64]:
    """What lies between two blurs of `COARSE_SIGMAS`: neither noise nor the tone of half the image."""
    fine, coarse = (cv2.GaussianBlur(plane, (0, 0), sigma) for sigma in COARSE_SIGMAS)
    return np.asarray(fine - coarse, np.float64)


def _correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    spreads = float(one.std()), float(other.std())
    if min(spreads) < GREY_STEP:
        return 1.0 if max(spreads) < GREY_STEP else math.nan
    return float(np.corrcoef(one, other)[0, 1])


def _fine_ratio(source: Part, output: Part, shape: tuple[int, int]) -> float:
    """SD of the finest band of the output by that of the source, over squares spread on a grid."""
    totals = np.zeros(2)
    for rows in _places(shape[0]):
        for columns in _places(shape[1]):
            for place, part in enumerate((source, output)):
                square = part(rows, columns)
                if min(square.shape) > 4 and np.isfinite(square).all():
                    totals[place] += float(np.var(pyramid.laplacian(square, 1)[0], dtype=np.float64))
    before, after = np.sqrt(totals / SAMPLES**2)
    return float((after + GREY_STEP) / (before + GREY_STEP))


def _places(length: int) -> list[slice]:
    if length <= SAMPLE_SIDE:
        return [slice(0, length)]
    count = min(SAMPLES, math.ceil(length / SAMPLE_SIDE))
    firsts = np.linspace(0, length - SAMPLE_SIDE, count).round().astype(int)
    return [slice(int(first), int(first) + SAMPLE_SIDE) for first in firsts]

"""The noise power spectrum of a flat field (IEC 62220-1), and how even the field is.

Regions of 256 × 256 pixels that overlap by half; a polynomial of the second degree is taken out of each; the mean of
their squared transforms. Along an axis seven lines on either side of it are taken together, without the axis itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fullfield.errors import InputRefused
from fullfield.qa.edge import Plane
from fullfield.qa.mtf import Curve

SIDE = 256
"""Pixels of a region."""

_LINES = 7
_MARGIN = 0.1  # of each side: blades, penumbra and the heel's worst
_UNLIKE = 2.0  # the brightest region over the darkest one: more is no flat field
_STRUCTURED = 0.05  # of the mean: what is left of the means of small cells beside a smooth slope
_FOLDS = 10.0  # e-folds that a logarithm's range of stored values has, about: no file says it
_CELL = 32  # pixels of such a cell
_SATURATED = 0.01  # of the pixels
_FEW = 5  # levels: of so few, noise alone has as many pixels at the last one
_MOST = 0.995  # of a field at its extreme: no noise that can be measured does that
_CELL_MM = 10.0  # of the regions by which evenness is told


@dataclass(frozen=True, kw_only=True, eq=False)
class Nps:
    """In the plane's unit squared times mm². `frequencies`: cycles per mm, of all three curves: the mean in every
    direction, across the columns, and across the rows; NaN where nothing is. `mean`: the plane's; `sd`: of the noise.
    """

    frequencies: Curve
    radial: Curve
    horizontal: Curve
    vertical: Curve
    mean: float
    sd: float

    def at(self, frequency: float) -> float | None:
        """`radial` there, as a mean over a tenth of a cycle per mm on either side; None beyond what was measured."""
        return near(self.frequencies, self.radial, frequency)


@dataclass(frozen=True, kw_only=True)
class Evenness:
    """Of regions of a centimetre: `signal`: the largest less the smallest mean, as a share of all pixels' mean (AAPM
    TG-150), or as it is; `noise`: likewise of their SDs, as a share of the median SD. `sd`: the median SD."""

    signal: float
    noise: float
    sd: float


def near(frequencies: Curve, values: Curve, frequency: float) -> float | None:
    """The mean of a curve over a tenth of a cycle per mm on either side; None beyond its end, or where nothing is."""
    taken = (np.abs(frequencies - frequency) <= 0.1) & np.isfinite(values)
    return float(values[taken].mean()) if taken.any() and frequency <= frequencies[-1] + 1e-9 else None


def refused(detail: str, hint: str) -> InputRefused:
    """A flat field that cannot be measured, and why."""
    return InputRefused("Cannot measure the noise of the flat field.", detail=detail, hint=hint)


def area(
    plane: Plane, ends: tuple[float, float], *, logarithm: bool = False, padding: NDArray[np.bool_] | None = None
) -> tuple[slice, slice]:
    """The part of a flat field that is measured. `ends`: of the values that can be stored; `logarithm`: they are one,
    and differ by what an exposure's are multiples of; `padding`: what is no image. Raises InputRefused: too small, no
    flat field, saturated.
    """
    image = np.ones(plane.shape, np.bool_) if padding is None else ~padding
    rows, columns = (_within(np.flatnonzero(image.any(axis=axis))) for axis in (1, 0))
    inner = plane[rows, columns]
    if min(inner.shape) < SIDE:
        raise refused(
            f"The picture is too small: without its margins it has {inner.shape[0]} × {inner.shape[1]} pixels.",
            f"A region has {SIDE} × {SIDE} pixels; use an image of the whole detector.",
        )
    few = 1 < np.unique(inner).size <= _FEW
    for end in (float(plane[image].min()), float(plane[image].max())):
        share = float(np.mean(inner == end))
        if share > _SATURATED and (end in ends or not few or share > _MOST):
            raise refused(
                f"The field is saturated: {share:.0%} of its pixels have the same, extreme value.",
                "Take the image with less dose; where that value is black, with more, and with the blades open.",
            )
    if logarithm:
        inner = np.exp((inner - inner.mean()) * (_FOLDS / (ends[1] - ends[0])))
    means = np.abs([inner[place].mean() for place in places(inner.shape)])
    if means.min() * _UNLIKE < means.max():
        raise refused(
            f"It is no flat field: one region has {means.max() / max(means.min(), 1e-9):.1f} times another's value.",
            "Take an image with nothing in the beam but a homogeneous filter, and the blades open.",
        )
    if (left := _structure(inner)) > _STRUCTURED:
        raise refused(
            f"It is no flat field: beside a smooth slope its small regions differ by {left:.0%} of their mean.",
            "Take an image with nothing in the beam but a homogeneous filter.",
        )
    return rows, columns


def _within(places: NDArray[np.intp]) -> slice:
    """These, which are image, without a margin on either side."""
    first, last = int(places[0]), int(places[-1]) + 1
    margin = round(_MARGIN * (last - first))
    return slice(first + margin, last - margin)


def _structure(plane: Plane) -> float:
    """The SD of the means of small cells beside a polynomial of the second degree over all of them, over the mean."""
    rows, columns = (side // _CELL for side in plane.shape)
    cells = plane[: rows * _CELL, : columns * _CELL].reshape(rows, _CELL, columns, _CELL).mean(axis=(1, 3)).ravel()
    basis = _polynomials(rows, columns)
    return float((cells - basis @ (basis.T @ cells)).std() / abs(cells.mean()))


def places(shape: tuple[int, ...]) -> list[tuple[slice, slice]]:
    """The regions of a plane of this shape, which overlap by half."""
    starts = [range(0, side - SIDE + 1, SIDE // 2) for side in shape]
    return [(slice(top, top + SIDE), slice(left, left + SIDE)) for top in starts[0] for left in starts[1]]


def measure(plane: Plane, spacing_mm: tuple[float, float]) -> Nps:
    """The spectrum of a plane, all of which is flat field. `spacing_mm`: of rows and of columns."""
    basis = _polynomials(SIDE, SIDE)
    found = places(plane.shape)
    power = np.zeros((SIDE, SIDE))
    for place in found:
        values = plane[place].ravel()
        left = values - basis @ (basis.T @ values)
        power += np.abs(np.fft.fft2(left.reshape(SIDE, SIDE))) ** 2
    power *= spacing_mm[0] * spacing_mm[1] / (len(found) * SIDE * SIDE)
    down, across = (np.asarray(np.fft.fftfreq(SIDE, spacing), np.float64) for spacing in spacing_mm)
    step = 1 / (SIDE * max(spacing_mm))
    count = SIDE // 2  # up to Nyquist's frequency of the larger spacing
    number = np.rint(np.hypot(down[:, None], across[None, :]) / step).astype(np.intp)
    number[0, 0] = count + 1  # the mean is no noise
    many = np.bincount(number.ravel(), minlength=count + 1)[: count + 1]
    sums = np.bincount(number.ravel(), weights=power.ravel(), minlength=count + 1)[: count + 1]
    with np.errstate(invalid="ignore", divide="ignore"):
        radial = sums / many
    return Nps(
        frequencies=np.arange(count + 1, dtype=np.float64) * step,
        radial=radial,
        horizontal=_along(power, down, across, step, count),
        vertical=_along(power.T, across, down, step, count),
        mean=float(plane.mean()),
        sd=float(np.sqrt(power.sum() / (SIDE * SIDE * spacing_mm[0] * spacing_mm[1]))),
    )


def evenness(plane: Plane, spacing_mm: tuple[float, float], *, relative: bool) -> Evenness | None:
    """How even a flat field is; `relative`: its signal to its mean. None of one with fewer than 2 × 2 regions."""
    sides = [max(8, round(_CELL_MM / spacing)) for spacing in spacing_mm]
    rows, columns = (whole // side for whole, side in zip(plane.shape, sides, strict=True))
    if min(rows, columns) < 2:
        return None
    cut = plane[: rows * sides[0], : columns * sides[1]].reshape(rows, sides[0], columns, sides[1])
    means, sds = cut.mean(axis=(1, 3)), cut.std(axis=(1, 3))
    sd = float(np.median(sds))
    return Evenness(
        signal=float(np.ptp(means)) / (abs(float(plane.mean())) if relative else 1.0),
        noise=float(np.ptp(sds)) / sd if sd else 0.0,
        sd=sd,
    )


def _polynomials(rows: int, columns: int) -> Plane:
    """An orthonormal basis of the polynomials of the second degree over a region, (pixels, 6)."""
    y, x = (axis.ravel() for axis in np.mgrid[-1 : 1 : rows * 1j, -1 : 1 : columns * 1j])
    basis, _ = np.linalg.qr(np.stack([np.ones(x.size), x, y, x * x, x * y, y * y], axis=1))
    return np.asarray(basis, np.float64)


def _along(power: Plane, beside: Curve, along: Curve, step: float, count: int) -> Curve:
    """The lines next to an axis, without it; their frequencies are distances from the origin."""
    lines = [*range(1, _LINES + 1), *range(-_LINES, 0)]
    number = np.rint(np.hypot(beside[lines][:, None], along[None, :]) / step).astype(np.intp)
    taken = power[lines]
    many = np.bincount(number.ravel(), minlength=count + 1)[: count + 1]
    sums = np.bincount(number.ravel(), weights=taken.ravel(), minlength=count + 1)[: count + 1]
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / many, np.float64)


__all__ = ["SIDE", "Evenness", "Nps", "area", "evenness", "measure", "near", "places", "refused"]

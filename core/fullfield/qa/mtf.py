"""The modulation transfer function of an edge (IEC 62220-1-1): edge spread, line spread, Fourier transform.

The pixels on either side of the edge become one oversampled edge spread function, in steps of a tenth of a pixel. Far
from the edge, where nothing is fine any more, the steps grow with the distance: the noise of flat tissue would else be
most of what is transformed. The derivative's own transfer, and that of the steps, is divided out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fullfield.qa.edge import Edge, Plane, straightened

Curve = NDArray[np.float64]

FREQUENCY_STEP = 0.05
"""Cycles per mm between two values of a curve."""

_STEP = 0.1  # pixels
_FINE = 4.0  # pixels on either side with steps of this size
_GROWTH = 10.0  # beyond: a step is this part of the distance


@dataclass(frozen=True, kw_only=True, eq=False)
class Mtf:
    """`frequencies`: cycles per mm across the edge, up to Nyquist's; `values`: 1 at 0. `step`: what the plane rises by
    at the edge, far side less near side. `angle`: of the edge, degrees. `nyquist`: cycles per mm."""

    frequencies: Curve
    values: Curve
    step: float
    angle: float
    nyquist: float

    def falls_to(self, level: float) -> float | None:
        """The first frequency from which the MTF is below `level`; None: not up to Nyquist's."""
        below = np.flatnonzero(self.values < level)
        if not below.size:
            return None
        after = int(below[0])
        before = max(after - 1, 0)
        high, low = self.values[before], self.values[after]
        share = float((high - level) / (high - low)) if high > low else 0.0
        return float(self.frequencies[before] + share * (self.frequencies[after] - self.frequencies[before]))

    @property
    def peak(self) -> float:
        """The largest value: above 1 where detail is shown stronger than areas are."""
        return float(self.values.max())


def frequencies(pitch_mm: float) -> Curve:
    """From 0 to Nyquist's."""
    return np.arange(0, 0.5 / pitch_mm + 1e-9, FREQUENCY_STEP)


def measure(plane: Plane, edge: Edge) -> Mtf:
    """The MTF of a plane across an edge that was found in it, or in the plane that it was made from."""
    pitch = edge.spacing[1]
    wanted = frequencies(pitch)
    places, spread = edge_spread(edge.of(plane), edge)
    line = np.zeros_like(spread)
    line[1:-1] = (spread[2:] - spread[:-2]) / 2
    step = float(line.sum())
    per_pixel = wanted * pitch
    waves = np.exp(-2j * np.pi * per_pixel[:, None] * places[None, :])
    own = np.sinc(2 * per_pixel * _STEP) * np.sinc(per_pixel * _STEP)
    values = np.abs(waves @ line) / (abs(step) or np.inf) / own
    return Mtf(frequencies=wanted, values=values, step=step, angle=edge.angle, nyquist=0.5 / pitch)


def edge_spread(plane: Plane, edge: Edge) -> tuple[Curve, Curve]:
    """Places in pixels, in steps of a tenth, and the edge spread function there; of a plane turned as the edge is."""
    values, away = straightened(plane, edge)
    limits = _limits(edge.reach - 1)
    number = np.digitize(away.ravel(), limits)
    count = np.bincount(number, minlength=limits.size + 1)[1:-1]
    sums = (np.bincount(number, weights=of.ravel(), minlength=limits.size + 1)[1:-1] for of in (away, values))
    there = count > 0
    at, mean = (total[there] / count[there] for total in sums)
    places = np.arange(-(edge.reach - 1), edge.reach - 1 + _STEP / 2, _STEP)
    return places, np.interp(places, at, mean)


def _limits(reach: float) -> Curve:
    half = [_STEP / 2]
    while half[-1] < reach:
        half.append(half[-1] + max(_STEP, (half[-1] - _FINE) / _GROWTH))
    positive = np.array(half)
    return np.concatenate([-positive[::-1], positive])


__all__ = ["FREQUENCY_STEP", "Curve", "Mtf", "edge_spread", "frequencies", "measure"]

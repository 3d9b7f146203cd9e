"""How well a person sees a known signal on a display: d′ of a non-prewhitening observer with an eye filter.

    d′² = (∫ E²|S|²)² / ∫ E⁴|S|² (W + N)

S: the signal's mean difference on the display, W: the power of the picture's noise about it, N: the eye's own noise,
white; E(f) = f^1.3 · exp(−c·f²), f in cycles per degree, which is largest at 4. Sources: Burgess, Statistically
defined backgrounds: performance of a modified nonprewhitening observer model, J. Opt. Soc. Am. A 11 (1994); Burgess, Li
& Abbey, J. Opt. Soc. Am. A 14 (1997). N is what makes the standard target of DICOM PS3.14 (2° of 4 cycles per degree,
modulated by one just noticeable difference) have a d′ of 1, on a display from 1 to 500 cd/m², which has some 640 of
these differences over its 255 grey levels. Pictures are seen at 100 %: one pixel of the image on one of the display.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DISTANCE_MM, PITCH_MM = 500.0, 0.2
"""From the eye to the display, and between its pixels."""

_POWER, _PEAK = 1.3, 4.0
_LEVEL_JND = 640 / 255  # just noticeable differences in a grey level
_EYE_NOISE = (0.5 / _LEVEL_JND) ** 2 / 2 * 4.0  # grey levels² · degrees²: a grating's energy over 2° × 2°
_DEGREES = math.degrees(math.atan(PITCH_MM / DISTANCE_MM))  # of a pixel
_AROUND = 24  # pixels about a signal that an observer looks at
_SURROUND = 12  # of these, the outer ones, which hold none of it
_BESIDE = 72  # pixels further, where noise is measured

Plane = NDArray[np.float32]
Picture = NDArray[np.uint8]


@dataclass(frozen=True, kw_only=True)
class Seen:
    """`d_prime`: of one signal. `difference`: what it changes on the display, `template`: that as the eye filters it
    twice."""

    d_prime: float
    difference: NDArray[np.float64]
    template: NDArray[np.float64]

    def with_source(self, source: Seen) -> float:
        """How the eye's view of this difference correlates with that of the source's, −1 … 1."""
        own, other = float(np.vdot(self.difference, self.template)), float(np.vdot(source.difference, source.template))
        if own <= 0 or other <= 0:
            return 0.0
        return float(np.vdot(self.difference, source.template)) / math.sqrt(own * other)


def see(present: Sequence[Picture], absent: Sequence[Picture], *, at: tuple[int, int], reach: int) -> Seen:
    """The d′ of a signal `at` (row, column) that reaches `reach` pixels. `present`, `absent`: two pictures or more of
    as many noises, with the signal and without, the same noise in each pair."""
    shape = absent[0].shape
    half = reach + _AROUND
    window = tuple(slice(max(middle - half, 0), min(middle + half + 1, side)) for middle, side in zip(at, shape))
    differences = [one[window].astype(np.float64) - other[window] for one, other in zip(present, absent, strict=True)]
    signal = _beside_its_surround(np.mean(differences, axis=0), at=(at[0] - window[0].start, at[1] - window[1].start))
    template = _filtered(signal)
    wide = tuple(
        slice(max(middle - half - _BESIDE, 0), min(middle + half + _BESIDE + 1, side))
        for middle, side in zip(at, shape)
    )
    responses = []
    for one, other in itertools.pairwise(absent):
        noise = (one[wide].astype(np.float64) - other[wide]) / math.sqrt(2)
        responses.append(_correlated(noise - noise.mean(), template))
    outer = float(np.mean([np.mean(response**2) for response in responses]))
    inner = _EYE_NOISE / _DEGREES**2 * float(np.sum(template**2))
    strength = float(np.vdot(signal, template))
    d_prime = strength / math.sqrt(outer + inner) if strength > 0 else 0.0
    return Seen(d_prime=d_prime, difference=signal, template=template)


def _beside_its_surround(difference: NDArray[np.float64], *, at: tuple[int, int]) -> NDArray[np.float64]:
    """A difference without what it is in the surround: a picture that is brighter everywhere shows nothing more."""
    rows, columns = (np.abs(np.arange(side) - middle) for side, middle in zip(difference.shape, at))
    away = np.maximum(rows[:, None], columns[None, :])
    beside: NDArray[np.float64] = difference - difference[away > away.max() - _SURROUND].mean()
    return beside


def _filtered(plane: NDArray[np.float64]) -> NDArray[np.float64]:
    """E² times a plane, in frequencies."""
    shape = tuple(2 * side for side in plane.shape)
    spectrum = np.fft.rfft2(plane, shape)
    rows, columns = np.fft.fftfreq(shape[0], _DEGREES)[:, None], np.fft.rfftfreq(shape[1], _DEGREES)[None, :]
    result: NDArray[np.float64] = np.fft.irfft2(spectrum * eye(np.hypot(rows, columns)) ** 2, shape)
    return result[: plane.shape[0], : plane.shape[1]]


def eye(cycles_per_degree: NDArray[np.float64]) -> NDArray[np.float64]:
    """E, 1 at its largest."""
    c = _POWER / (2 * _PEAK**2)
    share = cycles_per_degree / _PEAK
    result: NDArray[np.float64] = share**_POWER * np.exp(-c * (cycles_per_degree**2 - _PEAK**2))
    return result


def _correlated(noise: NDArray[np.float64], template: NDArray[np.float64]) -> NDArray[np.float64]:
    """The template's responses wherever it lies within `noise` as a whole."""
    spectrum = np.fft.rfft2(noise) * np.conj(np.fft.rfft2(template, noise.shape))
    every = np.fft.irfft2(spectrum, noise.shape)
    rows, columns = (max(side - own + 1, 1) for side, own in zip(noise.shape, template.shape))
    result: NDArray[np.float64] = every[:rows, :columns]
    return result


__all__ = ["DISTANCE_MM", "PITCH_MM", "Seen", "eye", "see"]

"""The figures of one plane: an edge's, a flat field's or discs'; and what they are beside another's, by frequency."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fullfield.errors import InputRefused
from fullfield.image import normalise
from fullfield.qa import discs, edge, mtf, noise, objects
from fullfield.qa.discs import Disc
from fullfield.qa.edge import Edge, Plane
from fullfield.qa.mtf import Curve, Mtf
from fullfield.qa.noise import Nps
from fullfield.qa.objects import Scale, Subject, What

FREQUENCIES = (0.5, 1.0, 2.0)
"""Cycles per mm at which spectra are told in tables (IEC 62220-1)."""

FIGURES = (
    "angle",
    "mtf50",
    "mtf10",
    "peak",
    "step",
    "step_gain",
    *(f"mtf_at_{frequency:g}" for frequency in FREQUENCIES),
    *(f"mtf_transfer_at_{frequency:g}" for frequency in FREQUENCIES),
    "mean",
    "noise",
    "noise_gain",
    *(f"nps_at_{frequency:g}" for frequency in FREQUENCIES),
    *(f"noise_transfer_at_{frequency:g}" for frequency in FREQUENCIES),
    "unevenness",
    "noise_unevenness",
    "discs",
    "contrast",
    "cnr",
    "contrast_gain",
    "cnr_gain",
    "cnr_gain_least",
    "clipped",
)
"""All that there can be of an image and a method; see `KEY` for what each is."""

KEY = {
    "angle": "degrees against the pixels",
    "mtf50": "cycles per mm where the MTF is 50 %",
    "mtf10": "cycles per mm where the MTF is 10 %",
    "peak": "largest MTF; areas are 1",
    "step": "what the edge rises by, in the scale's unit",
    "step_gain": "its step over the source's",
    "mtf_at": "MTF there",
    "mtf_transfer_at": "MTF over the source's there",
    "mean": "of the flat field, in the scale's unit",
    "noise": "SD, of linear values over their mean",
    "noise_gain": "SD over the source's",
    "nps_at": "noise power there: of linear values over their mean squared, in mm² (NNPS), else in grey² mm²",
    "noise_transfer_at": "root of the noise power over the source's there",
    "unevenness": "largest less smallest mean of a centimetre, of linear values over their mean",
    "noise_unevenness": "largest less smallest SD of a centimetre over the median SD",
    "discs": "how many were measured",
    "contrast": "median of the discs' contrasts without their sign, in the scale's unit",
    "cnr": "median of the discs' contrast-to-noise ratios",
    "contrast_gain": "median of the discs' contrasts over the source's",
    "cnr_gain": "median of the discs' CNR over the source's",
    "cnr_gain_least": "the least of them",
    "clipped": "share of what is measured that the result shows black or white, and the source does not",
}
"""What the figures mean; those that end in `at` have the frequency behind them, in cycles per mm."""


_FEW = 0.02  # of the source's MTF: less is not divided by

Curves = dict[str, tuple[Curve, Curve]]
"""By name: frequencies, cycles per mm, and values."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Found:
    """What was found in the source, and where."""

    edge: Edge | None = None
    area: tuple[slice, slice] | None = None
    discs: tuple[Disc, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """One plane's figures, and the curves that they are from. `contrasts`, `cnrs`: of each disc."""

    figures: dict[str, float]
    mtf: Mtf | None = None
    nps: Nps | None = None
    contrasts: tuple[float, ...] = ()
    cnrs: tuple[float, ...] = ()


def find(subject: Subject, plane: Plane, spacing: tuple[float, float], scale: Scale) -> Found:
    """Where the edge, the flat field or the discs lie. Raises InputRefused where there is none to measure."""
    ends = objects.ends(subject.image, scale)
    padding = normalise.is_padding(subject.image, subject.image.pixels)
    match subject.what:
        case What.EDGE:
            return Found(edge=edge.find(plane, spacing, ends, padding=padding))
        case What.FLAT:
            return Found(area=noise.area(plane, ends, logarithm=scale is Scale.LOGARITHM, padding=padding))
        case What.DISCS:
            return Found(discs=subject.discs or discs.find(plane, spacing))


def take(what: What, plane: Plane, found: Found, spacing: tuple[float, float], scale: Scale) -> Measured:
    """The figures of a plane of the picture in which that was found. Raises InputRefused."""
    if found.edge is not None:
        return _of_edge(plane, found.edge)
    if found.area is not None:
        return _of_flat(plane[found.area], spacing, relative=scale is Scale.LINEAR)
    return _of_discs(plane, found.discs)


def part(plane: Plane, found: Found) -> Plane:
    """The values among which the figures are measured."""
    if found.edge is not None:
        return edge.straightened(found.edge.of(plane), found.edge)[0]
    if found.area is not None:
        return plane[found.area]
    return np.concatenate([discs.around(plane, disc)[0].ravel() for disc in found.discs])


def _of_edge(plane: Plane, at: Edge) -> Measured:
    one = mtf.measure(plane, at)
    if one.step == 0:
        raise InputRefused("Cannot measure the MTF.", detail="Nothing is left of the edge: both sides are one grey.")
    figures = {"angle": one.angle, "peak": one.peak, "step": one.step}
    for name, level in (("mtf50", 0.5), ("mtf10", 0.1)):
        if (frequency := one.falls_to(level)) is not None:
            figures[name] = frequency
    for frequency in FREQUENCIES:
        if frequency <= one.nyquist:
            figures[f"mtf_at_{frequency:g}"] = float(np.interp(frequency, one.frequencies, one.values))
    return Measured(figures=figures, mtf=one)


def _of_flat(plane: Plane, spacing: tuple[float, float], *, relative: bool) -> Measured:
    """`relative`: to the mean, as spectra of linear values are told (NNPS)."""
    one, even = noise.measure(plane, spacing), noise.evenness(plane, spacing, relative=relative)
    unit = abs(one.mean) if relative else 1.0
    figures = {"mean": one.mean, "noise": one.sd / unit}
    if even is not None:
        figures |= {"unevenness": even.signal, "noise_unevenness": even.noise}
    for frequency in FREQUENCIES:
        if (power := one.at(frequency)) is not None:
            figures[f"nps_at_{frequency:g}"] = power / unit**2
    return Measured(figures=figures, nps=one)


def _of_discs(plane: Plane, found: tuple[Disc, ...]) -> Measured:
    seen = [discs.see(plane, disc) for disc in found]
    figures = {
        "discs": float(len(seen)),
        "contrast": float(np.median([abs(one.contrast) for one in seen])),
        "cnr": float(np.median([one.cnr for one in seen])),
    }
    return Measured(figures=figures, contrasts=tuple(one.contrast for one in seen), cnrs=tuple(one.cnr for one in seen))


def curves(measured: Measured, *, relative: bool) -> Curves:
    """What there is by frequency; `relative`: spectra of noise over the mean squared."""
    if measured.mtf is not None:
        return {"mtf": (measured.mtf.frequencies, measured.mtf.values)}
    if measured.nps is None:
        return {}
    one, unit = measured.nps, measured.nps.mean**2 if relative else 1.0
    name = "nnps" if relative else "nps"
    return {
        name: (one.frequencies, one.radial / unit),
        f"{name}_horizontal": (one.frequencies, one.horizontal / unit),
        f"{name}_vertical": (one.frequencies, one.vertical / unit),
    }


def beside(measured: Measured, source: Measured) -> tuple[dict[str, float], Curves]:
    """What a method made of the source: gains, and transfers by frequency."""
    figures: dict[str, float] = {}
    found: Curves = {}
    if measured.mtf is not None and source.mtf is not None and source.mtf.step:
        figures["step_gain"] = measured.mtf.step / source.mtf.step
        ratio = np.where(source.mtf.values > _FEW, measured.mtf.values / np.maximum(source.mtf.values, _FEW), np.nan)
        found["mtf_transfer"] = (measured.mtf.frequencies, ratio)
    if measured.nps is not None and source.nps is not None and source.nps.sd:
        figures["noise_gain"] = measured.nps.sd / source.nps.sd
        with np.errstate(invalid="ignore", divide="ignore"):
            found["noise_transfer"] = (
                measured.nps.frequencies,
                np.sqrt(measured.nps.radial / source.nps.radial),
            )
    for name, (frequencies, values) in found.items():
        for frequency in FREQUENCIES:
            if (value := noise.near(frequencies, values, frequency)) is not None:
                figures[f"{name}_at_{frequency:g}"] = value
    if measured.cnrs and source.cnrs:
        with np.errstate(invalid="ignore", divide="ignore"):
            gains = np.array(measured.cnrs) / np.array(source.cnrs)
            contrasts = np.array(measured.contrasts) / np.array(source.contrasts)
        figures["cnr_gain"], figures["cnr_gain_least"] = float(np.median(gains)), float(gains.min())
        figures["contrast_gain"] = float(np.median(contrasts))
    return figures, found


__all__ = ["FIGURES", "FREQUENCIES", "KEY", "Curves", "Found", "Measured", "beside", "curves", "find", "part", "take"]

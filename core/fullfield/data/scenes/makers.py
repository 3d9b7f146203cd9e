"""How several makers store what was counted: raw, linear or logarithmic in 12 to 16 bits, or processed for display.

The display curves are the usual families: a straight line, DICOM's sigmoid, a film's characteristic curve with toe and
shoulder, two straight lines; before them some makers sharpen, some even the latitude, some blacken what the blades
cover. None is any company's.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from fullfield.data.scenes.detector import Counted
from fullfield.image.image import HighValues, Image, InputKind, Relationship
from fullfield.image.phantoms.shapes import Plane

CURVES = ("line", "sigmoid", "film", "two lines")
_STREAM = 0x3A4E5


@dataclass(frozen=True, kw_only=True)
class Maker:
    """`bits`: of stored values; `linear`: raw values are counts, else logarithms; `level`: of the open beam, a share of
    the range; `latitude`: e-folds that the range has. For display: `curve`, one of `CURVES`; `slope` of it; `low`,
    `high`: percentiles of the anatomy that become black and white; `sharpen`, `even`: how much; `shutter`: black
    outside of the blades; `shown_bits`.
    """

    bits: int = 14
    linear: bool = True
    level: float = 0.8
    latitude: float = 11.0
    curve: str = "sigmoid"
    slope: float = 3.0
    low: float = 0.3
    high: float = 99.7
    sharpen: float = 0.0
    even: float = 0.0
    shutter: bool = False
    shown_bits: int = 12


def draw(seed: int) -> Maker:
    """The maker of a seed."""
    random = np.random.default_rng([_STREAM, seed])
    return Maker(
        bits=int(random.integers(12, 17)),
        linear=bool(random.random() < 0.5),
        level=random.uniform(0.5, 0.95),
        latitude=random.uniform(9.0, 13.0),
        curve=CURVES[int(random.integers(len(CURVES)))],
        slope=random.uniform(1.5, 4.5),
        low=random.uniform(0.1, 1.5),
        high=random.uniform(99.0, 99.9),
        sharpen=random.uniform(0.0, 0.8) if random.random() < 0.6 else 0.0,
        even=random.uniform(0.0, 0.35) if random.random() < 0.5 else 0.0,
        shutter=bool(random.random() < 0.4),
        shown_bits=int(random.choice([8, 10, 12, 12, 14])),
    )


def raw(counted: Counted, maker: Maker, spacing_mm: float) -> Image:
    """The exposure as stored For Processing; bone is bright."""
    top = (1 << maker.bits) - 1
    share = counted.counts / np.float32(counted.open_beam)
    if maker.linear:
        stored = top - np.rint(share * np.float32(maker.level * top))
    else:
        beyond = (1 - maker.level) / 2  # of the range, for what is brighter than the open beam
        stored = np.rint(np.float32(top) * (np.float32(beyond) - np.log(share) / np.float32(maker.latitude)))
    return Image(
        pixels=np.clip(stored, 0, top).astype(np.uint16),
        bits=maker.bits,
        high=HighValues.DARK,
        kind=InputKind.RAW,
        kind_reason="It is a scene's raw exposure.",
        relationship=Relationship.LINEAR if maker.linear else Relationship.LOGARITHMIC,
        spacing_mm=(spacing_mm, spacing_mm),
    )


def processed(counted: Counted, maker: Maker, spacing_mm: float, *, within: Plane | None = None) -> Image:
    """The exposure as stored For Presentation; bone is bright. `within`: the logarithm that the percentiles are taken
    from (default: this exposure's own)."""
    plane = logarithm(counted)
    reference = plane if within is None else within
    if maker.even:
        wide, of = (cv2.GaussianBlur(_small(one), (0, 0), 24) for one in (plane, reference))
        plane = plane - np.float32(maker.even) * cv2.resize(wide, plane.shape[::-1], interpolation=cv2.INTER_LINEAR)
        reference = reference - np.float32(maker.even) * cv2.resize(
            of, plane.shape[::-1], interpolation=cv2.INTER_LINEAR
        )
    if maker.sharpen:
        sigma = 1.2 / spacing_mm / 10 + 0.8
        plane = plane + np.float32(maker.sharpen) * (plane - cv2.GaussianBlur(plane, (0, 0), sigma))
    anatomy = counted.opened & ~counted.marks & (counted.attenuation > np.float32(0.02))
    low, high = np.percentile(reference[anatomy if anatomy.any() else counted.opened][::7], [maker.low, maker.high])
    shown = _curve(maker, np.clip((plane - np.float32(low)) / np.float32(max(high - low, 1e-3)), 0, 1))
    if maker.shutter:
        shown[~counted.opened] = 0
    top = (1 << maker.shown_bits) - 1
    return Image(
        pixels=np.rint(shown * np.float32(top)).astype(np.uint16),
        bits=maker.shown_bits,
        high=HighValues.BRIGHT,
        kind=InputKind.PROCESSED,
        kind_reason="It is a scene's picture for display.",
        spacing_mm=(spacing_mm, spacing_mm),
    )


def logarithm(counted: Counted) -> Plane:
    """The attenuation that the counts tell: 0 in the open beam."""
    result: Plane = -np.log(counted.counts / np.float32(counted.open_beam))
    return result


def _curve(maker: Maker, x: Plane) -> Plane:
    if maker.curve == "sigmoid":
        ends = 1 / (1 + np.exp(np.array([maker.slope / 2, -maker.slope / 2])))
        shown = (1 / (1 + np.exp(-np.float32(maker.slope) * (x - np.float32(0.5)))) - ends[0]) / (ends[1] - ends[0])
    elif maker.curve == "film":
        shown = x ** np.float32(0.6 + 0.15 * maker.slope)
        shown = shown / (shown + (1 - x) ** np.float32(0.6 + 0.1 * maker.slope) + np.float32(1e-6))
    elif maker.curve == "two lines":
        knee = 0.35 + 0.05 * maker.slope
        shown = np.where(x < knee, x * np.float32(0.4 / knee), 0.4 + (x - knee) * np.float32(0.6 / (1 - knee)))
    else:
        shown = x
    result: Plane = np.clip(shown, 0, 1).astype(np.float32)
    return result


def _small(plane: Plane) -> Plane:
    longer = max(plane.shape)
    size = (max(2, plane.shape[1] * 256 // longer), max(2, plane.shape[0] * 256 // longer))
    result: Plane = cv2.resize(plane, size, interpolation=cv2.INTER_AREA)
    return result


__all__ = ["CURVES", "Maker", "draw", "logarithm", "processed", "raw"]

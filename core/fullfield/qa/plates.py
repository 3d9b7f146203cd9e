"""Test plates of the program's own making, exposed by its own detector: blur, dose and pixels are known.

A plate stands behind 2 e-folds, with a step wedge at either side: so a method finds the range of an anatomy and not
the noise of one grey. No scatter, heel or glare. The MTF is that of the pixel (a sinc) and of the sampled blur; the
noise is white, that of the counts, of the read-out and of the rounding of stored values.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from fullfield.data.scenes import detector, makers, signals
from fullfield.data.scenes.detector import Counted, Exposure
from fullfield.data.scenes.latent import Latent
from fullfield.data.scenes.makers import Maker
from fullfield.data.scenes.signals import DISC, Placed, Signal
from fullfield.dicom import phantom_files
from fullfield.dicom.phantom_files import Sample
from fullfield.image.cache import Decoded
from fullfield.image.header import Header
from fullfield.image.image import Image, InputKind
from fullfield.image.phantoms.shapes import Plane
from fullfield.qa.discs import Disc
from fullfield.qa.mtf import Curve
from fullfield.qa.objects import Subject, Truth, What

USUAL_DOSE = 2.5
"""µGy at the detector behind the plate: an Exposure Index of 250."""

SIDE, PITCH = 1280, 0.1
"""Pixels of a plate's image, and mm of one."""

TILT = 2.3
"""Degrees, of the edge against the columns."""

_THICK, _EDGE = 2.0, 0.5  # e-folds, of the plate and of what the edge adds
_WEDGE, _STEPS, _STRIP = (0.5, 3.5), 8, 112  # e-folds of the wedge, and pixels of its width
_SIZES, _CONTRASTS = (8.0, 5.0, 3.0, 2.0, 1.2), (0.16, 0.08, 0.04, 0.02)  # mm and e-folds, of the discs
_EDGE_DOSES = 8  # times the dose, of the edge: noise would else be much of a faint edge's MTF
_MAKER = Maker(bits=16, linear=True, level=0.9, curve="line", shown_bits=12)


def subjects(*, dose: float, seed: int) -> Iterator[Subject]:
    """The edge, the flat field and the discs, raw and processed for display. `dose`: in µGy."""
    for number, what in enumerate(What):
        latent, discs = _drawn(what)
        kerma = dose * (_EDGE_DOSES if what is What.EDGE else 1)
        exposure = Exposure(kerma=kerma, scatter=0.0, glare=0.0)
        counted = detector.expose(latent, exposure, noise=seed * len(What) + number)
        truth = _truth(counted, exposure, latent, discs)
        for kind, make in ((InputKind.RAW, makers.raw), (InputKind.PROCESSED, makers.processed)):
            image = make(counted, _MAKER, latent.spacing_mm)
            yield Subject(
                what=what,
                name=f"our {what}",
                equipment=f"our plates, {dose:g} µGy",
                decoded=Decoded(image=image, header=_header(image, exposure), folder=Path()),
                truth=truth if kind is InputKind.RAW else None,
                discs=tuple(
                    Disc(row=one.row, column=one.column, pixels=(one.signal.size / PITCH,) * 2, size_mm=one.signal.size)
                    for one in discs
                ),
            )


def save(folder: Path, *, dose: float, seed: int) -> tuple[Path, ...]:
    """The raw plates as DICOM files in this folder (DX, For Processing), with the Exposure Index of their dose.

    Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for subject in subjects(dose=dose, seed=seed):
        image, header = subject.image, subject.header
        if image.kind is InputKind.RAW:
            exposed = {"ExposureIndex": header.exposure_index, "TargetExposureIndex": header.target_exposure_index}
            sample = Sample(
                name=f"qa-{subject.what}-{seed}-{header.exposure_index:g}",
                kind=subject.what,
                sop_class=phantom_files.FOR_PROCESSING,
                modality="DX",
                body_part="",
                syntax=phantom_files.UNCOMPRESSED,
                raw=True,
                inverted=True,
                region=("113681", "Phantom"),
                scheme="DCM",
                more={
                    **{keyword: f"{value:g}" for keyword, value in exposed.items()},
                    "DeviationIndex": f"{header.deviation:.2f}",
                    "QualityControlImage": "YES",
                },
            )
            written.append(phantom_files.write_image(sample, image, folder / f"{sample.name}.dcm"))
    return tuple(written)


def _drawn(what: What) -> tuple[Latent, tuple[Placed, ...]]:
    """A plate, and its discs."""
    plate = np.full((SIDE, SIDE), _THICK, np.float32)
    steps = np.repeat(np.linspace(*_WEDGE, _STEPS, dtype=np.float32), SIDE // _STEPS)
    plate[:, :_STRIP], plate[:, -_STRIP:] = steps[:, None], steps[::-1, None]
    if what is What.EDGE:
        part = (slice(SIDE // 5, SIDE - SIDE // 5), slice(_STRIP + 64, SIDE - _STRIP - 64))
        plate[part] -= np.log1p(-_covered()[part] * np.float32(1 - math.exp(-_EDGE)))
    nothing = np.zeros(plate.shape, bool)
    latent = Latent(part="leaves", attenuation=plate, spacing_mm=PITCH, metal=nothing, bone=nothing)
    if what is not What.DISCS:
        return latent, ()
    across = np.linspace(_STRIP + 90, SIDE - _STRIP - 90, len(_SIZES)).round().astype(int)
    down = np.linspace(150, SIDE - 150, len(_CONTRASTS)).round().astype(int)
    discs = tuple(
        Placed(signal=Signal(kind=DISC, size=size, contrast=contrast), row=int(row), column=int(column))
        for contrast, row in zip(_CONTRASTS, down, strict=True)
        for size, column in zip(_SIZES, across, strict=True)
    )
    attenuation = signals.added(latent, discs)
    return Latent(part="leaves", attenuation=attenuation, spacing_mm=PITCH, metal=nothing, bone=nothing), discs


def _covered() -> Plane:
    """Of each pixel, the part that lies right of the edge."""
    middle = (SIDE - 1) / 2
    y, x = np.arange(SIDE)[:, None] - middle, np.arange(SIDE)[None, :] - middle
    covered: Plane = np.clip(x - math.tan(math.radians(TILT)) * y + 0.5, 0, 1).astype(np.float32)
    return covered


def _truth(counted: Counted, exposure: Exposure, latent: Latent, discs: tuple[Placed, ...]) -> Truth:
    """What is known of the linear, stored values."""
    sigma = exposure.blur / latent.spacing_mm
    mean = counted.open_beam * math.exp(-_THICK)
    per_count = _MAKER.level * ((1 << _MAKER.bits) - 1) / counted.open_beam
    variance = mean + exposure.electronic**2 + 1 / (12 * per_count**2)
    noise = math.sqrt(variance) / mean

    def cnr(contrast: float) -> float:
        less = (1 - math.exp(-contrast)) * mean
        return less / math.sqrt(variance - less / 2)

    return Truth(
        mtf=lambda frequencies: _transfer(frequencies, sigma, latent.spacing_mm),
        noise=noise,
        nnps=noise**2 * latent.spacing_mm**2,
        cnr=tuple(cnr(one.signal.contrast) for one in discs),
    )


def _transfer(frequencies: Curve, sigma: float, pitch: float) -> Curve:
    """Of a pixel, and of OpenCV's sampled Gaussian of `sigma` pixels."""
    length = round(sigma * 8 + 1) | 1
    kernel = cv2.getGaussianKernel(length, sigma)[:, 0]
    places = np.arange(length) - length // 2
    blur = np.cos(2 * np.pi * (frequencies * pitch)[:, None] * places) @ kernel
    return np.asarray(np.abs(blur * np.sinc(frequencies * pitch)), np.float64)


def _header(image: Image, exposure: Exposure) -> Header:
    return Header(
        source_format="dicom",
        sha256=hashlib.sha256(image.pixels.tobytes()).hexdigest(),
        rows=image.pixels.shape[0],
        columns=image.pixels.shape[1],
        bits_stored=image.bits,
        photometric="MONOCHROME2",
        modality="DX",
        exposure_index=exposure.exposure_index,
        target_exposure_index=100 * USUAL_DOSE,
    )


__all__ = ["PITCH", "SIDE", "TILT", "USUAL_DOSE", "save", "subjects"]

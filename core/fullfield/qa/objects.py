"""What is measured on: an edge, a flat field, discs; from a user's file, or of the program's own making (`plates`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import numpy as np

from fullfield.bench import displayed
from fullfield.dicom.read import Decoder
from fullfield.errors import InputRefused
from fullfield.image.cache import Decoded
from fullfield.image.header import Header
from fullfield.image.image import Image, InputKind, Relationship
from fullfield.qa.discs import Disc
from fullfield.qa.edge import Plane
from fullfield.qa.mtf import Curve


class What(StrEnum):
    """What an image shows."""

    EDGE = "edge"
    FLAT = "flat"
    DISCS = "discs"


class Scale(StrEnum):
    """What the values of a plane are: proportional to the exposure, its logarithm, or grey of a display (0 … 1)."""

    LINEAR = "linear"
    LOGARITHM = "logarithm"
    DISPLAY = "display"


@dataclass(frozen=True, kw_only=True)
class Truth:
    """What is known of a plate of our own. `mtf`: at frequencies in cycles per mm across its edge; `noise`: SD over the
    mean, of the linear values; `nnps`: mm²; `cnr`: of each of its discs."""

    mtf: Callable[[Curve], Curve]
    noise: float
    nnps: float
    cnr: tuple[float, ...] = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Subject:
    """One image to measure. `name`: for people; `equipment`: of whose history the figures are a part. `discs`: where
    they are known."""

    what: What
    name: str
    equipment: str
    decoded: Decoded
    truth: Truth | None = None
    discs: tuple[Disc, ...] = field(default=())

    @property
    def image(self) -> Image:
        """The image itself."""
        return self.decoded.image

    @property
    def header(self) -> Header:
        """What its file says of it."""
        return self.decoded.header

    @property
    def spacing_mm(self) -> tuple[float, float]:
        """Of rows and columns: in the detector's plane, as IEC 62220-1 has it; of discs, whose sizes are the phantom's,
        in the patient's. Raises InputRefused where no file says it."""
        if self.what is not What.DISCS and self.header.detector_spacing_mm is not None:
            return self.header.detector_spacing_mm
        if self.image.spacing_mm is None:
            raise InputRefused(
                f"Cannot measure the {self.what}.",
                detail="The file has no pixel spacing, so no frequency and no size can be told in millimetres.",
                hint="Use the DICOM file as the detector has sent it.",
            )
        return self.image.spacing_mm


def read(decoder: Decoder, path: Path, what: What, name: str) -> Subject:
    """A user's file, called so. Raises InputRefused, InputUnreadable."""
    decoded = decoder.decode(path)
    header = decoded.header
    equipment = " ".join(f"{header.manufacturer} {header.model_name}".split()) or "unknown equipment"
    return Subject(what=what, name=name, equipment=equipment, decoded=decoded)


def detector(image: Image) -> tuple[Scale, Plane] | None:
    """What a raw image's detector has measured, as linear as the file says it is; None of what was processed."""
    if image.kind is not InputKind.RAW:
        return None
    if image.relationship is Relationship.LOGARITHMIC:
        return Scale.LOGARITHM, np.asarray(image.pixels, np.float64)
    return Scale.LINEAR, image.exposure(np.asarray(image.pixels, np.float64))


def ends(image: Image, scale: Scale) -> tuple[float, float]:
    """The least and the largest value that a plane of this scale can have."""
    if scale is Scale.DISPLAY:
        return 0.0, 1.0
    stored = np.array([0.0, image.top])
    least, most = sorted(stored if scale is Scale.LOGARITHM else image.exposure(stored))
    return float(least), float(most)


def shown(image: Image) -> Plane:
    """As it is displayed without any method: see `displayed.source`."""
    return np.asarray(displayed.source(image), np.float64)


__all__ = ["Scale", "Subject", "Truth", "What", "detector", "ends", "read", "shown"]

"""Raw or processed: whether a picture is as the detector gave it, or made for display already.

Nearly every file of a clinic is processed; a logarithm or an exposure correction would spoil it. So a picture is called
raw only where its header says so, or where header and histogram agree, and the reason is one sentence for people.
"""

from __future__ import annotations

import numpy as np
from pydicom.dataset import Dataset

from fullfield.dicom.accepted import FOR_PROCESSING
from fullfield.dicom.voi import Data
from fullfield.image.image import HighValues, InputKind, Relationship

RAW_TISSUE = 0.15  # of the range: behind 10 cm of tissue some 5 % of the beam are left, and less than 15 behind 5 cm


def relationship(dataset: Dataset) -> Relationship:
    """Pixel Intensity Relationship (0028,1040), PS3.3 C.8.11.3.1.2."""
    text = str(dataset.get("PixelIntensityRelationship") or "").upper()
    return {"LIN": Relationship.LINEAR, "LOG": Relationship.LOGARITHMIC}.get(text, Relationship.UNKNOWN)


def beam(dataset: Dataset, *, flipped: bool) -> HighValues:
    """Which end of the pixels got more of the beam, by Pixel Intensity Relationship Sign (0028,1041).

    1 means that high stored values got more. DARK, as every picture for display is, where the file says nothing.
    """
    sign = dataset.get("PixelIntensityRelationshipSign")
    if sign not in (1, -1):
        return HighValues.DARK
    return HighValues.BRIGHT if (sign == 1) != flipped else HighValues.DARK


def kind(dataset: Dataset, *, sop_class: str, bits: int, found: Data, beam_end: HighValues) -> tuple[InputKind, str]:
    """The kind, and why."""
    intent = str(dataset.get("PresentationIntentType") or "").upper()
    if intent == "FOR PROCESSING":
        return InputKind.RAW, "The file says that it is for processing."
    if sop_class in FOR_PROCESSING and intent != "FOR PRESENTATION":
        return InputKind.RAW, "The file's class is one for processing."
    if intent == "FOR PRESENTATION":
        return InputKind.PROCESSED, "The file says that it is for presentation."
    if bits <= 8:
        return InputKind.PROCESSED, "Eight bits are enough for display only: the image is processed already."
    if dataset.get("VOILUTSequence"):
        return InputKind.PROCESSED, "The file has a look-up table for display: the image is processed already."
    if relationship(dataset) is Relationship.LINEAR and _looks_raw(found, beam_end):
        return InputKind.RAW, "The file says that its values are linear to exposure, and its histogram agrees."
    return InputKind.PROCESSED, "The file does not say that it is raw, and nearly all files are processed."


def _looks_raw(found: Data, beam_end: HighValues) -> bool:
    """Linear exposure falls off steeply with thickness: tissue crowds at the low end, direct exposure is far away."""
    if found.high == found.low:
        return False
    values = (found.sample.astype(np.float64) - found.low) / (found.high - found.low)
    exposure = values if beam_end is HighValues.BRIGHT else 1 - values
    lower, middle, upper = np.percentile(exposure, (10, 40, 60))
    return bool(middle < RAW_TISSUE and upper - lower < 2 * RAW_TISSUE)

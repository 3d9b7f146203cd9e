"""How large a pixel is, where the file says so and can be believed (PS3.3 10.7.1, C.8.11.4)."""

from __future__ import annotations

from pydicom.dataset import Dataset

from fullfield.dicom.numbers import decimal, decimals
from fullfield.dicom.tables import Warn

SMALLEST_MM, LARGEST_MM = 0.001, 10.0  # dental sensors have about 0.02, small previews about 2
MOST_UNEQUAL = 4.0
_LARGEST_SIDE = 1 << 31  # of a ratio, as a PNG holds it
DETECTOR, MAGNIFICATION = "ImagerPixelSpacing", "EstimatedRadiographicMagnificationFactor"


def spacing(dataset: Dataset, *, warn: Warn) -> tuple[tuple[float, float] | None, str]:
    """(row spacing, column spacing) in mm, and the keyword that says so; None and "" where none can be trusted.

    Pixel Spacing first: where it is there, it is the maker's or a calibration's last word. Then Imager Pixel Spacing,
    brought from the detector's plane to the patient's by the estimated magnification, then that of a film scanner.
    A Pixel Spacing that equals the detector's, and that nobody says to have calibrated, is the detector's (10.7.1.1). A
    spacing that was brought to the patient is told as EstimatedRadiographicMagnificationFactor.
    """
    for keyword in ("PixelSpacing", DETECTOR, "NominalScannedPixelSpacing"):
        if str(dataset.get(keyword) or "") in ("", "[]"):
            continue
        found = decimals(dataset.get(keyword))
        if believable(found):
            said = _uncalibrated(dataset, found) or keyword
            magnification = decimal(dataset.get(MAGNIFICATION)) if said == DETECTOR else None
            if magnification is None or not 1 <= magnification <= 10:
                return (found[0], found[1]), said
            return (found[0] / magnification, found[1] / magnification), MAGNIFICATION
        warn("The file's pixel spacing makes no sense; it was left aside.")
    return None, ""


def of_detector(dataset: Dataset) -> tuple[float, float] | None:
    """(row spacing, column spacing) in the detector's plane, in mm; None where no believable one is said."""
    found = decimals(dataset.get(DETECTOR))
    return (found[0], found[1]) if believable(found) else None


def aspect(dataset: Dataset) -> tuple[int, int] | None:
    """Pixel Aspect Ratio (PS3.3 C.7.6.3.1.7), a pixel's height and width, where they differ and can be believed."""
    found = decimals(dataset.get("PixelAspectRatio"))
    if len(found) != 2 or found[0] == found[1]:
        return None
    small, large = sorted(found)
    whole = small >= 1 and all(side.is_integer() for side in found) and large < _LARGEST_SIDE
    return (int(found[0]), int(found[1])) if whole and large <= MOST_UNEQUAL * small else None


def _uncalibrated(dataset: Dataset, found: tuple[float, ...]) -> str:
    imager = decimals(dataset.get(DETECTOR))
    return DETECTOR if found == imager and not dataset.get("PixelSpacingCalibrationType") else ""


def believable(found: tuple[float, ...]) -> bool:
    """Whether these are a row and a column spacing of a detector or a film, in mm."""
    if len(found) != 2:
        return False
    small, large = sorted(found)
    return small >= SMALLEST_MM and large <= LARGEST_MM and large <= MOST_UNEQUAL * small

"""The attributes that describe the new pixels (PS3.3 C.7.6.3, C.11.1, C.11.2, C.11.6 and C.7.6.1.1.5).

The pixels are always unsigned, high = bright, MONOCHROME2 with an IDENTITY presentation LUT, whatever the source was.
"""

from __future__ import annotations

from pydicom.dataelem import DataElement
from pydicom.dataset import Dataset
from pydicom.uid import (
    HTJ2K,
    JPEG2000,
    JPEG2000MC,
    JPEGBaseline8Bit,
    JPEGExtended12Bit,
    JPEGLSNearLossless,
)

from fullfield.dicom import values
from fullfield.dicom.classes import OutputClass
from fullfield.dicom.identity import PRODUCT
from fullfield.image.header import Header
from fullfield.image.image import Enhanced, HighValues, Image, InputKind
from fullfield.image.values import Window

SEEN = f"{PRODUCT}, as displayed"
_METHOD: dict[str, str] = {
    JPEGBaseline8Bit: "ISO_10918_1",
    JPEGExtended12Bit: "ISO_10918_1",
    JPEGLSNearLossless: "ISO_14495_1",
    JPEG2000: "ISO_15444_1",
    JPEG2000MC: "ISO_15444_1",
    HTJ2K: "ISO_15444_15",
}
"""Lossy Image Compression Method (0028,2114) by the transfer syntax that can lose."""


def describe(
    derived: Dataset,
    *,
    image: Image,
    enhanced: Enhanced,
    header: Header,
    output: OutputClass,
    span: tuple[int, int],
    window: Window | None = None,
) -> None:
    """Set all that says what the pixels are. `span`: the smallest and the largest value in them.

    `window`: what the image is shown through first, where that is not all of its data.
    """
    _image_pixel(derived, enhanced, span)
    _window(derived, span)
    if window is not None:
        _window_first(derived, window)
    _lossy(derived, header, output)
    derived.PresentationLUTShape = "IDENTITY"
    if output.for_presentation:
        derived.RescaleIntercept, derived.RescaleSlope, derived.RescaleType = "0", "1", "US"
        _intensity(derived, image)
    else:  # an attribute of DX, MG and IO only
        derived.pop("PixelIntensityRelationship", None)
        derived.pop("PixelIntensityRelationshipSign", None)
    if header.source_format != "dicom" and image.spacing_mm:
        derived.PixelSpacing = [values.number(spacing) for spacing in image.spacing_mm]


def _image_pixel(derived: Dataset, enhanced: Enhanced, span: tuple[int, int]) -> None:
    derived.Rows, derived.Columns = enhanced.pixels.shape
    derived.SamplesPerPixel = 1
    derived.PhotometricInterpretation = "MONOCHROME2"
    derived.BitsAllocated = 8 if enhanced.bits == 8 else 16
    derived.BitsStored, derived.HighBit = enhanced.bits, enhanced.bits - 1
    derived.PixelRepresentation = 0
    for keyword, value in zip(("SmallestImagePixelValue", "LargestImagePixelValue"), span, strict=True):
        derived[keyword] = DataElement(keyword, "US", value)


def _window(derived: Dataset, span: tuple[int, int]) -> None:
    """The linear window from the smallest value to the largest (C.11.2.1.2.1): all of the data and no more."""
    low, high = span
    derived.WindowCenter = values.number((low + high + 1) / 2)
    derived.WindowWidth = values.number(high - low + 1)
    derived.WindowCenterWidthExplanation = PRODUCT


def _window_first(derived: Dataset, window: Window) -> None:
    """`window` as it was seen, before the one over all of the data (C.11.2.1.2; a window is a hint for rendering).

    The function (C.11.2.1.3) holds for every window of a file: a sigmoid one stands alone.
    """
    if window.sigmoid:
        derived.VOILUTFunction = "SIGMOID"
        derived.WindowCenter = values.number((window.low + window.high) / 2)
        derived.WindowWidth = values.number(window.high - window.low)
        derived.WindowCenterWidthExplanation = SEEN
        return
    derived.WindowCenter = [values.number((window.low + window.high + 1) / 2), derived.WindowCenter]
    derived.WindowWidth = [values.number(max(window.high - window.low + 1, 1)), derived.WindowWidth]
    derived.WindowCenterWidthExplanation = [SEEN, PRODUCT]


def _intensity(derived: Dataset, image: Image) -> None:
    """Relationship and sign (C.8.11.3.1.2), of which DX wants both.

    Raw pixels come out of the enhancement on a logarithmic scale; processed ones keep what the source said of them. The
    sign is turned where the pixels were: a bright pixel has seen less intensity (-1) unless the source says otherwise.
    """
    if image.kind is InputKind.RAW or not derived.get("PixelIntensityRelationship"):
        derived.PixelIntensityRelationship = "LOG"
    sign = derived.get("PixelIntensityRelationshipSign")
    turned = -1 if image.high is HighValues.DARK else 1
    derived.PixelIntensityRelationshipSign = sign * turned if sign in (-1, 1) else -1


def _lossy(derived: Dataset, header: Header, output: OutputClass) -> None:
    """Once lossy, always lossy; where nothing is known of an image's past, only DX, MG and IO must say "00"."""
    if header.lossy or derived.get("LossyImageCompression") == "01":
        derived.LossyImageCompression = "01"
        method = _METHOD.get(header.transfer_syntax_uid, "ISO_10918_1" if header.source_format == "jpeg" else "")
        if method and not derived.get("LossyImageCompressionMethod"):
            derived.LossyImageCompressionMethod = method
    elif output.for_presentation:
        derived.LossyImageCompression = "00"
    for keyword in ("LossyImageCompressionRatio", "LossyImageCompressionMethod"):
        if derived.get("LossyImageCompression") != "01" or not derived.get(keyword):
            derived.pop(keyword, None)

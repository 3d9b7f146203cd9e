"""The attributes of a source that an image derived from it keeps, each as its Value Representation allows.

Kept are the standard's own attributes about patient, study, equipment, acquisition and anatomy. Left behind is what is
bound to the old pixels (look-up tables, windows, padding, overlays, icon), to the old encoding, or to the old file
(private elements, signatures), and whatever is malformed beyond mending: no fault is inherited, nothing is invented.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable

import pydicom
from pydicom import datadict
from pydicom.dataelem import DataElement, RawDataElement
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence
from pydicom.tag import BaseTag

from fullfield.dicom import values
from fullfield.dicom.numbers import decimals
from fullfield.dicom.orientation import directions
from fullfield.dicom.spacing import believable
from fullfield.image.cache import Decoded

MAX_DEPTH = 16
"""Sequences nested deeper carry nothing about a radiograph (the deepest in the standard's image IODs is 6)."""

_GROUPS = frozenset({0x0008, 0x0010, 0x0012, 0x0018, 0x0020, 0x0028, 0x0032, 0x0038, 0x0040, 0x0050, 0x0054})

_OF_GROUP_28 = frozenset(
    {
        "BreastImplantPresent",
        "BurnedInAnnotation",
        "LongitudinalTemporalInformationModified",
        "LossyImageCompression",
        "LossyImageCompressionMethod",
        "LossyImageCompressionRatio",
        "PartialView",
        "PartialViewCodeSequence",
        "PartialViewDescription",
        "PixelAspectRatio",
        "PixelIntensityRelationship",
        "PixelIntensityRelationshipSign",
        "PixelSpacing",
        "PixelSpacingCalibrationDescription",
        "PixelSpacingCalibrationType",
        "QualityControlImage",
        "RecognizableVisualFeatures",
        "SpatialLocationsPreserved",
    }
)
"""All else in group 0028 describes the source's pixels and how they were to be shown."""

_LEFT_BEHIND = frozenset(
    {
        "HistogramSequence",
        "InstanceAvailability",
        "InstanceCoercionDateTime",
        "LengthToEnd",
        "PrivateDataElementCharacteristicsSequence",
        "RealWorldValueMappingSequence",
        "RetrieveAETitle",
        "SpecificCharacterSet",
    }
)

_ENUMERATED: dict[str, frozenset[str]] = {
    "BreastImplantPresent": frozenset({"YES", "NO"}),
    "BurnedInAnnotation": frozenset({"YES", "NO"}),
    "ImageLaterality": frozenset({"R", "L", "U", "B"}),
    "Laterality": frozenset({"R", "L"}),
    "LongitudinalTemporalInformationModified": frozenset({"UNMODIFIED", "MODIFIED", "REMOVED"}),
    "LossyImageCompression": frozenset({"00", "01"}),
    "PartialView": frozenset({"YES", "NO"}),
    "PatientSex": frozenset({"M", "F", "O"}),
    "PixelIntensityRelationship": frozenset({"LIN", "LOG"}),
    "QualityControlImage": frozenset({"YES", "NO", "BOTH"}),
    "RecognizableVisualFeatures": frozenset({"YES", "NO"}),
}
"""PS3.3 enumerated values: anything else is an error, and is left out."""

_REFERENCE = ("ReferencedSOPClassUID", "ReferencedSOPInstanceUID")
_DEMANDED: dict[str, tuple[str, ...]] = {
    "CodingSchemeIdentificationSequence": ("CodingSchemeDesignator",),
    "ReferencedImageSequence": _REFERENCE,
    "ReferencedInstanceSequence": _REFERENCE,
    "ReferencedPatientSequence": _REFERENCE,
    "ReferencedPerformedProcedureStepSequence": _REFERENCE,
    "ReferencedSeriesSequence": ("SeriesInstanceUID", "ReferencedInstanceSequence"),
    "ReferencedStudySequence": _REFERENCE,
}
"""Type 1 attributes of an item, by its sequence: without them it refers to nothing."""

_DEMANDED_AT_THE_TOP = {"ReferencedInstanceSequence": (*_REFERENCE, "PurposeOfReferenceCodeSequence")}
"""Inside a Referenced Series Sequence (PS3.3 C.12.2) there is no purpose."""

_SPACINGS = ("PixelSpacing", "ImagerPixelSpacing", "NominalScannedPixelSpacing")
_CODE = ("CodeValue", "LongCodeValue", "URNCodeValue")
_CODE_OPTIONAL = ("CodingSchemeVersion", "ContextIdentifier", "MappingResource", "ContextGroupVersion", *_CODE)


def source_attributes(decoded: Decoded) -> Dataset:
    """The kept and mended attributes of a source: of its `dataset.dcm` in the private cache; none for an import.

    Raises OSError or InvalidDicomError where they cannot be read: a radiograph never silently loses its patient.
    """
    if decoded.header.source_format != "dicom":
        return Dataset()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about values that this very function is there to mend
        kept = _kept(pydicom.dcmread(decoded.dataset), depth=0)
    _mend_spacing(kept)
    if "PatientOrientation" in kept and not directions(kept):
        kept.PatientOrientation = ""  # type 2, or 2C
    return kept


def _kept(source: Dataset, *, depth: int) -> Dataset:
    kept = Dataset()
    for tag in sorted(source.keys()):
        keyword = datadict.keyword_for_tag(tag)
        if tag.is_private or tag.group not in _GROUPS or not keyword or keyword in _LEFT_BEHIND:
            continue
        if tag.group == 0x0028 and keyword not in _OF_GROUP_28:
            continue
        element = _element(source, tag, keyword, depth=depth)
        if element is not None:
            kept.add(element)
    return kept


def _element(source: Dataset, tag: BaseTag, keyword: str, *, depth: int) -> DataElement | None:
    raw = source.get_item(tag)
    declared = datadict.dictionary_VR(tag).split(" or ")
    if raw is None or raw.VR not in declared:  # a wrong VR is no value of this attribute
        return None
    if raw.VR == "SQ":
        return _sequence(source[tag], depth=depth)
    if raw.VR in values.TEXT:
        return _text(tag, keyword, str(raw.VR), _texts(raw))
    if raw.VR in values.BINARY_NUMBERS:
        return _number(source, tag)
    return None  # bulk binary: tables, overlays, icons


def _sequence(element: DataElement, *, depth: int) -> DataElement | None:
    """The sequence with what is kept of its items, or None: where an empty one is a statement, `classes` adds it."""
    if depth >= MAX_DEPTH:
        return None
    demanded = _DEMANDED.get(element.keyword, ())
    if depth == 0:
        demanded = _DEMANDED_AT_THE_TOP.get(element.keyword, demanded)
    codes = element.keyword != "CodingSchemeIdentificationSequence"  # its items name schemes, and are no codes
    kept = (_item(item, demanded, depth=depth + 1, codes=codes) for item in element.value)
    items = [item for item in kept if item is not None]
    return DataElement(element.tag, "SQ", Sequence(items)) if items else None


def _item(source: Dataset, demanded: tuple[str, ...], *, depth: int, codes: bool) -> Dataset | None:
    """The kept part of an item; None where what is left says nothing or half of a reference or, of `codes`, a code."""
    item = _kept(source, depth=depth)
    demanded = demanded or (_REFERENCE if "ReferencedSOPClassUID" in source else ())
    if not all(item.get(keyword) for keyword in demanded):
        return None
    if codes and any(keyword in source for keyword in ("CodingSchemeDesignator", "CodeMeaning", *_CODE)):
        for keyword in _CODE_OPTIONAL:  # type 1C: present means with a value
            if keyword in item and not item[keyword].value:
                del item[keyword]
        if not item.get("CodeMeaning") or not any(keyword in item for keyword in _CODE):
            return None
        if "CodeValue" in item and not item.get("CodingSchemeDesignator"):
            return None
    return item if len(item) else None


def _texts(raw: RawDataElement | DataElement) -> list[str]:
    value = raw.value
    if isinstance(value, bytes):
        text = value.decode("utf-8", "replace").rstrip("\0 ")
        return [text] if raw.VR in values.UNSPLIT else text.split("\\")
    if value is None:
        return [""]
    many = isinstance(value, Iterable) and not isinstance(value, str) and not hasattr(value, "components")
    return [str(item) for item in value] if many else [str(value)]


def _text(tag: BaseTag, keyword: str, vr: str, texts: list[str]) -> DataElement | None:
    least, most = _multiplicity(tag)
    if len(texts) > most and vr in ("LO", "SH", "PN", "UC"):
        texts = ["/".join(texts)]  # "a\b" where one value is allowed: a backslash that was meant as a character
    cleaned = [values.clean(vr, text) for text in texts[:most]]
    if keyword == "PatientID":
        cleaned = [values.identifier(texts[0])]
    allowed = _ENUMERATED.get(keyword)
    if None in cleaned or (allowed and any(text not in allowed for text in cleaned if text)):
        return None
    kept = [text for text in cleaned if text is not None]
    if not any(kept):
        return DataElement(tag, vr, "")
    if len(kept) < least or (vr in ("DS", "IS") and "" in kept):
        return None
    return DataElement(tag, vr, kept if len(kept) > 1 else kept[0])


def _number(source: Dataset, tag: BaseTag) -> DataElement | None:
    try:
        element = source[tag]
    except Exception:  # noqa: BLE001 - pydicom raises several kinds for a length that does not fit its VR
        return None
    least, most = _multiplicity(tag)
    return element if element.VM == 0 or least <= element.VM <= most else None


def _multiplicity(tag: BaseTag) -> tuple[int, int]:
    """The fewest and the most values that the dictionary (PS3.6) allows."""
    least, _, most = datadict.dictionary_VM(tag).partition("-")
    if not most:
        return int(least), int(least)
    return int(least), int(most) if most.isdigit() else 1 << 16


def _mend_spacing(kept: Dataset) -> None:
    for keyword in _SPACINGS:
        if keyword in kept and not believable(decimals(kept[keyword].value)):
            del kept[keyword]
    if "PixelSpacing" not in kept:
        for keyword in ("PixelSpacingCalibrationType", "PixelSpacingCalibrationDescription"):
            kept.pop(keyword, None)
    ratio = kept.get("PixelAspectRatio")
    spaced = "PixelSpacing" in kept or "ImagerPixelSpacing" in kept
    if "PixelAspectRatio" in kept and (spaced or not ratio or ratio[0] == ratio[1] or min(ratio) <= 0):
        del kept["PixelAspectRatio"]  # type 1C: only where no spacing says it, and only when not 1:1

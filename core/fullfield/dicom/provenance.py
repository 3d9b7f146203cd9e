"""Where an enhanced image comes from and what was done to it (PS3.3 C.7.6.1, C.12.1 and C.12.4)."""

from __future__ import annotations

from datetime import datetime

from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from fullfield.dicom import classes, values
from fullfield.dicom.identity import PRODUCT, VERSION
from fullfield.image.export import NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES, OF_A_DAMAGED_FILE, OF_A_DAMAGED_FILE_ES
from fullfield.image.header import Header
from fullfield.image.image import Recipe

IMAGE_PROCESSING = ("110001", "Image Processing")
EDGE_ENHANCEMENT = ("113086", "Edge enhancement")
SOURCE_IMAGE = ("121322", "Source image for image processing operation")
FOR_PROCESSING_PREDECESSOR = ("121358", "For Processing predecessor")
ACQUISITION_EQUIPMENT = ("109101", "Acquisition Equipment")
PROCESSING_EQUIPMENT = ("109102", "Processing Equipment")

_EQUIPMENT = (
    "InstitutionName",
    "StationName",
    "InstitutionalDepartmentName",
    "ManufacturerModelName",
    "DeviceSerialNumber",
    "SoftwareVersions",
)


def add(
    derived: Dataset,
    source: Dataset,
    *,
    header: Header,
    recipe: Recipe,
    choice: classes.Choice,
    damaged: bool,
    now: datetime,
) -> None:
    """Say in `derived` how it came to be: description, codes, source image, equipment and the comment for readers.

    `damaged`: the source's decoder met faults in its pixels; comment and description say so first.
    """
    derived.DerivationDescription = _derivation(source, header=header, recipe=recipe, damaged=damaged)
    codes = [IMAGE_PROCESSING, EDGE_ENHANCEMENT] if recipe.edges else [IMAGE_PROCESSING]
    derived.DerivationCodeSequence = Sequence([_code(code) for code in codes])
    derived.pop("SourceImageSequence", None)
    if can_be_named(source):
        derived.SourceImageSequence = Sequence([_source_image(source)])
    derived.ContributingEquipmentSequence = Sequence(_equipment(source, recipe=recipe, now=now))
    derived.ImageComments = _comments(source, recipe=recipe, choice=choice, damaged=damaged)


def is_own(source: Dataset) -> bool:
    """Whether this program is named as equipment that processed `source`."""
    return any(
        item.get("Manufacturer") == PRODUCT
        and any(
            code.get("CodeValue") == PROCESSING_EQUIPMENT[0]
            for code in item.get("PurposeOfReferenceCodeSequence") or ()
        )
        for item in source.get("ContributingEquipmentSequence") or ()
    )


def can_be_named(source: Dataset) -> bool:
    """Whether Source Image Sequence can refer to `source`, its mended attributes."""
    return bool(source.get("SOPClassUID") and source.get("SOPInstanceUID"))


def _derivation(source: Dataset, *, header: Header, recipe: Recipe, damaged: bool) -> str:
    parts = [
        "from a damaged file" if damaged else "",
        f"Contrast enhancement by {PRODUCT} {VERSION}",
        f"{recipe.method} {recipe.name} {recipe.version} (SHA-256 {recipe.sha256 or 'none'})",
        recipe.lessened,
        recipe.parameters,
        f"source file SHA-256 {header.sha256}",
        f"earlier: {source.DerivationDescription}" if source.get("DerivationDescription") else "",
    ]
    return values.clean("ST", "; ".join(part for part in parts if part)) or PRODUCT


def _comments(source: Dataset, *, recipe: Recipe, choice: classes.Choice, damaged: bool) -> str:
    parts = [
        f"{OF_A_DAMAGED_FILE} {OF_A_DAMAGED_FILE_ES}" if damaged else "",
        f"Enhanced by {PRODUCT} {VERSION} ({recipe.method} {recipe.name}); not for primary diagnosis.",
        NOT_FOR_DIAGNOSIS,
        NOT_FOR_DIAGNOSIS_ES,
        choice.remark,
        f"Comment of the original: {source.ImageComments}" if source.get("ImageComments") else "",
    ]
    return values.clean("LT", " ".join(part for part in parts if part)) or NOT_FOR_DIAGNOSIS


def _source_image(source: Dataset) -> Dataset:
    item = Dataset()
    item.ReferencedSOPClassUID = source.SOPClassUID
    item.ReferencedSOPInstanceUID = source.SOPInstanceUID
    predecessor = str(source.SOPClassUID) in classes.FOR_PROCESSING
    item.PurposeOfReferenceCodeSequence = Sequence([_code(FOR_PROCESSING_PREDECESSOR if predecessor else SOURCE_IMAGE)])
    item.SpatialLocationsPreserved = "YES"
    return item


def _equipment(source: Dataset, *, recipe: Recipe, now: datetime) -> list[Dataset]:
    """The equipment that contributed before (or the one that acquired the source), then this program."""
    earlier = [item for item in source.get("ContributingEquipmentSequence", ()) if _is_whole(item)]
    if not earlier and source.get("SOPClassUID"):
        earlier = [_acquisition(source)]
    item = Dataset()
    item.PurposeOfReferenceCodeSequence = Sequence([_code(PROCESSING_EQUIPMENT)])
    item.Manufacturer = PRODUCT
    item.ManufacturerModelName = PRODUCT
    item.SoftwareVersions = VERSION
    item.ContributionDateTime = now.strftime("%Y%m%d%H%M%S.%f%z")
    item.ContributionDescription = values.clean("ST", f"Contrast enhancement, {recipe.method} {recipe.name}")
    return [*earlier, item]


def _acquisition(source: Dataset) -> Dataset:
    item = Dataset()
    item.PurposeOfReferenceCodeSequence = Sequence([_code(ACQUISITION_EQUIPMENT)])
    item.Manufacturer = source.get("Manufacturer") or "Unknown"  # type 1 here, type 2 in the source
    for keyword in _EQUIPMENT:
        if source.get(keyword):
            item[keyword] = source[keyword]
    return item


def _is_whole(item: Dataset) -> bool:
    return bool(item.get("Manufacturer")) and bool(item.get("PurposeOfReferenceCodeSequence"))


def _code(code: tuple[str, str]) -> Dataset:
    item = Dataset()
    item.CodeValue, item.CodeMeaning = code
    item.CodingSchemeDesignator = "DCM"
    return item

"""The data set of an enhanced image: everything but its pixels (PS3.3 2024, A.2, A.8, A.26-A.28).

Read `derive` for the order of things; what is kept of the source is in `repair`, which class it becomes in `classes`,
what says where it came from in `provenance`, and what describes the pixels in `pixel_module`.
"""

from __future__ import annotations

import copy
import re
from datetime import datetime, timedelta, timezone

from pydicom.config import IGNORE
from pydicom.dataelem import DataElement
from pydicom.dataset import Dataset

from fullfield.dicom import accepted, classes, identity, pixel_module, provenance, repair, values
from fullfield.dicom.classes import Choice
from fullfield.dicom.identity import PRODUCT, VERSION
from fullfield.image.cache import Decoded
from fullfield.image.header import Header
from fullfield.image.image import Enhanced, Recipe
from fullfield.image.values import Window

ENHANCED_SERIES = 9000
"""Added to the source's Series Number: derived series sort after acquired ones."""

_UNPAIRED = frozenset({"ABDOMEN", "CHEST", "COCCYX", "CSPINE", "HEAD", "HEART", "JAW", "LSPINE", "NECK", "PELVIS"}) | {
    "SKULL",
    "SPINE",
    "SSPINE",
    "STERNUM",
    "TSPINE",
}
"""Body parts that have no side: Laterality (0020,0060) is 2C, for paired ones only."""

_ANIMAL_TYPE_2 = (
    "PatientBreedDescription",
    "PatientBreedCodeSequence",
    "BreedRegistrationSequence",
    "PatientSexNeutered",
    "ResponsiblePerson",
    "ResponsibleOrganization",
)
"""Type 2C of the Patient and Patient Study modules (PS3.3 C.7.1.1, C.7.2.2) for what is not human."""


def derive(
    decoded: Decoded,
    enhanced: Enhanced,
    *,
    span: tuple[int, int],
    pixels_sha256: str,
    now: datetime,
    window: Window | None = None,
) -> Dataset:
    """The attributes of `enhanced`, made from `decoded`, in Unicode; Pixel Data is the caller's to add.

    `span`: smallest and largest value of the new pixels; `pixels_sha256`: their hash; `now`: local time with its zone.
    `window`: what the file opens with, instead of the window over all of its data, which then comes second.
    """
    source = repair.source_attributes(decoded)
    choice = classes.choose(source)
    now = now.astimezone(_zone(source) or now.tzinfo)
    derived = copy.deepcopy(source)  # a shallow copy shares its elements, and setting one would change the source's
    derived.SpecificCharacterSet = "ISO_IR 192"
    _patient(derived, decoded.header)
    _study_and_series(derived, decoded.header, enhanced.recipe, choice)
    _instance(derived, decoded.header, enhanced.recipe, pixels_sha256=pixels_sha256, window=window, now=now)
    _class_modules(derived, source, choice, now=now)
    provenance.add(
        derived,
        source,
        header=decoded.header,
        recipe=enhanced.recipe,
        choice=choice,
        damaged=bool(decoded.image.damage),
        now=now,
    )
    pixel_module.describe(
        derived,
        image=decoded.image,
        enhanced=enhanced,
        header=decoded.header,
        output=choice.output,
        span=span,
        window=window,
    )
    return derived


def _zone(source: Dataset) -> timezone | None:
    """The zone that the source's times are in; the new times must be in the same (C.12.1.1.8 of Timezone Offset)."""
    text = str(source.get("TimezoneOffsetFromUTC") or "")
    given = re.fullmatch(r"([+-]\d\d)([0-5]\d)", text, re.ASCII)
    minutes = int(given[1]) * 60 + int(given[1][0] + given[2]) if given else None
    if minutes is None or not -12 * 60 <= minutes <= 14 * 60:
        source.pop("TimezoneOffsetFromUTC", None)
        return None
    return timezone(timedelta(minutes=minutes))


def _patient(derived: Dataset, header: Header) -> None:
    if header.source_format != "dicom" and not derived.get("PatientID"):
        derived.PatientID = f"{PRODUCT.upper()}-{header.source_format.upper()}-{header.sha256[:12]}"
        derived.IssuerOfPatientID = f"{PRODUCT} import"
    if _is_animal(derived):
        _complete(derived, _ANIMAL_TYPE_2)


def _is_animal(derived: Dataset) -> bool:
    named = [str(item.get("CodeMeaning") or "") for item in derived.get("PatientSpeciesCodeSequence", ())]
    named.append(str(derived.get("PatientSpeciesDescription") or ""))
    return any(name and name.casefold() not in ("human", "homo sapiens") for name in named)


def _complete(derived: Dataset, type_2: tuple[str, ...]) -> None:
    """Add those attributes that must be there even where nothing is known."""
    for keyword in type_2:
        if keyword not in derived:
            setattr(derived, keyword, [] if keyword.endswith("Sequence") else "")


def _study_and_series(derived: Dataset, header: Header, recipe: Recipe, choice: Choice) -> None:
    series = str(derived.get("SeriesInstanceUID") or header.series_instance_uid or header.sha256)
    if not derived.get("StudyInstanceUID"):
        study = header.study_instance_uid or identity.derived_uid("study", header.sha256)
        derived["StudyInstanceUID"] = DataElement("StudyInstanceUID", "UI", study, validation_mode=IGNORE)
    derived.SeriesInstanceUID = identity.series_uid(source_series=series, sop_class=choice.output.uid, recipe=recipe)
    derived.SeriesNumber = ENHANCED_SERIES + abs(int(derived.get("SeriesNumber") or 0)) % 1000
    derived.SeriesDescription = _series_description(derived, recipe)
    for keyword in ("SeriesDate", "SeriesTime"):  # of the acquired series; images of the new one differ in theirs
        derived.pop(keyword, None)


def _series_description(derived: Dataset, recipe: Recipe) -> str:
    mark = values.plain(f"[{PRODUCT} {recipe.name}")[:39] + "]"
    subject = str(derived.get("SeriesDescription") or derived.get("BodyPartExamined") or "Radiograph")
    return f"{subject[: 63 - len(mark)].rstrip()} {mark}"


def _instance(
    derived: Dataset, header: Header, recipe: Recipe, *, pixels_sha256: str, window: Window | None, now: datetime
) -> None:
    derived.SOPInstanceUID = identity.instance_uid(
        source_sha256=header.sha256,
        source_instance=header.sop_instance_uid,
        pixels_sha256=pixels_sha256,
        recipe=recipe,
        window=window,
    )
    derived.InstanceCreatorUID = identity.IMPLEMENTATION_CLASS_UID
    derived.InstanceCreationDate = derived.ContentDate = now.strftime("%Y%m%d")
    derived.InstanceCreationTime = derived.ContentTime = now.strftime("%H%M%S.%f")
    if derived.get("InstanceNumber") in (None, ""):
        derived.InstanceNumber = 1


def _class_modules(derived: Dataset, source: Dataset, choice: Choice, *, now: datetime) -> None:
    output = choice.output
    derived.SOPClassUID = output.uid
    given = derived.get("Modality")
    if given not in (accepted.CAPTURED_MODALITIES if output is classes.SC else output.modalities):
        derived.Modality = output.modality or choice.modality
    derived.ImageType = _image_type(source, output)
    if output.for_presentation:
        derived.PresentationIntentType = "FOR PRESENTATION"
    else:
        derived.pop("PresentationIntentType", None)
    if output is classes.SC:
        _capture(derived, source, now=now)
    _complete(derived, output.type_2)
    if output is classes.MG:
        for view in derived.ViewCodeSequence:
            _complete(view, ("ViewModifierCodeSequence",))
    _laterality(derived)


def _image_type(source: Dataset, output: classes.OutputClass) -> list[str]:
    """Values 1 to 3 of C.7.6.1.1.2: derived, the examination as in the source, and for DX a third that is empty."""
    given = source.get("ImageType") or ()
    given = [given] if isinstance(given, str) else list(given)
    examination = given[1] if len(given) > 1 and given[1] in ("PRIMARY", "SECONDARY") else "PRIMARY"
    if output is classes.SC:
        examination = "SECONDARY"
    return ["DERIVED", examination, ""] if output.for_presentation else ["DERIVED", examination]


def _capture(derived: Dataset, source: Dataset, *, now: datetime) -> None:
    """SC Equipment (C.8.6.1): what was captured stays as it was; a class of its own that became SC says who did it."""
    if source.get("SOPClassUID") == classes.SC.uid and source.get("ConversionType"):
        return
    derived.ConversionType = "WSD"
    derived.SecondaryCaptureDeviceManufacturer = PRODUCT
    derived.SecondaryCaptureDeviceManufacturerModelName = PRODUCT
    derived.SecondaryCaptureDeviceSoftwareVersions = VERSION
    derived.DateOfSecondaryCapture = now.strftime("%Y%m%d")
    derived.TimeOfSecondaryCapture = now.strftime("%H%M%S.%f")


def _laterality(derived: Dataset) -> None:
    unpaired = str(derived.get("BodyPartExamined") or "").replace(" ", "") in _UNPAIRED
    if derived.get("Laterality"):
        return
    derived.pop("Laterality", None)
    if "ImageLaterality" not in derived and not unpaired:
        derived.Laterality = ""

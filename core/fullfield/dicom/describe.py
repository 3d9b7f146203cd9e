"""From a file's attributes to its typed `Header`, and to the list of what a log must never hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydicom.dataset import Dataset

from fullfield.dicom.numbers import decimal
from fullfield.dicom.orientation import directions
from fullfield.dicom.structure import Structure
from fullfield.image.header import Header, Patient

MAX_SECRETS = 200

_SECRET = frozenset(
    {
        "AccessionNumber",
        "AdmissionID",
        "CountryOfResidence",
        "DeviceSerialNumber",
        "FillerOrderNumberImagingServiceRequest",
        "InstitutionAddress",
        "InstitutionName",
        "InstitutionalDepartmentName",
        "IssuerOfPatientID",
        "MedicalRecordLocator",
        "OtherPatientIDs",
        "PatientAddress",
        "PatientComments",
        "PatientTelephoneNumbers",
        "PlacerOrderNumberImagingServiceRequest",
        "RequestedProcedureID",
        "ScheduledProcedureStepID",
        "StationName",
        "StudyID",
        "PatientID",
        "PatientBirthDate",
    }
)
"""Besides every name of a person (VR PN), at any depth."""

_LOSSY = "01"


def header(dataset: Dataset, structure: Structure, *, sha256: str) -> Header:
    """The header of a DICOM file. Texts are clean already: `attributes.py` made the data set."""
    return Header(
        source_format="dicom",
        sha256=sha256,
        rows=structure.rows,
        columns=structure.columns,
        bits_stored=structure.stored,
        photometric=structure.photometric,
        sop_class_uid=structure.sop_class,
        sop_instance_uid=_text(dataset, "SOPInstanceUID"),
        study_instance_uid=structure.parsed.text(0x0020000D),  # as it stands: `dataset` has none that breaks the rules
        series_instance_uid=structure.parsed.text(0x0020000E),
        transfer_syntax_uid=structure.parsed.syntax.uid,
        modality=_text(dataset, "Modality"),
        presentation_intent=_text(dataset, "PresentationIntentType"),
        body_part=_text(dataset, "BodyPartExamined") or _meaning(dataset, "AnatomicRegionSequence"),
        view_position=_text(dataset, "ViewPosition") or _meaning(dataset, "ViewCodeSequence"),
        laterality=_text(dataset, "ImageLaterality") or _text(dataset, "Laterality"),
        patient_orientation="\\".join(directions(dataset)),
        manufacturer=_text(dataset, "Manufacturer"),
        model_name=_text(dataset, "ManufacturerModelName"),
        exposure_index=decimal(dataset.get("ExposureIndex")),
        target_exposure_index=decimal(dataset.get("TargetExposureIndex")),
        deviation_index=decimal(dataset.get("DeviationIndex")),
        kvp=decimal(dataset.get("KVP")),
        exposure_mas=_exposure_mas(dataset),
        study_date=_text(dataset, "StudyDate"),
        acquired=_acquired(structure),
        institution=_text(dataset, "InstitutionName"),
        lossy=_lossy(dataset, structure),
        source_sop_instance_uids=tuple(
            uid for item in dataset.get("SourceImageSequence") or [] if (uid := _text(item, "ReferencedSOPInstanceUID"))
        ),
        patient=Patient(
            name=_text(dataset, "PatientName"),
            id=_text(dataset, "PatientID"),
            birth_date=_text(dataset, "PatientBirthDate"),
            sex=_text(dataset, "PatientSex"),
            species=_text(dataset, "PatientSpeciesDescription") or _meaning(dataset, "PatientSpeciesCodeSequence"),
        ),
        secrets=_secrets(dataset),
        warnings=tuple(structure.parsed.warnings),
    )


def _acquired(structure: Structure) -> str:
    """See `Header`: (0008,3010), or (0008,002A), or (0008,0022) and (0008,0032)."""
    event, *times = (structure.parsed.text(tag) for tag in (0x00083010, 0x0008002A, 0x00080022, 0x00080032))
    if event:
        return f"event {event}"
    when = times[0] or (times[1] + times[2] if times[1] and times[2] else "")
    digits = "".join(sign for sign in when.partition(".")[0] if sign.isdecimal())[:14]
    return f"time {digits}" if len(digits) == 14 else ""


def _exposure_mas(dataset: Dataset) -> float | None:
    """In mAs: (0018,1152), or (0018,1153) in µAs."""
    found = decimal(dataset.get("Exposure"))
    finer = decimal(dataset.get("ExposureInuAs"))
    return finer / 1000 if found is None and finer is not None else found


def _lossy(dataset: Dataset, structure: Structure) -> bool:
    """Once lossy, always lossy; a lossy transfer syntax counts unless the file says outright that nothing was lost."""
    said = _text(dataset, "LossyImageCompression")
    return said == _LOSSY or (structure.parsed.syntax.lossy and said != "00")


def _text(dataset: Dataset, keyword: str) -> str:
    value: Any = dataset.get(keyword)
    if value is None or isinstance(value, bytes):
        return ""
    return value if isinstance(value, str) else "\\".join(map(str, value)) if _is_many(value) else str(value)


def _is_many(value: Any) -> bool:
    return hasattr(value, "append")


def _meaning(dataset: Dataset, keyword: str) -> str:
    items = dataset.get(keyword) or []
    return _text(items[0], "CodeMeaning") if items else ""


def _secrets(dataset: Dataset) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for value in _secret_values(dataset):
        for part in value.split("\\"):
            if part.strip():
                found.setdefault(part.strip())
    return tuple(found)[:MAX_SECRETS]


def _secret_values(dataset: Dataset) -> Iterator[str]:
    for element in dataset:
        if element.VR == "SQ":
            for item in element.value:
                yield from _secret_values(item)
        elif element.VR == "PN" or element.keyword in _SECRET:
            yield _text(dataset, element.keyword)

"""The typed header of a radiograph: what the rest of the program may know of the file it came from."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, fields
from typing import TypedDict

from fullfield.checked import Fields


@dataclass(frozen=True, kw_only=True)
class Patient:
    """Values that identify a person. Shown in the overlay; never in `repr`, a log, an event or a file name."""

    name: str = field(default="", repr=False)
    id: str = field(default="", repr=False)
    birth_date: str = field(default="", repr=False)
    sex: str = field(default="", repr=False)
    species: str = ""

    def identifiers(self) -> tuple[str, ...]:
        """What a log must never hold."""
        return tuple(value for value in (self.name, self.id, self.birth_date) if value)


class Subject(TypedDict):
    """What an image is of: by this a preset is chosen (see `fullfield.image.presets`)."""

    body_part: str
    species: str
    modality: str


@dataclass(frozen=True, kw_only=True)
class Header:
    """One file's attributes, as text and numbers in DICOM's own words; empty or None where absent.

    `source_format`: dicom, png, tiff, jpeg or webp. `sha256`: of the source file's content. `secrets`: further values
    that a log must never hold (accession number, institution, physician…). `spacing_from`: the keyword that the image's
    spacing was read from; ImagerPixelSpacing is that of the detector. `detector_spacing_mm`: of rows and columns in the
    detector's plane, None where the file says none. `modality_slope` · pixel + `modality_intercept`:
    the modality value in `modality_unit` (Rescale Type), None where a table took its place or there is none; but of a
    DICOM file in MONOCHROME1, whose values were turned, always the way back: its slope is below 0, and no other's.
    `exposure_index`, `target_exposure_index`, `deviation_index`: (0018,1411) to (0018,1413), as IEC 62494-1 has them.
    `acquired`: which exposure it is of: "event" and its Irradiation Event UID, else "time" and the second of it.
    """

    source_format: str
    sha256: str
    rows: int
    columns: int
    bits_stored: int
    photometric: str
    sop_class_uid: str = ""
    sop_instance_uid: str = field(default="", repr=False)
    study_instance_uid: str = field(default="", repr=False)
    series_instance_uid: str = field(default="", repr=False)
    transfer_syntax_uid: str = ""
    modality: str = ""
    presentation_intent: str = ""
    body_part: str = ""
    view_position: str = ""
    laterality: str = ""
    patient_orientation: str = ""
    manufacturer: str = ""
    model_name: str = ""
    exposure_index: float | None = None
    target_exposure_index: float | None = None
    deviation_index: float | None = None
    kvp: float | None = None
    exposure_mas: float | None = None
    study_date: str = field(default="", repr=False)
    acquired: str = field(default="", repr=False)
    institution: str = field(default="", repr=False)
    spacing_from: str = ""
    detector_spacing_mm: tuple[float, float] | None = None
    modality_slope: float | None = None
    modality_intercept: float = 0.0
    modality_unit: str = ""
    lossy: bool = False
    source_sop_instance_uids: tuple[str, ...] = field(default=(), repr=False)
    patient: Patient = Patient()
    secrets: tuple[str, ...] = field(default=(), repr=False)
    warnings: tuple[str, ...] = ()

    @property
    def subject(self) -> Subject:
        """What the image is of."""
        return Subject(body_part=self.body_part, species=self.patient.species, modality=self.modality)

    @property
    def deviation(self) -> float | None:
        """The Deviation Index, 10·log10(EI / target) (IEC 62494-1): 0 on target, +1 for 26 % more, +3 for twice.

        As the file says it, else from the two others where both are above 0; else None.
        """
        if self.deviation_index is not None:
            return self.deviation_index
        found, wanted = self.exposure_index, self.target_exposure_index
        return 10 * math.log10(found / wanted) if found and wanted and min(found, wanted) > 0 else None


def to_json(header: Header) -> Fields:
    """Plain values for `header.json` of the private cache."""
    return asdict(header)


def from_json(values: Fields) -> Header:
    """The header of a `header.json` that this version or an older one wrote."""
    known, of_patient = ({item.name for item in fields(kind)} for kind in (Header, Patient))
    given: Fields = {
        key: tuple(item) if isinstance(item, list) else item for key, item in values.items() if key in known
    }
    patient = values.get("patient", {})
    given["patient"] = Patient(**{key: item for key, item in patient.items() if key in of_patient})
    return Header(**given)

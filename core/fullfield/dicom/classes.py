"""Which SOP class an enhanced image is written as, and what its IOD demands of the source (PS3.3 A.2, A.8, A.26-A.28).

CR stays CR. DX, MG and IO, For Processing or For Presentation, become their own For Presentation class. Secondary
Capture stays Secondary Capture; so does an import, and so does a DX, MG or IO image whose source lacks what its IOD
demands and only the acquisition could know: laterality, detector, positioning and burned-in text are never invented.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydicom.dataset import Dataset
from pydicom.uid import (
    ComputedRadiographyImageStorage,
    DigitalIntraOralXRayImageStorageForPresentation,
    DigitalIntraOralXRayImageStorageForProcessing,
    DigitalMammographyXRayImageStorageForPresentation,
    DigitalMammographyXRayImageStorageForProcessing,
    DigitalXRayImageStorageForPresentation,
    DigitalXRayImageStorageForProcessing,
    SecondaryCaptureImageStorage,
)

_DX_FACTS = ("ImageLaterality", "ImagerPixelSpacing", "PatientOrientation", "BurnedInAnnotation")
_COMMON_TYPE_2 = (
    "PatientName",
    "PatientID",
    "PatientBirthDate",
    "PatientSex",
    "StudyDate",
    "StudyTime",
    "StudyID",
    "AccessionNumber",
    "ReferringPhysicianName",
    "Manufacturer",
)
_DX_TYPE_2 = ("AnatomicRegionSequence", "AcquisitionContextSequence", "DetectorType", "PositionerType")


@dataclass(frozen=True, kw_only=True)
class OutputClass:
    """One SOP class that this program writes.

    `modality`: the value that the IOD fixes, "" where it fixes none; `modalities`: others that it allows. `facts`: type
    1 and 1C attributes that only the source can supply. `type_2`: attributes that must be there and may be empty.
    `for_presentation`: the class is one of the For Presentation family of DX (PS3.3 A.26), with its intent, modality
    LUT and relationship of pixel intensity.
    """

    uid: str
    name: str
    modality: str
    modalities: frozenset[str] = frozenset()
    facts: tuple[str, ...] = ()
    type_2: tuple[str, ...] = _COMMON_TYPE_2
    for_presentation: bool = False


CR = OutputClass(
    uid=ComputedRadiographyImageStorage,
    name="Computed Radiography",
    modality="CR",
    type_2=(*_COMMON_TYPE_2, "BodyPartExamined", "ViewPosition", "PatientOrientation"),
)
DX = OutputClass(
    uid=DigitalXRayImageStorageForPresentation,
    name="Digital X-Ray",
    modality="DX",
    modalities=frozenset({"PX", "IO", "MG"}),
    facts=_DX_FACTS,
    type_2=(*_COMMON_TYPE_2, *_DX_TYPE_2),
    for_presentation=True,
)
MG = OutputClass(
    uid=DigitalMammographyXRayImageStorageForPresentation,
    name="Digital Mammography",
    modality="MG",
    facts=(*_DX_FACTS, "OrganExposed", "PositionerType", "ViewCodeSequence", "AnatomicRegionSequence"),
    type_2=(*_COMMON_TYPE_2, "AcquisitionContextSequence", "DetectorType"),
    for_presentation=True,
)
IO = OutputClass(
    uid=DigitalIntraOralXRayImageStorageForPresentation,
    name="Digital Intra-Oral X-Ray",
    modality="IO",
    facts=(*_DX_FACTS, "PositionerType", "AnatomicRegionSequence"),
    type_2=(*_COMMON_TYPE_2, "AcquisitionContextSequence", "DetectorType"),
    for_presentation=True,
)
SC = OutputClass(
    uid=SecondaryCaptureImageStorage,
    name="Secondary Capture",
    modality="",
    type_2=(*_COMMON_TYPE_2, "PatientOrientation"),
)

_OUTPUT: dict[str, OutputClass] = {
    ComputedRadiographyImageStorage: CR,
    DigitalXRayImageStorageForPresentation: DX,
    DigitalXRayImageStorageForProcessing: DX,
    DigitalMammographyXRayImageStorageForPresentation: MG,
    DigitalMammographyXRayImageStorageForProcessing: MG,
    DigitalIntraOralXRayImageStorageForPresentation: IO,
    DigitalIntraOralXRayImageStorageForProcessing: IO,
}

FOR_PROCESSING = frozenset(
    {
        DigitalXRayImageStorageForProcessing,
        DigitalMammographyXRayImageStorageForProcessing,
        DigitalIntraOralXRayImageStorageForProcessing,
    }
)


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The class chosen, and `missing`: the facts for want of which it is Secondary Capture and not its own class.

    `modality`: of such a capture, where the source's is none of a radiograph (PS3.3 C.7.3.1.1.1).
    """

    output: OutputClass
    missing: tuple[str, ...] = ()
    modality: str = "RG"

    @property
    def remark(self) -> str:
        """One sentence for people, empty where there is nothing to say."""
        if not self.missing:
            return ""
        return f"Written as Secondary Capture: the original lacks {', '.join(self.missing)}, which is never invented."


def choose(source: Dataset) -> Choice:
    """The class for an image derived from `source`, its mended attributes (empty for an import)."""
    own = _OUTPUT.get(str(source.get("SOPClassUID", "")), SC)
    missing = tuple(keyword for keyword in own.facts if not source.get(keyword))
    return Choice(output=SC, missing=missing, modality=own.modality) if missing else Choice(output=own)

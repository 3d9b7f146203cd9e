"""The sample radiographs in `resources/phantoms`: phantoms as DICOM files of several classes, valid by dciodvfy.

Made by `python packaging/phantoms.py FOLDER`; the same version writes the same bytes. Some are JPEG 2000, for which
pydicom must have been loaded whole, with its encoders (`lean.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.sequence import Sequence
from pydicom.uid import (
    UID,
    ComputedRadiographyImageStorage,
    DigitalXRayImageStorageForPresentation,
    DigitalXRayImageStorageForProcessing,
    ExplicitVRLittleEndian,
    JPEG2000Lossless,
    RLELossless,
    SecondaryCaptureImageStorage,
)

from fullfield.dicom.identity import IMPLEMENTATION_CLASS_UID, IMPLEMENTATION_VERSION_NAME, PRODUCT, derived_uid
from fullfield.image import phantom
from fullfield.image.image import Image
from fullfield.image.phantom import PhantomKind

FOR_PROCESSING, UNCOMPRESSED = DigitalXRayImageStorageForProcessing, ExplicitVRLittleEndian

_DATE, _TIME = "20260101", "120000"
_VERSION = "1"  # of the pictures: a change of them is a change of their UIDs


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One file. `kind`: a phantom's name; `raw`: a raw exposure; `inverted`: stored as MONOCHROME1; `region`: a code of
    `scheme` and its meaning."""

    name: str
    kind: str
    sop_class: UID
    modality: str
    body_part: str
    syntax: UID = JPEG2000Lossless
    raw: bool = False
    inverted: bool = False
    bits: int = 12
    longer: int = 896
    seed: int = 7
    view: str = ""
    region: tuple[str, str] = ("", "")
    scheme: str = "SCT"
    more: Mapping[str, str | Sequence] = field(default_factory=dict)


_DOG: Mapping[str, str | Sequence] = {
    "PatientSpeciesDescription": "Canine",
    "PatientSexNeutered": "ALTERED",
    "PatientBreedDescription": "Phantom",
    "ResponsiblePerson": "PHANTOM^OWNER",
    "ResponsiblePersonRole": "OWNER",
    "ResponsibleOrganization": "",
    "PatientBreedCodeSequence": Sequence([]),
    "BreedRegistrationSequence": Sequence([]),
}

SAMPLES: tuple[Sample, ...] = (
    Sample(
        name="chest-cr",
        kind=PhantomKind.CHEST,
        sop_class=ComputedRadiographyImageStorage,
        modality="CR",
        body_part="CHEST",
        inverted=True,
        view="PA",
    ),
    Sample(
        name="chest-raw-dx",
        kind=PhantomKind.CHEST,
        sop_class=DigitalXRayImageStorageForProcessing,
        modality="DX",
        body_part="CHEST",
        raw=True,
        inverted=True,
        bits=14,
        longer=640,
        region=("51185008", "Chest"),
    ),
    Sample(
        name="hand-dx",
        kind=PhantomKind.HAND,
        sop_class=DigitalXRayImageStorageForPresentation,
        modality="DX",
        body_part="HAND",
        region=("85562004", "Hand"),
    ),
    Sample(
        name="dog-carpus-raw-dx",
        kind=PhantomKind.LIMB,
        sop_class=DigitalXRayImageStorageForProcessing,
        modality="DX",
        body_part="EXTREMITY",
        raw=True,
        inverted=True,
        bits=14,
        longer=768,
        region=("66019005", "Limb"),
        more=_DOG,
    ),
    Sample(
        name="skull-sc",
        kind=PhantomKind.SKULL,
        sop_class=SecondaryCaptureImageStorage,
        modality="DX",
        body_part="SKULL",
        syntax=RLELossless,
        bits=8,
        longer=640,
    ),
    Sample(
        name="wedge-cr",
        kind=PhantomKind.WEDGE,
        sop_class=ComputedRadiographyImageStorage,
        modality="CR",
        body_part="",
        syntax=RLELossless,
        bits=10,
        longer=512,
        more={"Laterality": ""},
    ),
)


def plain_chest(longer: int) -> Sample:
    """An uncompressed chest of `longer` pixels a side, for measurements of speed."""
    return Sample(
        name=f"chest-{longer}",
        kind=PhantomKind.CHEST,
        sop_class=ComputedRadiographyImageStorage,
        modality="CR",
        body_part="CHEST",
        syntax=ExplicitVRLittleEndian,
        longer=longer,
    )


def write_all(folder: Path) -> tuple[Path, ...]:
    """All samples as `<name>.dcm` in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    return tuple(write(sample, folder / f"{sample.name}.dcm") for sample in SAMPLES)


def write(sample: Sample, target: Path) -> Path:
    """One sample as a file."""
    expose = phantom.raw if sample.raw else phantom.processed
    options = {} if sample.raw else {"bits": sample.bits}
    image = expose(PhantomKind(sample.kind), longer=sample.longer, seed=sample.seed, **options)
    return write_image(sample, image, target)


def write_image(sample: Sample, image: Image, target: Path) -> Path:
    """An image that is here already as such a sample."""
    dataset = _attributes(sample, image)
    _pixels(dataset, sample, image)
    dataset.file_meta = FileMetaDataset()
    dataset.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    dataset.file_meta.MediaStorageSOPClassUID = dataset.SOPClassUID
    dataset.file_meta.MediaStorageSOPInstanceUID = dataset.SOPInstanceUID
    dataset.file_meta.ImplementationClassUID = UID(IMPLEMENTATION_CLASS_UID)
    dataset.file_meta.ImplementationVersionName = IMPLEMENTATION_VERSION_NAME
    if sample.syntax != ExplicitVRLittleEndian:
        dataset.compress(sample.syntax, generate_instance_uid=False)
    dataset.save_as(target, enforce_file_format=True)
    return target


def _attributes(sample: Sample, image: Image) -> Dataset:
    given = Dataset()
    given.SpecificCharacterSet = "ISO_IR 192"
    given.SOPClassUID = sample.sop_class
    given.SOPInstanceUID = derived_uid("phantom instance", sample.name, _VERSION)
    given.StudyInstanceUID = derived_uid("phantom study", sample.name, _VERSION)
    given.SeriesInstanceUID = derived_uid("phantom series", sample.name, _VERSION)
    given.Modality, given.Manufacturer = sample.modality, PRODUCT
    given.ManufacturerModelName, given.SoftwareVersions = "Phantom", _VERSION
    given.PatientName, given.PatientID = f"PHANTOM^{sample.kind.upper()}", f"PHANTOM-{sample.name}"
    given.PatientBirthDate, given.PatientSex = "", "O"
    given.StudyDate = given.SeriesDate = given.AcquisitionDate = given.ContentDate = _DATE
    given.StudyTime = given.SeriesTime = given.AcquisitionTime = given.ContentTime = _TIME
    given.StudyID, given.AccessionNumber, given.ReferringPhysicianName = "1", "", ""
    given.SeriesNumber, given.InstanceNumber = 1, 1
    given.SeriesDescription = f"Synthetic phantom: {sample.kind}"
    given.BodyPartExamined, given.PatientOrientation = sample.body_part, ["L", "F"]
    given.ImageComments = "Synthetic phantom, no patient."
    given.BurnedInAnnotation = "NO"
    spacing = [f"{value:.6g}" for value in image.spacing_mm or (0.1, 0.1)]
    if sample.sop_class == SecondaryCaptureImageStorage:
        given.ImageType, given.ConversionType = ["DERIVED", "SECONDARY"], "WSD"
        given.PixelSpacing = spacing
    else:
        given.ImageType, given.ImagerPixelSpacing, given.KVP = ["ORIGINAL", "PRIMARY"], spacing, "70"
    if sample.modality == "CR":
        given.PixelSpacing, given.ViewPosition = spacing, sample.view
    elif sample.sop_class != SecondaryCaptureImageStorage:
        _detector(given, sample)
    if sample.sop_class != SecondaryCaptureImageStorage and not sample.raw:
        given.WindowCenter, given.WindowWidth = _window(sample)
    for keyword, value in sample.more.items():
        setattr(given, keyword, value)
    return given


def _detector(given: Dataset, sample: Sample) -> None:
    """What the digital X-ray classes ask for beyond computed radiography (PS3.3 C.8.11)."""
    given.ImageType = ["ORIGINAL", "PRIMARY", ""]
    given.PresentationIntentType = "FOR PROCESSING" if sample.raw else "FOR PRESENTATION"
    given.PixelIntensityRelationship = "LIN" if sample.raw else "LOG"
    given.PixelIntensityRelationshipSign = 1 if sample.raw else -1
    given.RescaleIntercept, given.RescaleSlope, given.RescaleType = "0", "1", "US"
    given.LossyImageCompression, given.DetectorType, given.PositionerType = "00", "DIRECT", "NONE"
    given.ImageLaterality = "R" if sample.kind == PhantomKind.HAND else "U"
    given.AcquisitionContextSequence = Sequence([])
    region = Dataset()
    region.CodeValue, region.CodeMeaning = sample.region
    region.CodingSchemeDesignator = sample.scheme
    given.AnatomicRegionSequence = Sequence([region])
    if not sample.raw:
        given.PresentationLUTShape = "IDENTITY"
    elif sample.inverted:
        given.PresentationLUTShape = "INVERSE"


def _window(sample: Sample) -> tuple[str, str]:
    width = 1 << sample.bits
    return f"{width / 2:g}", f"{width:g}"


def _pixels(dataset: Dataset, sample: Sample, image: Image) -> None:
    stored = image.top - image.pixels if sample.inverted else image.pixels
    wide = image.bits > 8
    dataset.Rows, dataset.Columns = image.pixels.shape
    dataset.SamplesPerPixel, dataset.PixelRepresentation = 1, 0
    dataset.PhotometricInterpretation = "MONOCHROME1" if sample.inverted else "MONOCHROME2"
    dataset.BitsAllocated, dataset.BitsStored, dataset.HighBit = (16 if wide else 8), image.bits, image.bits - 1
    dataset.PixelData = stored.astype("<u2" if wide else "u1").tobytes()
    dataset["PixelData"].VR = "OW" if wide else "OB"

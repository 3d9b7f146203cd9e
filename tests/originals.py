"""Radiographs that the writing tests derive from, made by themselves: a source's attributes and a picture of a bone."""

from __future__ import annotations

import hashlib
import io
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pydicom
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.sequence import Sequence
from pydicom.uid import ExplicitVRLittleEndian

from fullfield.dicom import write
from fullfield.image import cache
from fullfield.image.cache import Decoded
from fullfield.image.delivery import FULL, Delivery
from fullfield.image.export import OutputFormat
from fullfield.image.header import Header
from fullfield.image.image import Enhanced, HighValues, Image, InputKind, Recipe

CLASS = {
    "CR": "1.2.840.10008.5.1.4.1.1.1",
    "DX": "1.2.840.10008.5.1.4.1.1.1.1",
    "DX raw": "1.2.840.10008.5.1.4.1.1.1.1.1",
    "MG": "1.2.840.10008.5.1.4.1.1.1.2",
    "MG raw": "1.2.840.10008.5.1.4.1.1.1.2.1",
    "IO": "1.2.840.10008.5.1.4.1.1.1.3",
    "IO raw": "1.2.840.10008.5.1.4.1.1.1.3.1",
    "SC": "1.2.840.10008.5.1.4.1.1.7",
}
RECIPE = Recipe(method="preset", name="extremity", version="3", sha256="ab" * 32, parameters="G=1.0 p=2", edges=True)


def code(value: str, scheme: str, meaning: str) -> Dataset:
    """One item of a code sequence."""
    item = Dataset()
    item.CodeValue, item.CodingSchemeDesignator, item.CodeMeaning = value, scheme, meaning
    return item


def attributes(kind: str = "CR", **changes: Any) -> Dataset:
    """The attributes of a sound radiograph of class `kind`, without pixels; a change to None takes one away."""
    given = Dataset()
    given.SpecificCharacterSet = "ISO_IR 192"
    given.SOPClassUID, given.SOPInstanceUID = CLASS[kind], "1.2.826.0.1.3680043.10.99.4"
    given.StudyInstanceUID, given.SeriesInstanceUID = "1.2.826.0.1.3680043.10.99.1", "1.2.826.0.1.3680043.10.99.2"
    given.ImageType = ["ORIGINAL", "PRIMARY"] if kind in ("CR", "SC") else ["ORIGINAL", "PRIMARY", ""]
    given.Modality = {"SC": "DX"}.get(kind, kind.split()[0])
    given.PatientName, given.PatientID, given.PatientBirthDate, given.PatientSex = "Muster^Eva", "4711", "19700101", "F"
    given.StudyDate = given.SeriesDate = given.AcquisitionDate = given.ContentDate = "20240229"
    given.StudyTime = given.SeriesTime = given.AcquisitionTime = given.ContentTime = "101112"
    given.StudyID, given.AccessionNumber, given.ReferringPhysicianName = "1", "A1", "Hausarzt^Max"
    given.SeriesNumber, given.InstanceNumber, given.SeriesDescription = 2, 3, "Wrist"
    given.Manufacturer, given.ManufacturerModelName, given.DeviceSerialNumber = "Detektor GmbH", "D1", "99"
    given.BodyPartExamined, given.ViewPosition, given.PatientOrientation = "WRIST", "AP", ["R", "F"]
    given.KVP, given.ExposureTime = "55.0", "10"
    given.PixelSpacing = ["0.1440", "0.144"]
    if kind == "SC":
        given.ConversionType = "WSD"
    if kind in ("CR", "SC"):
        given.Laterality = "L"
    else:
        _detector(given, kind)
    for keyword, value in changes.items():
        if value is None:
            given.pop(keyword, None)
        else:
            setattr(given, keyword, value)
    return given


def _detector(given: Dataset, kind: str) -> None:
    given.PresentationIntentType = "FOR PROCESSING" if kind.endswith("raw") else "FOR PRESENTATION"
    given.ImageLaterality, given.BurnedInAnnotation = "L", "NO"
    given.ImagerPixelSpacing, given.DetectorType = ["0.15", "0.15"], "DIRECT"
    given.PixelIntensityRelationship, given.PixelIntensityRelationshipSign = "LOG", -1
    given.AnatomicRegionSequence = Sequence([code("T-D8700", "SRT", "Wrist")])
    given.AcquisitionContextSequence = Sequence([])
    given.LossyImageCompression = "00"
    if kind.startswith(("MG", "IO")):
        given.PositionerType = "MAMMOGRAPHIC" if kind.startswith("MG") else "NONE"
    if kind.startswith("MG"):
        given.BodyPartExamined, given.OrganExposed = "BREAST", "BREAST"
        given.AnatomicRegionSequence = Sequence([code("T-04000", "SRT", "Breast")])
        view = code("R-10242", "SRT", "cranio-caudal")
        view.ViewModifierCodeSequence = Sequence([])
        given.ViewCodeSequence = Sequence([view])
    if kind.startswith("IO"):
        given.BodyPartExamined = "JAW"
        given.AnatomicRegionSequence = Sequence([code("T-D1217", "SRT", "Maxilla and mandible")])
        given.PrimaryAnatomicStructureSequence = Sequence([code("T-54000", "SRT", "Tooth, NOS")])


def bone(*, rows: int = 48, columns: int = 40, bits: int = 12) -> np.ndarray[Any, np.dtype[np.uint16]]:
    """A bright shaft on a dark ground, high = bright."""
    across = np.exp(-(((np.arange(columns) - columns / 2) / (columns / 6)) ** 2))
    along = np.linspace(0.6, 1.0, rows)
    return np.rint(along[:, None] * across[None, :] * ((1 << bits) - 1)).astype(np.uint16)


def decoded(
    folder: Path,
    given: Dataset | None,
    *,
    high: HighValues = HighValues.BRIGHT,
    kind: InputKind = InputKind.PROCESSED,
    bits: int = 12,
    content: bytes = b"one file",
    spacing_mm: tuple[float, float] | None = (0.144, 0.144),
    **header: Any,
) -> Decoded:
    """What the reader would leave in `folder` of a file with the attributes `given` (None: an import)."""
    folder.mkdir(parents=True, exist_ok=True)
    pixels = bone(bits=bits)
    image = Image(pixels=pixels, bits=bits, high=high, kind=kind, spacing_mm=spacing_mm)
    fields: dict[str, Any] = {
        "source_format": "png" if given is None else "dicom",
        "sha256": hashlib.sha256(content).hexdigest(),
        "rows": pixels.shape[0],
        "columns": pixels.shape[1],
        "bits_stored": bits,
        "photometric": "MONOCHROME1" if high is HighValues.DARK else "MONOCHROME2",
        "sop_instance_uid": "" if given is None else str(given.get("SOPInstanceUID", "")),
        "transfer_syntax_uid": str(ExplicitVRLittleEndian),
    }
    cache.save(folder, image, Header(**(fields | header)))
    if given is not None:
        (folder / "dataset.dcm").write_bytes(encoded(given))
    return cache.load(folder)


def encoded(given: Dataset) -> bytes:
    """`given` as the reader's child writes it: explicit VR little endian."""
    given.file_meta = FileMetaDataset()
    given.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    given.file_meta.MediaStorageSOPClassUID, given.file_meta.MediaStorageSOPInstanceUID = CLASS["CR"], "2.25.0"
    given.preamble = bytes(128)
    buffer = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is wrong in it is wrong on purpose
        pydicom.dcmwrite(buffer, given, enforce_file_format=True)
    return buffer.getvalue()


def enhanced(source: Decoded, *, bits: int | None = None, recipe: Recipe = RECIPE) -> Enhanced:
    """A brighter version of the image, of the same matrix and polarity."""
    bits = bits or max(8, source.image.bits)
    share = np.asarray(source.image.pixels, dtype=np.float64) / source.image.top
    pixels = np.rint(0.02 * ((1 << bits) - 1) + share**0.8 * 0.97 * ((1 << bits) - 1)).astype(np.uint16)
    return Enhanced(pixels=pixels, bits=bits, recipe=recipe)


def written(
    source: Decoded, target: Path, result: Enhanced | None = None, *, delivery: Delivery = FULL
) -> pydicom.FileDataset:
    """The file that is written of `result` (by default `enhanced`), as pydicom reads it."""
    write.write(source, result or enhanced(source), target, format=OutputFormat.DICOM, delivery=delivery)
    return pydicom.dcmread(target)

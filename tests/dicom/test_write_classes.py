"""Which SOP class an enhanced image becomes, and what dciodvfy says of each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydicom.sequence import Sequence

from fullfield.dicom import write as writing
from fullfield.dicom.read import read
from fullfield.image.cache import Decoded
from fullfield.image.image import HighValues, InputKind
from judges import dciodvfy_errors, is_accepted, rendered
from originals import CLASS, attributes, code, decoded, written

KINDS = ["CR", "DX", "DX raw", "MG", "MG raw", "IO", "IO raw", "SC"]
FACTS = [
    ("DX", "ImageLaterality"),
    ("DX raw", "ImagerPixelSpacing"),
    ("DX", "PatientOrientation"),
    ("DX", "BurnedInAnnotation"),
    ("MG", "PositionerType"),
    ("MG", "ViewCodeSequence"),
    ("MG", "OrganExposed"),
    ("IO", "AnatomicRegionSequence"),
]


def source(folder: Path, kind: str, **changes: Any) -> Decoded:
    raw = kind.endswith("raw")
    return decoded(
        folder / "cache",
        attributes(kind, **changes),
        kind=InputKind.RAW if raw else InputKind.PROCESSED,
        high=HighValues.DARK if raw else HighValues.BRIGHT,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_that_each_class_becomes_its_own_for_presentation_class(tmp_path: Path, target: Path, kind: str) -> None:
    own = kind.removesuffix(" raw")
    output = written(source(tmp_path, kind), target)
    assert output.SOPClassUID == output.file_meta.MediaStorageSOPClassUID == CLASS[own]
    presented = own in ("DX", "MG", "IO")
    assert output.get("PresentationIntentType") == ("FOR PRESENTATION" if presented else None)
    assert (
        list(output.ImageType)
        == {
            True: ["DERIVED", "PRIMARY", ""],
            False: ["DERIVED", "SECONDARY" if own == "SC" else "PRIMARY"],
        }[presented]
    )
    purpose = output.SourceImageSequence[0].PurposeOfReferenceCodeSequence[0].CodeValue
    assert purpose == ("121358" if kind.endswith("raw") else "121322")
    assert writing.remarks(source(tmp_path, kind)) == ()


@pytest.mark.parametrize("kind", KINDS)
def test_that_the_exposure_index_its_target_and_its_deviation_are_kept(tmp_path: Path, target: Path, kind: str) -> None:
    exposed = {"ExposureIndex": "412.5", "TargetExposureIndex": "250", "DeviationIndex": "2.2"}
    output = written(source(tmp_path, kind, **exposed), target)
    assert {keyword: str(output[keyword].value) for keyword in exposed} == exposed
    assert dciodvfy_errors(target) == set()


@pytest.mark.parametrize("kind", KINDS)
def test_that_dciodvfy_finds_no_error_in_a_class(tmp_path: Path, target: Path, kind: str) -> None:
    written(source(tmp_path, kind), target)
    assert dciodvfy_errors(target) == set()
    assert is_accepted(target)


@pytest.mark.parametrize(("kind", "fact"), FACTS)
def test_that_what_only_the_acquisition_knows_is_never_invented(
    tmp_path: Path, target: Path, kind: str, fact: str
) -> None:
    original = source(tmp_path, kind, **{fact: None})
    output = written(original, target)
    assert output.SOPClassUID == CLASS["SC"]
    assert output.ImageType == ["DERIVED", "SECONDARY"]
    assert not output.get(fact)
    assert not {"PresentationIntentType", "PixelIntensityRelationship", "RescaleType"} & set(output.dir())
    assert output.ConversionType == "WSD"
    (remark,) = writing.remarks(original)
    assert fact in remark
    assert remark in output.ImageComments
    assert dciodvfy_errors(target) == set()


def test_that_the_normal_case_of_a_missing_intent_becomes_for_presentation(tmp_path: Path, target: Path) -> None:
    output = written(source(tmp_path, "DX", PresentationIntentType=None), target)
    assert output.SOPClassUID == CLASS["DX"]
    assert output.PresentationIntentType == "FOR PRESENTATION"


@pytest.mark.parametrize(("given", "kept"), [("PX", "PX"), ("IO", "IO"), ("MG", "MG"), ("CR", "DX"), (None, "DX")])
def test_that_a_modality_that_the_class_allows_is_kept(
    given: str | None, kept: str, tmp_path: Path, target: Path
) -> None:
    assert written(source(tmp_path, "DX", Modality=given), target).Modality == kept
    assert dciodvfy_errors(target) == set()


def test_that_a_capture_of_a_radiograph_is_told_as_one_and_can_be_opened(tmp_path: Path, target: Path) -> None:
    output = written(source(tmp_path, "DX", Modality="RF", ImageLaterality=None), target)
    assert (output.SOPClassUID, output.Modality) == (CLASS["SC"], "DX")
    assert dciodvfy_errors(target) == set() and read(target).header.source_format == "dicom"


def test_that_what_the_pixels_are_is_said_where_dx_demands_it(tmp_path: Path, target: Path) -> None:
    changes = {
        "PixelIntensityRelationship": None,
        "PixelIntensityRelationshipSign": None,
        "LossyImageCompression": None,
    }
    output = written(source(tmp_path, "DX", **changes), target)
    assert (output.PixelIntensityRelationship, output.PixelIntensityRelationshipSign) == ("LOG", -1)
    assert (output.RescaleSlope, output.RescaleIntercept, output.RescaleType) == (1, 0, "US")
    assert output.LossyImageCompression == "00"
    assert dciodvfy_errors(target) == set()


def test_that_raw_pixels_come_out_logarithmic_with_their_sign_turned_once(tmp_path: Path, target: Path) -> None:
    changes = {"PixelIntensityRelationship": "LIN", "PixelIntensityRelationshipSign": 1}
    output = written(source(tmp_path, "DX raw", **changes), target)
    assert (output.PixelIntensityRelationship, output.PixelIntensityRelationshipSign) == ("LOG", -1)


def test_that_secondary_capture_keeps_how_and_by_what_it_was_captured(tmp_path: Path, target: Path) -> None:
    changes = {"ConversionType": "DF", "SecondaryCaptureDeviceManufacturer": "Scanner AG"}
    output = written(source(tmp_path, "SC", **changes), target)
    assert (output.ConversionType, output.SecondaryCaptureDeviceManufacturer) == ("DF", "Scanner AG")
    assert output.Modality == "DX"


def test_that_an_import_has_no_patient_and_an_id_that_says_where_it_came_from(tmp_path: Path, target: Path) -> None:
    original = decoded(tmp_path / "cache", None, spacing_mm=(0.2, 0.1), content=b"a scan")
    output = written(original, target)
    assert output.SOPClassUID == CLASS["SC"]
    for keyword in ("PatientName", "PatientBirthDate", "PatientSex", "StudyDate", "AccessionNumber", "StudyID"):
        assert output[keyword].value == ""
    assert output.PatientID == f"FULLFIELD-PNG-{original.header.sha256[:12]}"
    assert list(output.PixelSpacing) == [0.2, 0.1]
    assert "SourceImageSequence" not in output
    assert original.header.sha256 in output.DerivationDescription
    assert dciodvfy_errors(target) == set()
    assert is_accepted(target)


def test_that_a_jpeg_import_is_said_to_have_been_lossy(tmp_path: Path, target: Path) -> None:
    original = decoded(tmp_path / "cache", None, source_format="jpeg", lossy=True, transfer_syntax_uid="")
    output = written(original, target)
    assert (output.LossyImageCompression, output.LossyImageCompressionMethod) == ("01", "ISO_10918_1")
    assert dciodvfy_errors(target) == set()


def test_that_two_imports_are_two_patients_and_two_studies(tmp_path: Path) -> None:
    outputs = [
        written(decoded(tmp_path / name, None, content=name.encode()), tmp_path / f"{name}.dcm") for name in ("a", "b")
    ]
    assert len({output.PatientID for output in outputs}) == 2
    assert len({output.StudyInstanceUID for output in outputs}) == 2


def test_that_an_animal_gets_the_empty_attributes_that_an_animal_must_have(tmp_path: Path, target: Path) -> None:
    changes = {"PatientSpeciesDescription": "Canis familiaris", "PatientBreedCodeSequence": Sequence([])}
    output = written(source(tmp_path, "CR", **changes), target)
    assert output.ResponsiblePerson == output.PatientSexNeutered == ""
    assert dciodvfy_errors(target) == set()


def test_that_a_person_gets_no_attributes_of_an_animal(tmp_path: Path, target: Path) -> None:
    species = Sequence([code("337915000", "SCT", "Homo sapiens")])
    output = written(source(tmp_path, "CR", PatientSpeciesCodeSequence=species), target)
    assert "ResponsiblePerson" not in output


@pytest.mark.parametrize("part", ["CHEST", "HAND", ""])
def test_that_only_a_paired_part_has_an_empty_laterality(tmp_path: Path, target: Path, part: str) -> None:
    output = written(source(tmp_path, "CR", BodyPartExamined=part, Laterality=None), target)
    assert ("Laterality" in output) == (part != "CHEST")
    assert dciodvfy_errors(target) == set()


@pytest.mark.parametrize("kind", ["CR", "DX raw", "SC"])
def test_that_the_rendered_picture_is_bright_where_the_image_is(tmp_path: Path, target: Path, kind: str) -> None:
    original = source(tmp_path, kind)
    written(original, target)
    shown, image = rendered(target, tmp_path), np.asarray(original.image.pixels, np.float64)
    assert np.corrcoef(shown.ravel(), image.ravel())[0, 1] > 0.9

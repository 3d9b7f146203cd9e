"""The typed header, and what of it a log must never hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from fullfield.image import header as headers
from originals import code
from sources import LOSSY, bone, dataset, encoded, lut, read


def test_that_the_header_speaks_the_file_s_own_words(tmp_path: Path) -> None:
    header = read(encoded(dataset(kind="DX", ExposureIndex="412", Manufacturer="Detektor GmbH")), tmp_path).header
    assert (header.source_format, header.modality, header.body_part, header.view_position) == (
        "dicom",
        "DX",
        "WRIST",
        "AP",
    )
    assert (header.rows, header.columns, header.bits_stored, header.photometric) == (48, 40, 12, "MONOCHROME2")
    assert (header.laterality, header.patient_orientation, header.kvp, header.exposure_index) == (
        "L",
        "R\\F",
        55.0,
        412.0,
    )
    assert header.presentation_intent == "FOR PRESENTATION"
    assert header.transfer_syntax_uid == "1.2.840.10008.1.2.1" and not header.lossy


def test_that_the_patient_is_there_and_in_no_repr(tmp_path: Path) -> None:
    header = read(encoded(dataset(PatientSpeciesDescription="Canine")), tmp_path).header
    assert (header.patient.name, header.patient.id, header.patient.birth_date) == ("Muster^Eva", "4711", "19700101")
    assert header.patient.species == "Canine"
    for value in ("Muster", "4711", "19700101", "Hausarzt", "A1", "sex="):
        assert value not in repr(header)


@pytest.mark.parametrize(
    ("index", "target", "said", "deviation"),
    [("500", "250", None, 3.0103), ("500", "250", "-1.2", -1.2), ("412", None, None, None), ("0", "250", None, None)],
)
def test_that_a_deviation_index_is_the_files_own_or_follows_from_the_other_two(
    index: str, target: str | None, said: str | None, deviation: float | None, tmp_path: Path
) -> None:
    given = dataset(kind="DX", ExposureIndex=index, TargetExposureIndex=target, DeviationIndex=said)
    header = headers.from_json(headers.to_json(read(encoded(given), tmp_path).header))
    assert header.deviation == (None if deviation is None else pytest.approx(deviation, abs=1e-4))
    assert header.exposure_index == float(index)


def test_that_secrets_hold_every_name_and_number_at_any_depth(tmp_path: Path) -> None:
    item = Dataset()
    item.RequestingPhysician, item.RequestedProcedureID = "Chef^Arzt", "P-77"
    made = dataset(
        InstitutionName="Klinik am See",
        InstitutionAddress="Seeweg 1",
        OperatorsName="Roentgen^Rita",
        OtherPatientIDs=["X1", "X2"],
        RequestAttributesSequence=[item],
    )
    secrets = read(encoded(made), tmp_path).header.secrets
    wanted = {"Klinik am See", "Seeweg 1", "Roentgen^Rita", "X1", "X2", "Chef^Arzt", "P-77", "A1", "Hausarzt^Max"}
    assert wanted <= set(secrets)


def test_that_the_region_comes_from_its_code_where_the_word_is_missing(tmp_path: Path) -> None:
    made = dataset(BodyPartExamined=None, AnatomicRegionSequence=[code("T-D8700", "SRT", "Wrist")])
    assert read(encoded(made), tmp_path).header.body_part == "Wrist"


def test_that_sources_of_a_derived_image_are_listed(tmp_path: Path) -> None:
    item = Dataset()
    item.ReferencedSOPInstanceUID = "1.2.3"
    assert read(encoded(dataset(SourceImageSequence=[item])), tmp_path).header.source_sop_instance_uids == ("1.2.3",)


@pytest.mark.parametrize(("said", "lossy"), [("01", True), ("00", False), (None, False)])
def test_that_once_lossy_is_always_lossy(said: str | None, lossy: bool, tmp_path: Path) -> None:
    assert read(encoded(dataset(LossyImageCompression=said)), tmp_path).header.lossy is lossy


@pytest.mark.parametrize(("said", "lossy"), [("01", True), ("00", False), (None, True)])
def test_that_a_lossy_syntax_counts_unless_the_file_says_otherwise(
    said: str | None, lossy: bool, tmp_path: Path
) -> None:
    import openjpeg

    from originals import bone
    from sources import compressed

    packed = compressed(
        dataset(LossyImageCompression=said), openjpeg.encode(bone(), bits_stored=12), LOSSY["JPEG 2000 lossy"]
    )
    assert read(packed, tmp_path).header.lossy is lossy


def test_that_a_cached_header_of_an_older_version_is_read_without_what_is_no_longer_kept(tmp_path: Path) -> None:
    header = read(encoded(dataset()), tmp_path).header
    values = headers.to_json(header)
    older = {**values, "study_date": "20240229", "patient": {**values["patient"], "sex": "F"}}
    assert headers.from_json(older) == header


def test_that_the_corners_of_an_image_can_say_when_where_and_with_what_exposure(tmp_path: Path) -> None:
    given = dataset(StudyDate="20250102", InstitutionName="Clinic", PatientSex="F", Exposure=None, ExposureInuAs="2500")
    header = read(encoded(given), tmp_path).header
    assert (header.study_date, header.institution, header.patient.sex) == ("20250102", "Clinic", "F")
    assert header.exposure_mas == 2.5
    assert "Clinic" not in repr(header) and "20250102" not in repr(header)


@pytest.mark.parametrize(
    ("given", "acquired"),
    [
        ({"IrradiationEventUID": "1.2.9"}, "event 1.2.9"),
        ({"AcquisitionDateTime": "20260102030405.123456+0100"}, "time 20260102030405"),
        ({"AcquisitionDate": "20260102", "AcquisitionTime": "030405.12"}, "time 20260102030405"),
        ({"AcquisitionDate": "20260102", "AcquisitionTime": "0304"}, ""),
        ({"AcquisitionDate": None, "AcquisitionTime": "030405"}, ""),
    ],
)
def test_that_a_header_tells_of_which_exposure_the_image_is(
    given: dict[str, str | None], acquired: str, tmp_path: Path
) -> None:
    header = read(encoded(dataset(**given)), tmp_path).header
    assert header.acquired == acquired
    assert headers.from_json(headers.to_json(header)) == header
    assert "20260102" not in repr(header)


def test_that_a_rescale_leads_from_pixels_back_to_the_file_s_unit(tmp_path: Path) -> None:
    given = dataset(RescaleSlope="-2", RescaleIntercept="10", RescaleType="OD")
    decoded = read(encoded(given), tmp_path)
    header, top = decoded.header, 4095
    assert header.modality_unit == "OD" and header.modality_slope == 2  # a falling slope turns the polarity
    assert header.modality_intercept == 10 - 2 * top


@pytest.mark.parametrize("signed", [False, True])
def test_that_values_that_were_turned_lead_back_to_those_of_the_file(signed: bool, tmp_path: Path) -> None:
    stored = (bone().astype(np.int32) - 2048).astype(np.int16) if signed else bone()
    decoded = read(encoded(dataset(stored, signed=signed, photometric="MONOCHROME1")), tmp_path)
    slope, intercept = decoded.header.modality_slope, decoded.header.modality_intercept
    assert slope == -1 and np.array_equal(slope * decoded.image.pixels + intercept, stored)


def test_that_values_that_were_turned_after_a_table_lead_back_to_what_the_table_gave(tmp_path: Path) -> None:
    curve = np.rint(65535 * np.sqrt(np.arange(4096) / 4095)).astype(np.uint16)
    given = dataset(photometric="MONOCHROME1", ModalityLUTSequence=Sequence([lut(0, curve)]))
    decoded = read(encoded(given), tmp_path)
    slope, intercept = decoded.header.modality_slope, decoded.header.modality_intercept
    assert slope == -1 and np.array_equal(slope * decoded.image.pixels + intercept, curve[bone()])


def test_that_values_that_stand_as_in_the_file_have_no_other_unit(tmp_path: Path) -> None:
    assert read(encoded(dataset()), tmp_path).header.modality_slope is None

"""What a derived file keeps of its source, and what not."""

from __future__ import annotations

from pathlib import Path

import pydicom
import pytest
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from judges import dciodvfy_errors
from originals import CLASS, attributes, code, decoded, written


def test_that_what_is_bound_to_the_old_pixels_is_left_behind(tmp_path: Path, target: Path) -> None:
    given = attributes(WindowCenter="100", WindowWidth="5", VOILUTFunction="SIGMOID", PixelPaddingValue=0)
    given.add_new(0x60000010, "US", 4)
    given.add_new(0x60003000, "OW", b"\0\0")
    given.add_new(0x00091001, "LO", "private")
    given.add_new(0x00090010, "LO", "VENDOR")
    given.RescaleSlope, given.RescaleIntercept = "2", "-5"
    table = Dataset()
    table.LUTDescriptor, table.LUTData = [2, 0, 16], [0, 1]
    table["LUTDescriptor"].VR = table["LUTData"].VR = "US"
    given.VOILUTSequence = given.ModalityLUTSequence = Sequence([table])
    given.IconImageSequence = Sequence([attributes(Rows=1)])
    given.DigitalSignaturesSequence = Sequence([attributes()])
    output = written(decoded(tmp_path / "cache", given), target)
    gone = ("VOILUTSequence", "ModalityLUTSequence", "IconImageSequence", "DigitalSignaturesSequence", "RescaleSlope")
    assert not any(keyword in output for keyword in (*gone, "PixelPaddingValue", "VOILUTFunction"))
    assert not any(
        element.tag.is_private or element.tag.group >= 0x6000 for element in output if element.tag < 0x7FE00000
    )
    assert float(output.WindowWidth) > 5


def test_that_a_sequence_without_an_item_and_half_a_code_are_not_inherited(tmp_path: Path, target: Path) -> None:
    half = code("X", "99TEST", "")
    whole = code("W", "99TEST", "Wrist")
    whole.CodingSchemeVersion = ""
    given = attributes(ViewCodeSequence=Sequence([]), ProcedureCodeSequence=Sequence([half, whole]))
    output = written(decoded(tmp_path / "cache", given), target)
    assert "ViewCodeSequence" not in output
    (kept,) = output.ProcedureCodeSequence
    assert kept.CodeValue == "W"
    assert "CodingSchemeVersion" not in kept


def test_that_spacings_that_cannot_be_are_not_inherited(tmp_path: Path, target: Path) -> None:
    given = attributes(
        PixelSpacing=["0.000", "0.000"], PixelSpacingCalibrationType="GEOMETRY", ImagerPixelSpacing="0.1"
    )
    output = written(decoded(tmp_path / "cache", given), target)
    assert not {"PixelSpacing", "PixelSpacingCalibrationType", "ImagerPixelSpacing"} & set(output.dir())


def test_that_a_spacing_that_was_left_aside_is_not_inherited(tmp_path: Path, target: Path) -> None:
    given = attributes(PixelSpacing=["143", "143"], ImagerPixelSpacing=["0.143", "0.143"])
    output = written(decoded(tmp_path / "cache", given), target)
    assert "PixelSpacing" not in output and list(output.ImagerPixelSpacing) == [0.143, 0.143]


def test_that_dates_that_cannot_be_are_emptied_or_dropped(tmp_path: Path, target: Path) -> None:
    given = attributes()
    given.add(pydicom.DataElement("StudyDate", "DA", "00000000", validation_mode=0))
    given.add(pydicom.DataElement("AcquisitionDate", "DA", "2024-2-9", validation_mode=0))
    output = written(decoded(tmp_path / "cache", given), target)
    assert output.StudyDate == ""
    assert "AcquisitionDate" not in output


def test_that_deep_nesting_is_cut_and_does_not_stop_the_writing(tmp_path: Path, target: Path) -> None:
    deepest = attributes(Rows=None)
    for _ in range(50):
        outer = Dataset()
        outer.RequestAttributesSequence = Sequence([deepest])
        outer.RequestedProcedureID = "1"
        deepest = outer
    given = attributes(RequestAttributesSequence=Sequence([deepest]))
    assert written(decoded(tmp_path / "cache", given), target).SOPClassUID == CLASS["CR"]


def test_that_a_reference_to_nothing_is_not_inherited(tmp_path: Path, target: Path) -> None:
    whole, half, empty = Dataset(), Dataset(), Dataset()
    whole.ReferencedSOPClassUID = half.ReferencedSOPClassUID = CLASS["CR"]
    whole.ReferencedSOPInstanceUID = "1.2.3"
    empty.PatientID = "1"
    given = attributes(ReferencedImageSequence=Sequence([whole, half, empty]), ReferencedStudySequence=Sequence([half]))
    output = written(decoded(tmp_path / "cache", given), target)
    (kept,) = output.ReferencedImageSequence
    assert kept.ReferencedSOPInstanceUID == "1.2.3"
    assert "ReferencedStudySequence" not in output


def test_that_the_references_of_a_series_are_kept_whole_and_half_of_one_is_not(tmp_path: Path, target: Path) -> None:
    instance, series, half = Dataset(), Dataset(), Dataset()
    instance.ReferencedSOPClassUID, instance.ReferencedSOPInstanceUID = CLASS["CR"], "1.2.3"
    series.SeriesInstanceUID = half.SeriesInstanceUID = "1.2.4"
    series.ReferencedInstanceSequence = Sequence([instance])
    given = attributes(
        ReferencedSeriesSequence=Sequence([half, series]), ReferencedInstanceSequence=Sequence([instance])
    )
    output = written(decoded(tmp_path / "cache", given), target)
    (kept,) = output.ReferencedSeriesSequence
    assert kept.ReferencedInstanceSequence[0].ReferencedSOPInstanceUID == "1.2.3"
    assert "ReferencedInstanceSequence" not in output  # at the top it is without the purpose that it must have
    assert dciodvfy_errors(target) == set()


def test_that_what_a_coding_scheme_is_is_kept(tmp_path: Path, target: Path) -> None:
    scheme, nameless = Dataset(), Dataset()
    scheme.CodingSchemeDesignator, scheme.CodingSchemeUID = "99ACME", "1.2.3.4"
    scheme.CodingSchemeName = nameless.CodingSchemeName = "Acme codes"
    given = attributes(CodingSchemeIdentificationSequence=Sequence([scheme, nameless]))
    (kept,) = written(decoded(tmp_path / "cache", given), target).CodingSchemeIdentificationSequence
    assert (kept.CodingSchemeDesignator, kept.CodingSchemeName) == ("99ACME", "Acme codes")
    assert dciodvfy_errors(target) == set()


@pytest.mark.parametrize(("said", "kept"), [("MODIFIED", "MODIFIED"), ("PERHAPS", None)])
def test_that_dates_that_were_moved_are_still_said_to_be(
    said: str, kept: str | None, tmp_path: Path, target: Path
) -> None:
    given = attributes(LongitudinalTemporalInformationModified=said)
    output = written(decoded(tmp_path / "cache", given), target)
    assert output.get("LongitudinalTemporalInformationModified") == kept
    assert dciodvfy_errors(target) == set()


def test_that_an_empty_one_of_several_texts_is_inherited_and_of_several_numbers_none_is(
    tmp_path: Path, target: Path
) -> None:
    given = attributes(DetectorActiveOrigin=["3", "4"])
    for keyword, vr, values in (
        ("SoftwareVersions", "LO", ["1", "", "2"]),
        ("DetectorActiveDimensions", "DS", ["9", ""]),
    ):
        given.add(pydicom.DataElement(keyword, vr, values, validation_mode=0))
    output = written(decoded(tmp_path / "cache", given), target)
    assert list(output.SoftwareVersions) == ["1", "", "2"]
    assert list(output.DetectorActiveOrigin) == [3, 4]
    assert "DetectorActiveDimensions" not in output


@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("ClinicalTrialProtocolID", "P1"),  # group 0012
        ("ContrastBolusAgent", "Iodine"),  # 0018
        ("RequestedProcedureDescription", "Wrist in two planes"),  # 0032
        ("PatientState", "calm"),  # 0038
        ("PerformedProcedureStepDescription", "Wrist"),  # 0040
        ("DeviceDiameter", "2.5"),  # 0050
        ("PatientGantryRelationshipCodeSequence", Sequence([code("W", "99TEST", "Wrist")])),  # 0054
        ("QualityControlImage", "BOTH"),
        ("PartialView", "YES"),
        ("BurnedInAnnotation", "NO"),
        ("BreastImplantPresent", "YES"),
        ("RecognizableVisualFeatures", "NO"),
        ("PatientSex", "O"),
        ("LongitudinalTemporalInformationModified", "REMOVED"),
    ],
)
def test_that_what_the_standard_says_of_patient_study_and_acquisition_is_kept(
    keyword: str, value: object, tmp_path: Path, target: Path
) -> None:
    output = written(decoded(tmp_path / "cache", attributes(**{keyword: value})), target)
    assert output.get(keyword) == value


@pytest.mark.filterwarnings("ignore:Invalid value")
@pytest.mark.parametrize(
    ("keyword", "value"),
    [
        ("PatientSex", "X"),
        ("Laterality", "LEFT"),
        ("BurnedInAnnotation", "MAYBE"),
        ("QualityControlImage", "ODD"),
        ("RetrieveAETitle", "PACS"),
        ("InstanceAvailability", "ONLINE"),
        ("RescaleType", "HU"),
        ("PixelPaddingRangeLimit", 3),
    ],
)
def test_that_what_is_no_value_of_an_attribute_or_is_the_old_file_s_is_left_behind(
    keyword: str, value: object, tmp_path: Path, target: Path
) -> None:
    output = written(decoded(tmp_path / "cache", attributes(**{keyword: value})), target)
    assert not output.get(keyword)


@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ({"PixelSpacing": None, "PixelAspectRatio": ["2", "1"]}, True),
        ({"PixelSpacing": None, "PixelAspectRatio": ["1", "1"]}, False),
        ({"PixelSpacing": None, "PixelAspectRatio": ["0", "1"]}, False),
        ({"PixelAspectRatio": ["2", "1"]}, False),
        ({"PixelSpacing": None, "ImagerPixelSpacing": ["0.1", "0.1"], "PixelAspectRatio": ["2", "1"]}, False),
    ],
    ids=str,
)
def test_that_a_ratio_of_sides_is_kept_where_no_spacing_says_it(
    changes: dict[str, list[str] | None], kept: bool, tmp_path: Path, target: Path
) -> None:
    output = written(decoded(tmp_path / "cache", attributes(**changes), spacing_mm=None), target)
    assert ("PixelAspectRatio" in output) is kept


def test_that_a_spacing_keeps_how_it_was_calibrated_and_one_that_is_gone_does_not(tmp_path: Path, target: Path) -> None:
    how = {"PixelSpacingCalibrationType": "FIDUCIAL", "PixelSpacingCalibrationDescription": "a coin"}
    output = written(decoded(tmp_path / "a", attributes(**how)), target)
    assert (output.PixelSpacingCalibrationType, output.PixelSpacingCalibrationDescription) == ("FIDUCIAL", "a coin")
    gone = written(decoded(tmp_path / "b", attributes(PixelSpacing=None, **how)), target.with_name("b.dcm"))
    assert not set(how) & set(gone.dir())


@pytest.mark.parametrize(
    ("fields", "kept"),
    [
        ({"CodeValue": "W", "CodingSchemeDesignator": "X", "CodeMeaning": "Wrist"}, True),
        ({"CodeValue": "W", "CodingSchemeDesignator": "", "CodeMeaning": "Wrist"}, False),
        ({"CodeValue": "W", "CodingSchemeDesignator": "X", "CodeMeaning": ""}, False),
        ({"LongCodeValue": "W" * 20, "CodeMeaning": "Wrist"}, True),
        ({"CodeMeaning": "Wrist"}, False),
    ],
    ids=str,
)
def test_that_a_code_is_kept_whole_or_not_at_all(
    fields: dict[str, str], kept: bool, tmp_path: Path, target: Path
) -> None:
    item = Dataset()
    for keyword, value in fields.items():
        setattr(item, keyword, value)
    output = written(decoded(tmp_path / "cache", attributes(ProcedureCodeSequence=Sequence([item]))), target)
    assert ("ProcedureCodeSequence" in output) is kept

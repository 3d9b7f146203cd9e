"""An enhanced image as a DICOM file."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import numpy as np
import pydicom
import pytest
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from fullfield.dicom import write as writing
from fullfield.dicom.cache import Decoded
from fullfield.errors import CannotWrite, FullfieldError
from fullfield.image.export import NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES, OutputFormat
from fullfield.image.image import Enhanced, HighValues, InputKind, Recipe
from originals import CLASS, RECIPE, attributes, code, decoded, enhanced


def written(source: Decoded, target: Path, result: Enhanced | None = None) -> pydicom.FileDataset:
    writing.write(source, result or enhanced(source), target, format=OutputFormat.DICOM)
    return pydicom.dcmread(target)


@pytest.fixture
def radiograph(tmp_path: Path) -> Decoded:
    return decoded(tmp_path / "cache", attributes())


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "out" / "result.dcm"


def test_that_the_pixels_of_the_file_are_the_enhanced_pixels(radiograph: Decoded, target: Path) -> None:
    result = enhanced(radiograph)
    assert np.array_equal(written(radiograph, target, result).pixel_array, result.pixels)


def test_that_matrix_and_spacing_are_the_source_s_to_the_letter(radiograph: Decoded, target: Path) -> None:
    output = written(radiograph, target)
    assert (output.Rows, output.Columns) == radiograph.image.pixels.shape
    assert [value.original_string for value in output.PixelSpacing] == ["0.1440", "0.144"]


@pytest.mark.parametrize("bits", [8, 10, 12, 15, 16])
def test_that_the_bits_stored_are_the_enhanced_image_s(radiograph: Decoded, target: Path, bits: int) -> None:
    result = enhanced(radiograph, bits=bits)
    output = written(radiograph, target, result)
    assert (output.BitsStored, output.HighBit, output.PixelRepresentation) == (bits, bits - 1, 0)
    assert output.BitsAllocated == (8 if bits == 8 else 16)
    assert np.array_equal(output.pixel_array, result.pixels)


def test_that_an_image_of_an_odd_number_of_bytes_is_padded_to_an_even_one(tmp_path: Path, target: Path) -> None:
    source = decoded(tmp_path / "cache", attributes(), bits=8)
    odd = np.ascontiguousarray(source.image.pixels[:47, :39])
    small = Decoded(
        image=type(source.image)(pixels=odd, bits=8, high=HighValues.BRIGHT, kind=InputKind.PROCESSED),
        header=source.header,
        folder=source.folder,
    )
    output = written(small, target, Enhanced(pixels=odd, bits=8, recipe=RECIPE))
    assert len(output.PixelData) == 47 * 39 + 1
    assert np.array_equal(output.pixel_array, odd)


@pytest.mark.parametrize("high", list(HighValues))
def test_that_the_output_is_monochrome2_with_an_identity_lut_whatever_the_source_was(
    tmp_path: Path, target: Path, high: HighValues
) -> None:
    given = attributes(PhotometricInterpretation="MONOCHROME1", PresentationLUTShape="INVERSE")
    output = written(decoded(tmp_path / "cache", given, high=high), target)
    assert (output.PhotometricInterpretation, output.PresentationLUTShape) == ("MONOCHROME2", "IDENTITY")


@pytest.mark.parametrize(("high", "sign", "expected"), [("bright", -1, -1), ("dark", 1, -1), ("dark", -1, 1)])
def test_that_the_sign_of_the_intensity_is_turned_with_the_pixels(
    tmp_path: Path, target: Path, high: str, sign: int, expected: int
) -> None:
    given = attributes("DX", PixelIntensityRelationshipSign=sign)
    output = written(decoded(tmp_path / "cache", given, high=HighValues(high)), target)
    assert output.PixelIntensityRelationshipSign == expected


def test_that_window_and_extremes_are_those_of_the_new_pixels(radiograph: Decoded, target: Path) -> None:
    result = enhanced(radiograph)
    output = written(radiograph, target, result)
    low, high = int(result.pixels.min()), int(result.pixels.max())
    assert (output.SmallestImagePixelValue, output.LargestImagePixelValue) == (low, high)
    centre, width = float(output.WindowCenter), float(output.WindowWidth)
    assert (centre - 0.5 - (width - 1) / 2, centre - 0.5 + (width - 1) / 2) == (low, high)  # PS3.3 C.11.2.1.2.1


def test_that_a_constant_image_has_a_window_of_one_value(radiograph: Decoded, target: Path) -> None:
    flat = np.full(radiograph.image.pixels.shape, 7, np.uint16)
    assert written(radiograph, target, Enhanced(pixels=flat, bits=12, recipe=RECIPE)).WindowWidth == 1


def test_that_instance_and_series_are_new_and_study_and_patient_are_not(radiograph: Decoded, target: Path) -> None:
    source, output = attributes(), written(radiograph, target)
    for keyword in ("SOPInstanceUID", "SeriesInstanceUID", "SeriesNumber", "SeriesDescription"):
        assert output[keyword].value != source[keyword].value
    for keyword in ("StudyInstanceUID", "StudyDate", "PatientID", "PatientName", "Manufacturer", "KVP", "Laterality"):
        assert output[keyword].value == source[keyword].value
    assert output.SeriesDescription == "Wrist [Fullfield extremity]"
    assert output.file_meta.MediaStorageSOPInstanceUID == output.SOPInstanceUID


def test_that_two_files_of_one_sop_instance_uid_become_two_instances_of_one_series(tmp_path: Path) -> None:
    outputs = [
        written(decoded(tmp_path / name, attributes(), content=name.encode()), tmp_path / f"{name}.dcm")
        for name in ("first", "second")
    ]
    assert len({output.SOPInstanceUID for output in outputs}) == 2
    assert len({output.SeriesInstanceUID for output in outputs}) == 1


def test_that_the_derivation_names_product_recipe_hash_and_source(radiograph: Decoded, target: Path) -> None:
    output = written(radiograph, target)
    assert output.ImageType[0] == "DERIVED"
    for part in ("Fullfield", "preset extremity 3", "ab" * 32, "G=1.0 p=2", radiograph.header.sha256):
        assert part in output.DerivationDescription
    assert [item.CodeValue for item in output.DerivationCodeSequence] == ["110001", "113086"]


def test_that_edge_enhancement_is_coded_only_where_edges_were_enhanced(radiograph: Decoded, target: Path) -> None:
    recipe = Recipe(method="model", name="unet", version="1", sha256="cd" * 32)
    output = written(radiograph, target, enhanced(radiograph, recipe=recipe))
    assert [item.CodeValue for item in output.DerivationCodeSequence] == ["110001"]


def test_that_a_derivation_longer_than_its_attribute_is_cut(radiograph: Decoded, target: Path) -> None:
    recipe = Recipe(method="preset", name="p" * 200, version="1", sha256="cd" * 32, parameters="a=1 " * 500)
    output = written(radiograph, target, enhanced(radiograph, recipe=recipe))
    assert len(output.DerivationDescription) <= 1024
    assert len(output.SeriesDescription) <= 64
    assert output.SeriesDescription.endswith("]")


def test_that_the_source_image_and_both_pieces_of_equipment_are_named(radiograph: Decoded, target: Path) -> None:
    output = written(radiograph, target)
    (reference,) = output.SourceImageSequence
    assert reference.ReferencedSOPInstanceUID == attributes().SOPInstanceUID
    assert reference.PurposeOfReferenceCodeSequence[0].CodeValue == "121322"
    acquisition, processing = output.ContributingEquipmentSequence
    assert acquisition.PurposeOfReferenceCodeSequence[0].CodeValue == "109101"
    assert (acquisition.Manufacturer, acquisition.DeviceSerialNumber) == ("Detektor GmbH", "99")
    assert processing.PurposeOfReferenceCodeSequence[0].CodeValue == "109102"
    assert processing.Manufacturer == "Fullfield"


def test_that_enhancing_twice_keeps_the_equipment_that_contributed_before(tmp_path: Path, target: Path) -> None:
    once = written(decoded(tmp_path / "first", attributes()), target)
    del once.PixelData
    twice = written(decoded(tmp_path / "second", once), tmp_path / "twice.dcm")
    purposes = [item.PurposeOfReferenceCodeSequence[0].CodeValue for item in twice.ContributingEquipmentSequence]
    assert purposes == ["109101", "109102", "109102"]
    assert twice.SourceImageSequence[0].ReferencedSOPInstanceUID == once.SOPInstanceUID


def test_that_the_comment_says_in_two_languages_what_the_image_is_not_for(tmp_path: Path, target: Path) -> None:
    output = written(decoded(tmp_path / "cache", attributes(ImageComments="cast")), target)
    assert "not for primary diagnosis" in output.ImageComments
    assert NOT_FOR_DIAGNOSIS in output.ImageComments
    assert NOT_FOR_DIAGNOSIS_ES in output.ImageComments
    assert output.ImageComments.endswith("Comment of the original: cast")


LOSSY = [
    ({}, {"lossy": True, "transfer_syntax_uid": "1.2.840.10008.1.2.4.50"}, "01", "ISO_10918_1"),
    ({}, {"lossy": True, "transfer_syntax_uid": "1.2.840.10008.1.2.4.81"}, "01", "ISO_14495_1"),
    ({"LossyImageCompression": "01", "LossyImageCompressionMethod": "ISO_15444_1"}, {}, "01", "ISO_15444_1"),
    ({"LossyImageCompression": "00", "LossyImageCompressionRatio": "1"}, {}, "00", None),
    ({"LossyImageCompression": "00"}, {"lossy": True}, "01", None),
    ({}, {}, None, None),
]


@pytest.mark.parametrize(("given", "header", "lossy", "method"), LOSSY)
def test_that_what_was_once_lossy_stays_lossy(
    tmp_path: Path, target: Path, given: dict[str, Any], header: dict[str, Any], lossy: str | None, method: str | None
) -> None:
    output = written(decoded(tmp_path / "cache", attributes(**given), **header), target)
    assert output.get("LossyImageCompression") == lossy
    assert output.get("LossyImageCompressionMethod") == method
    assert "LossyImageCompressionRatio" not in output


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


def test_that_the_preamble_is_zeros_and_the_text_is_unicode(radiograph: Decoded, target: Path) -> None:
    output = written(radiograph, target)
    assert target.read_bytes()[:132] == bytes(128) + b"DICM"
    assert output.SpecificCharacterSet == "ISO_IR 192"
    assert output.file_meta.TransferSyntaxUID == "1.2.840.10008.1.2.1"


def test_that_new_times_are_in_the_zone_that_the_source_names(tmp_path: Path, target: Path) -> None:
    output = written(decoded(tmp_path / "cache", attributes(TimezoneOffsetFromUTC="+1300")), target)
    assert output.TimezoneOffsetFromUTC == "+1300"
    contributed = output.ContributingEquipmentSequence[-1].ContributionDateTime
    assert str(contributed).startswith(output.ContentDate + output.ContentTime[:4])
    assert str(contributed).endswith("+1300")


def test_that_no_zone_is_added_where_the_source_names_none(radiograph: Decoded, target: Path) -> None:
    assert "TimezoneOffsetFromUTC" not in written(radiograph, target)


def test_that_a_full_disk_is_told_in_words_and_leaves_nothing(
    radiograph: Decoded, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CannotWrite, match="No space left"):
        writing.write(radiograph, enhanced(radiograph), target, format=OutputFormat.DICOM)
    assert list(target.parent.iterdir()) == []


def test_that_a_failed_write_leaves_the_earlier_output_as_it_was(
    radiograph: Decoded, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writing.write(radiograph, enhanced(radiograph), target, format=OutputFormat.DICOM)
    before = target.read_bytes()

    def broken(self: Path, other: Path) -> Path:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(CannotWrite):
        writing.write(radiograph, enhanced(radiograph, bits=16), target, format=OutputFormat.DICOM)
    assert target.read_bytes() == before
    assert list(target.parent.iterdir()) == [target]


def test_that_a_result_of_another_matrix_is_not_written(radiograph: Decoded, target: Path) -> None:
    other = Enhanced(pixels=np.zeros((4, 4), np.uint16), bits=12, recipe=RECIPE)
    with pytest.raises(FullfieldError, match="matrix"):
        writing.write(radiograph, other, target, format=OutputFormat.DICOM)
    assert not target.exists()


def test_that_a_value_beyond_the_stored_bits_is_not_written(radiograph: Decoded, target: Path) -> None:
    beyond = Enhanced(pixels=np.full(radiograph.image.pixels.shape, 4096, np.uint16), bits=12, recipe=RECIPE)
    with pytest.raises(FullfieldError):
        writing.write(radiograph, beyond, target, format=OutputFormat.DICOM)


def test_that_the_temporary_file_may_lie_in_a_folder_of_the_caller_s(radiograph: Decoded, tmp_path: Path) -> None:
    parts, target = tmp_path / "parts", tmp_path / "out" / "a.dcm"
    writing.write(radiograph, enhanced(radiograph), target, format=OutputFormat.DICOM, parts=parts)
    assert [path.name for path in target.parent.iterdir()] == ["a.dcm"]
    assert list(parts.iterdir()) == []


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

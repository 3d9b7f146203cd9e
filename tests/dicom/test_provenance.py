"""What a derived file says of its origin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from fullfield.dicom import provenance
from fullfield.dicom.remarks import NO_INSTANCE
from fullfield.enhance.item import describe, source_warnings
from fullfield.image.cache import Decoded
from fullfield.image.export import NOT_FOR_DIAGNOSIS, NOT_FOR_DIAGNOSIS_ES, OF_A_DAMAGED_FILE, OF_A_DAMAGED_FILE_ES
from fullfield.image.image import Recipe
from originals import attributes, code, decoded, enhanced, written
from sources import dataset, encoded, read


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


def test_that_how_much_of_a_preset_was_done_is_said_where_it_was_not_all(radiograph: Decoded, target: Path) -> None:
    said = "40 % of it: the source was processed already"
    whole = Recipe(method="preset", name="chest", version="2", sha256="cd" * 32, parameters="a=1")
    lessened = replace(whole, left=0.4)
    assert describe(lessened) == f"preset chest 2, {said}" and describe(whole) == "preset chest 2"
    description = written(radiograph, target, enhanced(radiograph, recipe=lessened)).DerivationDescription
    assert f"preset chest 2 (SHA-256 {'cd' * 32}); {said}; a=1" in description
    again = written(radiograph, target.with_name("all.dcm"), enhanced(radiograph, recipe=whole))
    assert "processed already" not in again.DerivationDescription


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
    assert processing.ContributionDescription == "Contrast enhancement, preset extremity"


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


def test_that_a_file_made_from_a_damaged_one_says_so_first(radiograph: Decoded, target: Path) -> None:
    damaged = replace(radiograph, image=replace(radiograph.image, damage="This file is damaged."))
    output = written(damaged, target)
    assert output.ImageComments.startswith(OF_A_DAMAGED_FILE) and OF_A_DAMAGED_FILE_ES in output.ImageComments
    assert output.DerivationDescription.startswith("from a damaged file")
    assert "damaged" not in written(radiograph, target.with_name("whole.dcm")).ImageComments


def test_that_a_source_that_cannot_be_named_is_told_in_its_line(tmp_path: Path) -> None:
    nameless = read(encoded(dataset(SOPInstanceUID="999.999.2.0112")), tmp_path / "nameless")
    (warning,) = (item for item in source_warnings(0, nameless) if item.in_its_line)
    assert warning.text == NO_INSTANCE and "SourceImageSequence" not in written(nameless, tmp_path / "made.dcm")
    assert not any(item.in_its_line for item in source_warnings(0, read(encoded(dataset()), tmp_path / "named")))


def test_that_equipment_that_is_half_described_is_not_kept_and_the_source_s_own_is_named(
    tmp_path: Path, target: Path
) -> None:
    whole, nameless, aimless = Dataset(), Dataset(), Dataset()
    whole.Manufacturer = aimless.Manufacturer = "Earlier GmbH"
    whole.PurposeOfReferenceCodeSequence = Sequence([code("109101", "DCM", "Acquisition Equipment")])
    nameless.PurposeOfReferenceCodeSequence = Sequence([code("109101", "DCM", "Acquisition Equipment")])
    for number, (items, names) in enumerate(
        [
            ([whole, nameless, aimless], ["Earlier GmbH", "Fullfield"]),
            ([nameless, aimless], ["Detektor GmbH", "Fullfield"]),
        ]
    ):
        given = attributes(ContributingEquipmentSequence=Sequence(items))
        output = written(decoded(tmp_path / str(number), given), target.with_name(f"{number}.dcm"))
        assert [item.Manufacturer for item in output.ContributingEquipmentSequence] == names


def test_that_a_maker_that_is_not_known_is_said_to_be_and_an_import_has_none(tmp_path: Path, target: Path) -> None:
    unknown = written(decoded(tmp_path / "a", attributes(Manufacturer=None)), target)
    assert [item.Manufacturer for item in unknown.ContributingEquipmentSequence] == ["Unknown", "Fullfield"]
    imported = written(decoded(tmp_path / "b", None), target.with_name("b.dcm"))
    assert [item.Manufacturer for item in imported.ContributingEquipmentSequence] == ["Fullfield"]
    assert "SourceImageSequence" not in imported


def test_that_a_source_for_processing_is_named_as_the_predecessor(tmp_path: Path, target: Path) -> None:
    (reference,) = written(decoded(tmp_path / "a", attributes("DX raw")), target).SourceImageSequence
    assert reference.PurposeOfReferenceCodeSequence[0].CodeValue == "121358"
    assert reference.ReferencedSOPClassUID == attributes("DX raw").SOPClassUID
    assert reference.SpatialLocationsPreserved == "YES"
    assert reference.PurposeOfReferenceCodeSequence[0].CodingSchemeDesignator == "DCM"


def test_that_what_was_said_before_is_kept_behind_what_is_new(tmp_path: Path, target: Path) -> None:
    given = attributes(DerivationDescription="Cropped.", ImageComments="Left wrist.")
    output = written(decoded(tmp_path / "a", given), target)
    assert output.DerivationDescription.endswith("; earlier: Cropped.")
    assert output.ImageComments.endswith("Comment of the original: Left wrist.")


@pytest.mark.parametrize(
    ("maker", "purpose", "is_own"),
    [
        ("Fullfield", "109102", True),
        ("Fullfield", "109101", False),
        ("Detektor GmbH", "109102", False),
        ("Fullfield", None, False),
    ],
)
def test_that_a_result_of_ours_is_known_by_the_equipment_that_processed_it(
    maker: str, purpose: str | None, is_own: bool
) -> None:
    item = Dataset()
    item.Manufacturer = maker
    if purpose:
        item.PurposeOfReferenceCodeSequence = Sequence([code(purpose, "DCM", "x")])
    other = Dataset()
    other.Manufacturer = "Detektor GmbH"
    assert provenance.is_own(attributes(ContributingEquipmentSequence=Sequence([other, item]))) is is_own
    assert not provenance.is_own(attributes())


def test_that_a_source_s_own_sources_are_not_taken_for_this_one_s(tmp_path: Path, target: Path) -> None:
    item = Dataset()
    item.ReferencedSOPClassUID, item.ReferencedSOPInstanceUID = attributes().SOPClassUID, "1.2.3"
    nameless = attributes(SOPInstanceUID=None, SourceImageSequence=Sequence([item]))
    assert "SourceImageSequence" not in written(decoded(tmp_path / "a", nameless), target)

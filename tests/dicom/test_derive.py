"""Identity and times of a derived image."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydicom.dataelem import DataElement
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from fullfield.dicom.derive import ENHANCED_SERIES
from fullfield.image.cache import Decoded
from originals import attributes, code, decoded, written
from sources import dataset, encoded, read


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


def test_that_new_times_are_in_the_zone_that_the_source_names(tmp_path: Path, target: Path) -> None:
    output = written(decoded(tmp_path / "cache", attributes(TimezoneOffsetFromUTC="+1300")), target)
    assert output.TimezoneOffsetFromUTC == "+1300"
    contributed = output.ContributingEquipmentSequence[-1].ContributionDateTime
    assert str(contributed).startswith(output.ContentDate + output.ContentTime[:4])
    assert str(contributed).endswith("+1300")


@pytest.mark.parametrize("given", ["+9900", "+1401", "-1201", "+0060", "+23", "1200"])
def test_that_a_zone_that_is_nowhere_on_earth_is_left_aside(given: str, tmp_path: Path, target: Path) -> None:
    source = attributes()
    source["TimezoneOffsetFromUTC"] = DataElement("TimezoneOffsetFromUTC", "SH", given)
    assert "TimezoneOffsetFromUTC" not in written(decoded(tmp_path / "cache", source), target)


def test_that_no_zone_is_added_where_the_source_names_none(radiograph: Decoded, target: Path) -> None:
    assert "TimezoneOffsetFromUTC" not in written(radiograph, target)


@pytest.mark.parametrize(("number", "more"), [("7", 7), ("-3", 3), ("12345", 345), (None, 0)])
def test_that_the_number_of_the_new_series_tells_which_one_it_was_made_from(
    number: str | None, more: int, tmp_path: Path, target: Path
) -> None:
    source = attributes()
    source.SeriesNumber = number
    assert written(decoded(tmp_path / "cache", source), target).SeriesNumber == ENHANCED_SERIES + more


@pytest.mark.parametrize(("given", "kept"), [(0, 0), (7, 7), (None, 1), ("", 1)])
def test_that_an_instance_keeps_its_number_and_gets_1_where_it_has_none(
    given: int | str | None, kept: int, tmp_path: Path, target: Path
) -> None:
    assert written(decoded(tmp_path / "cache", attributes(InstanceNumber=given)), target).InstanceNumber == kept


def test_that_images_of_a_study_stay_in_it_where_its_uid_breaks_the_rules(tmp_path: Path) -> None:
    """PS3.5 section 9.1: no component of several digits begins with 0. Makers write it all the same."""
    study, series = "1.2.392.200036.9107.307.09.1", "1.2.392.200036.9107.307.09.2"
    sources = [
        read(encoded(dataset(StudyInstanceUID=study, SeriesInstanceUID=series, InstanceNumber=number)), tmp_path / name)
        for number, name in enumerate(("first", "second"))
    ]
    outputs = [written(source, tmp_path / f"{number}.dcm") for number, source in enumerate(sources)]
    assert [output.StudyInstanceUID for output in outputs] == [study, study]
    assert len({output.SeriesInstanceUID for output in outputs}) == 1
    assert "Its Study Instance UID has a part that begins with 0" in " ".join(sources[0].header.warnings)


def test_that_an_animal_is_told_where_the_code_of_its_species_has_no_meaning(tmp_path: Path, target: Path) -> None:
    species = Dataset()
    species.CodeValue = "448771007"
    dog = attributes(PatientSpeciesCodeSequence=Sequence([species]), PatientSpeciesDescription="Canine")
    output = written(decoded(tmp_path / "cache", dog), target)
    assert "PatientBreedDescription" in output and "PatientSpeciesCodeSequence" not in output


@pytest.mark.parametrize("given", ["+1400", "-1200", "+0059", "-0330"])
def test_that_a_zone_at_the_edge_of_the_earth_is_one(given: str, tmp_path: Path, target: Path) -> None:
    output = written(decoded(tmp_path / "cache", attributes(TimezoneOffsetFromUTC=given)), target)
    assert output.TimezoneOffsetFromUTC == given
    assert str(output.ContributingEquipmentSequence[-1].ContributionDateTime).endswith(given)


def test_that_what_is_new_says_when_and_by_whom_it_was_made(radiograph: Decoded, target: Path) -> None:
    output = written(radiograph, target)
    assert output.InstanceCreationDate == output.ContentDate != attributes().ContentDate
    assert output.InstanceCreationTime == output.ContentTime and len(output.ContentTime) == 13
    assert output.InstanceCreatorUID == output.file_meta.ImplementationClassUID
    assert "SeriesDate" not in output and "SeriesTime" not in output
    assert output.AcquisitionDate == attributes().AcquisitionDate


@pytest.mark.parametrize(
    ("given", "kind", "wanted"),
    [
        (["ORIGINAL", "PRIMARY"], "CR", ["DERIVED", "PRIMARY"]),
        (["ORIGINAL", "SECONDARY"], "CR", ["DERIVED", "SECONDARY"]),
        (["ORIGINAL", "ODD"], "CR", ["DERIVED", "PRIMARY"]),
        ("ORIGINAL", "CR", ["DERIVED", "PRIMARY"]),
        (None, "CR", ["DERIVED", "PRIMARY"]),
        (["ORIGINAL", "PRIMARY"], "SC", ["DERIVED", "SECONDARY"]),
        (["ORIGINAL", "PRIMARY", ""], "DX", ["DERIVED", "PRIMARY", ""]),
    ],
    ids=str,
)
def test_that_the_type_of_the_image_is_derived_and_its_examination_the_source_s(
    given: list[str] | str | None, kind: str, wanted: list[str], tmp_path: Path, target: Path
) -> None:
    assert list(written(decoded(tmp_path / "cache", attributes(kind, ImageType=given)), target).ImageType) == wanted


@pytest.mark.parametrize(
    ("changes", "subject"),
    [
        ({}, "Wrist"),
        ({"SeriesDescription": None}, "WRIST"),
        ({"SeriesDescription": None, "BodyPartExamined": None}, "Radiograph"),
        ({"SeriesDescription": "W" * 64}, "W" * 42),
    ],
    ids=str,
)
def test_that_a_series_is_described_by_the_source_s_subject_and_the_recipe(
    changes: dict[str, str | None], subject: str, tmp_path: Path, target: Path
) -> None:
    found = written(decoded(tmp_path / "cache", attributes(**changes)), target).SeriesDescription
    assert found == f"{subject} [Fullfield extremity]" and len(found) <= 64


@pytest.mark.parametrize(
    ("changes", "laterality"),
    [
        ({}, "L"),
        ({"Laterality": None}, ""),
        ({"Laterality": "", "BodyPartExamined": "C SPINE"}, None),
        ({"Laterality": None, "BodyPartExamined": "CHEST"}, None),
        ({"Laterality": None, "ImageLaterality": "R"}, None),
        ({"Laterality": "R", "BodyPartExamined": "CHEST"}, "R"),
    ],
    ids=str,
)
def test_that_a_side_is_kept_and_of_paired_parts_alone_an_unknown_one_is_said(
    changes: dict[str, str | None], laterality: str | None, tmp_path: Path, target: Path
) -> None:
    output = written(decoded(tmp_path / "cache", attributes(**changes)), target)
    assert output.get("Laterality") == laterality


@pytest.mark.parametrize(
    ("species", "is_animal"), [("Canine", True), ("human", False), ("Homo Sapiens", False), ("", False)]
)
def test_that_an_animal_is_told_from_a_person_by_its_species(
    species: str, is_animal: bool, tmp_path: Path, target: Path
) -> None:
    named = code("1", "SCT", species) if species else None
    by_code = attributes(PatientSpeciesCodeSequence=Sequence([named]) if named else None)
    by_word = attributes(PatientSpeciesDescription=species)
    for number, given in enumerate((by_code, by_word)):
        output = written(decoded(tmp_path / str(number), given), target.with_name(f"{number}.dcm"))
        assert ("PatientBreedDescription" in output) is is_animal


def test_that_a_study_and_a_series_without_a_uid_get_one_by_their_content(tmp_path: Path, target: Path) -> None:
    bare = attributes(StudyInstanceUID=None, SeriesInstanceUID=None)
    made = [
        written(decoded(tmp_path / name, bare, content=content), target.with_name(f"{name}.dcm"))
        for name, content in (("one", b"one"), ("same", b"one"), ("other", b"other"))
    ]
    assert len({output.StudyInstanceUID for output in made}) == len({output.SeriesInstanceUID for output in made}) == 2
    assert made[0].StudyInstanceUID == made[1].StudyInstanceUID != made[0].SeriesInstanceUID

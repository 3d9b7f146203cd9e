"""Patient Orientation as PS3.3 allows it; what makers write instead is no direction."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydicom.dataset import Dataset

from fullfield.dicom.orientation import directions
from originals import attributes, decoded, written
from sources import dataset, encoded, read


@pytest.mark.parametrize(
    ("given", "of_animals", "kept"),
    [
        (["L", "F"], False, True),
        (["AR", "FP"], False, True),
        (["LAH", "FPL"], False, True),
        (["NOT DEFINED", "NOT DEFINED"], False, False),
        (["L", ""], False, False),
        (["LAHF", "F"], False, False),
        ("L", False, False),
        (["LE", "D"], False, False),
        (["LE", "D"], True, True),
        (["CD", "V"], True, True),
        (["DIPA", "MCR"], True, True),
        (["H", "F"], True, False),
        ([], False, False),
    ],
)
def test_that_directions_are_those_of_the_standard_or_none(
    given: list[str] | str, of_animals: bool, kept: bool
) -> None:
    made = Dataset()
    made.PatientOrientation = given
    if of_animals:
        made.AnatomicalOrientationType = "QUADRUPED"
    assert directions(made) == (given if kept else [])


@pytest.mark.filterwarnings("ignore:Invalid value for VR CS")
def test_that_no_direction_is_written_where_the_source_says_none(tmp_path: Path, target: Path) -> None:
    given = attributes(PatientOrientation=["Not Defined", "Not Defined"])
    output = written(decoded(tmp_path / "cache", given), target)
    assert "PatientOrientation" in output and not output.PatientOrientation


def test_that_an_animal_s_directions_are_kept(tmp_path: Path, target: Path) -> None:
    given = attributes(PatientOrientation=["CR", "V"], AnatomicalOrientationType="QUADRUPED")
    assert written(decoded(tmp_path / "cache", given), target).PatientOrientation == ["CR", "V"]


def test_that_the_header_tells_no_direction_that_is_none(tmp_path: Path) -> None:
    unknown = encoded(dataset(PatientOrientation=["Not Defined", "Not Defined"]))
    assert read(unknown, tmp_path).header.patient_orientation == ""
    assert read(encoded(dataset(PatientOrientation=["L", "F"])), tmp_path).header.patient_orientation == "L\\F"

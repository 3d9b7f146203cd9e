"""Every input has an output name of its own, on every file system."""

from __future__ import annotations

import unicodedata
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fullfield.enhance import naming
from fullfield.enhance.naming import inside, outputs, written
from fullfield.enhance.results import numbered
from fullfield.inputs.files import InputFile


def named(*relatives: str) -> list[str]:
    return outputs([InputFile(source=text, relative=text) for text in relatives], ".dcm")


def test_that_the_output_mirrors_the_inputs_place() -> None:
    assert named("ward 3/IMG0.dcm", "RG1_JLSN", "a/1.2.840.10008.dcm") == [
        "ward 3/IMG0_enhanced.dcm",
        "RG1_JLSN_enhanced.dcm",
        "a/1.2.840.10008_enhanced.dcm",
    ]


def test_that_inputs_that_would_collide_are_counted_the_same_way_each_time() -> None:
    assert named("a.png", "a.dcm", "A.DCM") == ["a_enhanced-3.dcm", "a_enhanced-2.dcm", "A_enhanced.dcm"]
    assert named("A.DCM", "a.png", "a.dcm") == ["A_enhanced.dcm", "a_enhanced-3.dcm", "a_enhanced-2.dcm"]


def test_that_an_input_already_called_enhanced_keeps_its_own_name() -> None:
    assert len(set(named("a.dcm", "a_enhanced.dcm", "a_enhanced-2.dcm", "a.png"))) == 4


def test_that_no_result_is_called_as_an_input_that_lies_in_the_output_folder(tmp_path: Path) -> None:
    for name in ("scan.dcm", "scan_enhanced.dcm", "other.dcm"):
        (tmp_path / name).touch()
    (tmp_path / "other_enhanced.dcm").hardlink_to(tmp_path / "other.dcm")
    items = [
        InputFile(source=str(tmp_path / name), relative=name)
        for name in ("scan.dcm", "scan_enhanced.dcm", "other.dcm", "gone.dcm")
    ]
    assert outputs(items, ".dcm", out=tmp_path) == [
        "scan_enhanced-2.dcm",
        "scan_enhanced_enhanced.dcm",
        "other_enhanced-2.dcm",
        "gone_enhanced.dcm",
    ]


def test_that_of_many_inputs_of_one_name_each_asks_once_for_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(path: PurePosixPath, number: int) -> PurePosixPath:
        asked.append(number)
        return numbered(path, number)

    monkeypatch.setattr(naming, "numbered", counted)
    items = [InputFile(source=f"{number}/a.dcm", relative="a.dcm") for number in range(100)]
    assert len(set(outputs(items, ".dcm"))) == len(asked) == 100


def test_that_a_name_reserved_by_windows_is_changed() -> None:
    assert named("con.dcm") == ["_con_enhanced.dcm"]


@pytest.mark.parametrize("sign", [*'\\:*?"<>|', "\t", "\n", "\u200e"])
def test_that_a_sign_that_some_system_refuses_or_nobody_sees_is_changed(sign: str) -> None:
    assert named(f"in/a{sign}b.dcm") == ["in/a_b_enhanced.dcm"]


@pytest.mark.parametrize(
    ("asked", "number", "name"),
    [("w/a-1.dcm", 0, "w/a-1.dcm"), ("w/a.dcm", 3, "w/a-3.dcm"), ("a-2.dcm", 3, "a-3.dcm"), ("a-2.dcm", 1, "a.dcm")],
)
def test_that_a_result_is_told_by_the_number_that_it_has_got(asked: str, number: int, name: str) -> None:
    assert written(asked, number) == name


def test_that_a_relative_name_lies_below_its_folder(tmp_path: Path) -> None:
    assert inside(tmp_path, "ward 3/a.dcm") == tmp_path / "ward 3" / "a.dcm"


FILE_NAMES = st.text(min_size=1, max_size=300).filter(lambda t: not {"/", "\0"} & set(t) and t not in (".", ".."))


@given(st.lists(FILE_NAMES, unique=True))
def test_that_names_are_distinct_short_and_in_the_right_folder(names: list[str]) -> None:
    made = named(*(f"in/{name}" for name in names))
    assert len({unicodedata.normalize("NFC", name).casefold() for name in made}) == len(names)
    for name in made:
        assert PurePosixPath(name).parent == PurePosixPath("in")
        assert len(PurePosixPath(name).name.encode("utf-8", "surrogateescape")) < 230


def test_that_a_name_that_this_system_cannot_write_costs_no_other_its_own(tmp_path: Path) -> None:
    """As in a locale that is not UTF-8, of a list or an archive."""
    items = [InputFile(source=str(tmp_path / f"{name}.dcm"), relative="scan.dcm") for name in ("\ud800", "other")]
    assert outputs(items, ".dcm", out=tmp_path) == ["scan_enhanced.dcm", "scan_enhanced-2.dcm"]

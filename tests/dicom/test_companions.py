"""What lies beside images on a clinic's CD is told by its name and by what it holds, never by one of both."""

from __future__ import annotations

import pytest

from fullfield.dicom import companions

DICOM = bytes(128) + b"DICM" + b"\x02\x00\x00\x00UL\x04\x00\x00\x00\x00\x00"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(24)
TEXT = b"Start the viewer with AUTORUN.EXE.\r\n" * 8


@pytest.mark.parametrize("name", ["README.TXT", "viewer.exe", "index.html", "Autorun.inf", "lib.DLL"])
def test_that_a_companion_by_name_that_holds_no_image_is_one(name: str) -> None:
    assert companions.is_one(TEXT, name)


@pytest.mark.parametrize("head", [DICOM, PNG])
def test_that_an_image_under_a_companions_name_is_none(head: bytes) -> None:
    assert not companions.is_one(head, "README.TXT")


@pytest.mark.parametrize("name", ["IM000001", "chest.dcm", "hand.png"])
def test_that_what_is_named_as_an_image_is_none_whatever_it_holds(name: str) -> None:
    assert not companions.is_one(TEXT, name)


@pytest.mark.parametrize("suffix", [".bat", ".lnk", ".ocx", ".url", ".css", ".woff2", ".cfg", ".toml", ".csv", ".yml"])
def test_that_programs_pages_settings_and_papers_are_companions(suffix: str) -> None:
    assert companions.is_one(TEXT, f"viewer{suffix}")


@pytest.mark.parametrize(("name", "is_one"), [("LICENSE", True), ("readme", True), ("readme.1", False), ("x/y", False)])
def test_that_a_name_without_a_suffix_is_a_companions_where_it_is_known(name: str, is_one: bool) -> None:
    assert companions.is_one(TEXT, name) is is_one


def test_that_what_begins_like_a_data_set_is_no_companion() -> None:
    assert not companions.is_one(b"\x08\0\x05\0CS\x0a\0ISO_IR 100", "readme.txt")

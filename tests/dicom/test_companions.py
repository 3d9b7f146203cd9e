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

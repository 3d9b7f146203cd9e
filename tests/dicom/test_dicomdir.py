"""What an index of a medium lists, and what no index may make of that."""

from __future__ import annotations

import pytest

from fullfield.dicom import dicomdir
from fullfield.errors import InputRefused, InputUnreadable
from sources import dataset, encoded
from sources import dicomdir as index
from support import shared


def test_that_names_come_in_their_order_and_once() -> None:
    names = ("DICOM\\IM2", "IM1", "DICOM\\IM2", "Bild 1.dcm")
    assert dicomdir.listed(index(*names)) == [("DICOM", "IM2"), ("IM1",), ("Bild 1.dcm",)]


@pytest.mark.parametrize(
    "name",
    [
        "..\\A",
        "A\\..\\..\\B",
        "\\A",
        "A\\\\B",
        "/etc/passwd",
        "C:\\A",
        "A\\.",
        "A\\...",
        "A\x01",
        "A" * 256,
        "A\\" * 600,
    ],
)
def test_that_a_name_that_leads_elsewhere_makes_the_index_damaged(name: str) -> None:
    with pytest.raises(InputUnreadable, match="name leads out"):
        dicomdir.listed(index("IM1", name))


def test_that_an_endless_list_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dicomdir, "MAX_FILES", 3)
    assert len(dicomdir.listed(index(*(f"IM{number}" for number in range(3))))) == 3
    with pytest.raises(InputUnreadable, match="more than 3 files"):
        dicomdir.listed(index(*(f"IM{number}" for number in range(4))))


def test_that_a_large_file_is_refused_before_it_is_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dicomdir, "MAX_BYTES", 100)
    with pytest.raises(InputUnreadable, match="larger than"):
        dicomdir.listed(index("IM1"))


def test_that_an_index_of_nothing_and_a_radiograph_are_no_index() -> None:
    with pytest.raises(InputUnreadable, match="lists no file"):
        dicomdir.listed(index())
    with pytest.raises(InputRefused, match="no index"):
        dicomdir.listed(encoded(dataset()))


@pytest.mark.parametrize("name", ["0197125b_DICOMDIR-bigEnd", "6a857fcf_DICOMDIR-reordered"])
def test_that_odd_indices_of_real_media_are_read(name: str) -> None:
    found = dicomdir.listed((shared("hostile/pydicom") / name).read_bytes())
    assert len(found) == 31 and found[0] == ("77654033", "CR1", "6154")

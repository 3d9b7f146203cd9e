"""The files of a medium, as they lie on the disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from fullfield.dicom import medium
from fullfield.errors import InputUnreadable
from sources import dicomdir


def put(folder: Path, *names: str, index: bytes) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"x")
    (folder / "DICOMDIR").write_bytes(index)
    return folder / "DICOMDIR"


def test_that_names_are_spelled_as_the_disk_spells_them_and_missing_ones_as_listed(tmp_path: Path) -> None:
    index = put(tmp_path, "dicom/im000001", index=dicomdir("DICOM\\IM000001", "DICOM\\GONE", "NO\\GONE"))
    found = [path.relative_to(tmp_path).as_posix() for path in medium.files(index)]
    assert found == ["dicom/im000001", "dicom/GONE", "NO/GONE"]


def test_that_a_link_out_of_the_medium_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "IM1").write_bytes(b"x")
    index = put(tmp_path / "cd", "IM0", index=dicomdir("IM0", "LINK\\IM1"))
    (tmp_path / "cd" / "LINK").symlink_to(tmp_path / "secret")
    with pytest.raises(InputUnreadable, match="outside of its folder"):
        medium.files(index)


def test_that_an_index_without_its_medium_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputUnreadable, match="None of the files"):
        medium.files(put(tmp_path, index=dicomdir("DICOM\\IM000001")))


@pytest.mark.parametrize("content", [b"", b"x", dicomdir("IM1")[:-9]])
def test_that_a_damaged_index_is_told_with_what_is_done_instead(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(InputUnreadable, match="All files beside it are opened instead"):
        medium.files(put(tmp_path, "IM1", index=content))

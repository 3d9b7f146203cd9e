"""One member of a ZIP archive comes out within bounds, under a name that is not its own."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest

from fullfield.dicom.members import check_directory, extract
from fullfield.errors import InputUnreadable


def archive(tmp_path: Path, members: dict[str, bytes], *, compression: int = zipfile.ZIP_DEFLATED) -> Path:
    path = tmp_path / "some.zip"
    with zipfile.ZipFile(path, "w", compression) as opened:
        for name, content in members.items():
            opened.writestr(name, content)
    return path


def test_that_a_member_comes_out_whole(tmp_path: Path) -> None:
    found = extract(archive(tmp_path, {"a/b.dcm": b"content" * 1000, "c.dcm": b"other"}), "a/b.dcm")
    assert found.read_bytes() == b"content" * 1000 and found.suffix == ".dcm"


def test_that_a_second_look_finds_the_same_file(tmp_path: Path) -> None:
    path = archive(tmp_path, {"a.png": b"content"})
    first = extract(path, "a.png")
    assert extract(path, "a.png") == first and len(list(first.parent.iterdir())) == 1


@pytest.mark.parametrize("name", ["../../../evil.dcm", "/abs/evil.dcm", "C:\\evil.dcm", "Muster^Eva.d/c?m", "a.$(rm)"])
def test_that_a_member_s_own_name_names_nothing(name: str, tmp_path: Path) -> None:
    found = extract(archive(tmp_path, {name: b"content"}), name)
    assert found.parent.name == "members" and found.stem.isalnum() and "evil" not in found.name
    assert found.suffix in ("", ".dcm") and not (tmp_path.parent / "evil.dcm").exists()


def test_that_an_encrypted_member_is_refused_in_words(tmp_path: Path) -> None:
    path = archive(tmp_path, {"a.dcm": b"content"})
    content = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = content.index(signature) + offset
        content[at : at + 2] = struct.pack("<H", 1)
    path.write_bytes(bytes(content))
    with pytest.raises(InputUnreadable, match="encrypted"):
        extract(path, "a.dcm")


def test_that_a_member_larger_than_it_says_is_stopped(tmp_path: Path) -> None:
    path = archive(tmp_path, {"a.dcm": bytes(10 << 20)})
    content = path.read_bytes().replace(struct.pack("<I", 10 << 20), struct.pack("<I", 1000))
    path.write_bytes(content)
    with pytest.raises(InputUnreadable):
        extract(path, "a.dcm")
    assert not list((tmp_path / "cache").glob("*"))


def test_that_a_member_that_says_it_is_enormous_is_not_begun(tmp_path: Path) -> None:
    path = archive(tmp_path, {"a.dcm": bytes(1 << 20)})
    content = path.read_bytes().replace(struct.pack("<I", 1 << 20), struct.pack("<I", 0x7FFFFFFF))
    path.write_bytes(content)
    with pytest.raises(InputUnreadable, match="larger than any radiograph"):
        extract(path, "a.dcm")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_that_a_damaged_archive_is_refused_or_read(method: int, tmp_path: Path) -> None:
    path = archive(tmp_path, {"a.dcm": bytes(range(256)) * 64}, compression=method)
    content = path.read_bytes()
    for at in range(0, len(content), max(1, len(content) // 40)):
        path.write_bytes(content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :])
        try:
            assert extract(path, "a.dcm").read_bytes() == bytes(range(256)) * 64
        except InputUnreadable as refusal:
            assert refusal.detail


def test_that_a_folder_and_a_link_are_no_files(tmp_path: Path) -> None:
    path = tmp_path / "some.zip"
    with zipfile.ZipFile(path, "w") as opened:
        opened.writestr("folder/", b"")
        link = zipfile.ZipInfo("link.dcm")
        link.external_attr = 0o120777 << 16
        opened.writestr(link, b"/etc/passwd")
    for name in ("folder/", "link.dcm"):
        with pytest.raises(InputUnreadable, match="link"):
            extract(path, name)


def test_that_a_missing_member_and_a_missing_archive_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputUnreadable, match="not in the archive"):
        extract(archive(tmp_path, {"a.dcm": b"x"}), "b.dcm")
    with pytest.raises(InputUnreadable, match="The system says"):
        extract(tmp_path / "none.zip", "b.dcm")


def test_that_an_archive_whose_table_of_contents_lies_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.zip"
    path.write_bytes(b"PK\5\6" + bytes(8) + struct.pack("<IIH", 0x70000000, 0, 0))
    with pytest.raises(InputUnreadable, match="table of contents"):
        extract(path, "a.dcm")


def test_that_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "some.zip"
    for content in (b"", b"PK", bytes(100), io.BytesIO(b"hello").getvalue()):
        path.write_bytes(content)
        with pytest.raises(InputUnreadable):
            extract(path, "a.dcm")


def zip64_end(length: int, short: int) -> bytes:
    """A ZIP64 record that gives `length`, its locator, and an end record that gives `short`."""
    record = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, length, 0)
    return record + struct.pack("<4sIQI", b"PK\6\7", 0, 0, 1) + b"PK\5\6" + bytes(8) + struct.pack("<IIH", short, 0, 0)


@pytest.mark.parametrize("short", [0, 0xFFFFFFFF])
def test_that_a_zip64_table_of_contents_is_held_to_the_same_bound(tmp_path: Path, short: int) -> None:
    path = tmp_path / "some.zip"
    path.write_bytes(zip64_end(46, short))
    check_directory(path)
    path.write_bytes(zip64_end(0x70000000, short))
    with pytest.raises(InputUnreadable, match="table of contents"):
        check_directory(path)


def test_that_a_true_zip64_archive_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 0)
    path = archive(tmp_path, {"a.dcm": b"content"})
    assert b"PK\6\6" in path.read_bytes()
    assert extract(path, "a.dcm").read_bytes() == b"content"

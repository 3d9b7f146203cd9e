"""One member of a ZIP archive comes out within bounds, under a name that is not its own."""

from __future__ import annotations

import errno
import io
import os
import struct
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from fullfield import files
from fullfield.dicom import eviction, members
from fullfield.dicom.members import Archives, check_directory
from fullfield.errors import CannotWrite, InputUnreadable


def archive(tmp_path: Path, members: dict[str, bytes], *, compression: int = zipfile.ZIP_DEFLATED) -> Path:
    path = tmp_path / "some.zip"
    with zipfile.ZipFile(path, "w", compression) as opened:
        for name, content in members.items():
            opened.writestr(name, content)
    return path


def extract(path: Path, name: str) -> bytes:
    """The content of a member."""
    with Archives() as archives, archives.member(path, name) as found:
        return found.read_bytes()


def test_that_a_member_comes_out_whole_and_is_gone_after_its_use(tmp_path: Path) -> None:
    path = archive(tmp_path, {"a/b.dcm": b"content" * 1000, "c.dcm": b"other"})
    with Archives() as archives:
        with archives.member(path, "a/b.dcm") as found, archives.member(path, "a/b.dcm") as again:
            assert found.read_bytes() == again.read_bytes() == b"content" * 1000 and found.suffix == ".dcm"
        assert not list(found.parent.iterdir())


def test_that_members_of_one_name_fail_in_words(tmp_path: Path) -> None:
    path = archive(tmp_path, {"a.dcm": b"one", "b.dcm": b"other"})
    with zipfile.ZipFile(path, "a") as opened, pytest.warns(UserWarning, match="Duplicate name"):
        opened.writestr("a.dcm", b"two")
    assert extract(path, "b.dcm") == b"other"
    with pytest.raises(InputUnreadable, match="several files of this name"):
        extract(path, "a.dcm")


def test_that_an_archive_is_opened_once_for_all_of_its_members_and_anew_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []
    real = zipfile.ZipFile
    contents = {f"{number}.dcm": bytes([number]) for number in range(50)}
    path = archive(tmp_path, contents)
    monkeypatch.setattr(members.zipfile, "ZipFile", lambda given: opened.append(given) or real(given))
    with Archives() as archives:
        for name, content in contents.items():
            with archives.member(path, name) as found:
                assert found.read_bytes() == content
        assert opened == [path]
        with real(path, "a") as more:
            more.writestr("later.dcm", b"later")
        with archives.member(path, "later.dcm") as found:
            assert found.read_bytes() == b"later"
        assert opened == [path, path]


def test_that_few_archives_stay_open_and_none_that_is_idle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[zipfile.ZipFile] = []
    real = zipfile.ZipFile
    paths = []
    for number in range(members.MOST_OPEN + 2):
        (tmp_path / str(number)).mkdir()
        paths.append(archive(tmp_path / str(number), {"a.dcm": bytes([number])}))
    monkeypatch.setattr(members.zipfile, "ZipFile", lambda given: made.append(real(given)) or made[-1])
    with Archives() as archives:
        for number, path in enumerate(paths):
            with archives.member(path, "a.dcm") as found:
                assert found.read_bytes() == bytes([number])
        assert sum(one.fp is not None for one in made) == members.MOST_OPEN
        archives.close(idle=3600)
        assert sum(one.fp is not None for one in made) == members.MOST_OPEN
        archives.close()
        assert all(one.fp is None for one in made)


def test_that_threads_share_an_archive(tmp_path: Path) -> None:
    paths = []
    for number in range(members.MOST_OPEN + 1):  # more than stay open: one is closed while another is read
        (tmp_path / str(number)).mkdir()
        paths.append(archive(tmp_path / str(number), {f"{name}": bytes([name]) * 100_000 for name in range(20)}))

    def read(place: int) -> bool:
        with archives.member(paths[place % len(paths)], str(place % 20)) as found:
            return found.read_bytes() == bytes([place % 20]) * 100_000

    with Archives() as archives, ThreadPoolExecutor(8) as pool:
        assert all(pool.map(read, range(300)))


def test_that_what_a_killed_process_left_is_removed_after_a_while(tmp_path: Path) -> None:
    folder = files.private_folder(files.cache_folder() / "members")
    for name, age in (("old.dcm", eviction.PART_SECONDS + 10), ("young.dcm", 0)):
        (folder / name).write_bytes(b"x")
        os.utime(folder / name, (time.time() - age,) * 2)
    Archives().close()
    assert [path.name for path in folder.iterdir()] == ["young.dcm"]


@pytest.mark.parametrize("name", ["../../../evil.dcm", "/abs/evil.dcm", "C:\\evil.dcm", "Muster^Eva.d/c?m", "a.$(rm)"])
def test_that_a_member_s_own_name_names_nothing(name: str, tmp_path: Path) -> None:
    with Archives() as archives, archives.member(archive(tmp_path, {name: b"content"}), name) as found:
        assert found.read_bytes() == b"content"
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
    assert not list((files.cache_folder() / "members").iterdir())


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
            assert extract(path, "a.dcm") == bytes(range(256)) * 64
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
    assert extract(path, "a.dcm") == b"content"


def test_that_a_full_disk_of_the_cache_is_told_as_that_and_not_as_a_bad_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = archive(tmp_path, {"a.dcm": b"content"})
    real = Path.open

    class Full(io.BytesIO):
        def write(self, content: object, /) -> int:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(
        Path, "open", lambda self, mode="r", **rest: Full() if mode == "xb" else real(self, mode, **rest)
    )
    with pytest.raises(CannotWrite, match="FULLFIELD_CACHE") as refused:
        extract(path, "a.dcm")
    assert os.strerror(errno.ENOSPC) in refused.value.detail


def test_that_an_archive_that_cannot_be_read_on_is_no_fault_of_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = archive(tmp_path, {"a.dcm": b"content"})

    def fail(*given: object) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(zipfile.ZipExtFile, "read", fail)
    with pytest.raises(InputUnreadable, match=os.strerror(errno.EIO)):
        extract(path, "a.dcm")


def ends(*, near: int, far: int, short: int = 0xFFFFFFFF, locator: bytes = b"PK\6\7") -> bytes:
    """An archive's end with two ZIP64 records: one at the place that the locator names, and one just before it."""

    def record(length: int) -> bytes:
        return struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, length, 0)

    head, end = bytes(300), b"PK\5\6" + bytes(8) + struct.pack("<IIH", short, 0, 0)
    return head + record(far) + record(near) + locator + struct.pack("<IQI", 0, len(head), 1) + end


LARGE = 0x70000000


@pytest.mark.parametrize(
    ("given", "is_refused"),
    [
        ({"near": 46, "far": 46}, False),
        ({"near": LARGE, "far": 46}, True),
        ({"near": 46, "far": LARGE}, True),  # where other readers look
        ({"near": 46, "far": 46, "short": LARGE}, True),
        ({"near": LARGE, "far": LARGE, "short": 46, "locator": b"PK\6\x08"}, False),  # nobody believes them
    ],
    ids=str,
)
def test_that_every_record_that_a_reader_may_believe_is_held_to_the_bound(
    given: dict[str, int | bytes], is_refused: bool, tmp_path: Path
) -> None:
    path = tmp_path / "some.zip"
    path.write_bytes(ends(**given))  # type: ignore[arg-type]
    if is_refused:
        with pytest.raises(InputUnreadable, match="table of contents"):
            check_directory(path)
    else:
        check_directory(path)


@pytest.mark.parametrize(("length", "is_refused"), [(300, False), (301, True)])
def test_that_a_table_of_contents_is_no_larger_than_its_archive(length: int, is_refused: bool, tmp_path: Path) -> None:
    path = tmp_path / "some.zip"
    path.write_bytes(bytes(278) + b"PK\5\6" + bytes(8) + struct.pack("<IIH", length, 0, 0))
    if is_refused:
        with pytest.raises(InputUnreadable):
            check_directory(path)
    else:
        check_directory(path)


@pytest.mark.parametrize("comment", [0, 65535])
def test_that_the_end_of_an_archive_is_found_behind_the_longest_comment(comment: int, tmp_path: Path) -> None:
    path = tmp_path / "some.zip"
    with zipfile.ZipFile(path, "w") as opened:
        opened.writestr("a.dcm", b"content")
        opened.comment = b"c" * comment
    assert extract(path, "a.dcm") == b"content"


@pytest.mark.parametrize(
    ("size", "packed", "words"),
    [(1 << 30, 1 << 20, ""), ((1 << 30) + 1, 1 << 30, "larger"), (1100, 1, ""), (1101, 1, "larger"), (1100, 0, "")],
)
def test_that_a_member_says_no_more_of_its_size_than_a_packer_can_do(size: int, packed: int, words: str) -> None:
    info = zipfile.ZipInfo("a.dcm")
    info.file_size, info.compress_size = size, packed
    if words:
        with pytest.raises(InputUnreadable, match=words):
            members._check(info)
    else:
        members._check(info)


def test_that_the_head_of_a_member_is_told_where_that_is_cheap(tmp_path: Path) -> None:
    content = bytes(range(256)) * 4
    for method, told in ((zipfile.ZIP_STORED, True), (zipfile.ZIP_DEFLATED, True), (zipfile.ZIP_LZMA, False)):
        path = archive(tmp_path, {"a.dcm": content, "folder/": b""}, compression=method)
        with zipfile.ZipFile(path) as opened:
            head = members.head_of(opened, opened.getinfo("a.dcm"))
            assert head == (content[:512] if told else None)
            assert members.head_of(opened, opened.getinfo("folder/")) is None


@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("a.DCM", ".dcm"),
        ("w\\b.png", ".png"),
        ("b.12345678", ".12345678"),
        ("b.123456789", ""),
        ("b.p-g", ""),
        (".dcm", ""),
        ("x.dcm/y", ""),
    ],
)
def test_that_a_clean_suffix_of_a_member_is_kept(name: str, suffix: str) -> None:
    assert members._suffix(name) == suffix

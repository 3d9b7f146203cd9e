"""A file is there whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import numpy as np
import pytest

from fullfield import files
from fullfield.errors import CannotWrite, FullfieldError


def test_that_a_write_that_fails_half_way_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "x"
    files.write_text(target, "old")
    with pytest.raises(RuntimeError), files.atomic_write(target) as stream:
        stream.write(b"half")
        raise RuntimeError
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes with a path")
def test_that_no_file_takes_the_place_of_a_pipe_or_a_device(tmp_path: Path) -> None:
    """As root, for whom /dev is a folder like another one, `--csv /dev/null` took that from the whole computer."""
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for name in (pipe, link):
        with pytest.raises(CannotWrite, match="a device or a pipe"):
            files.write_text(name, "text")
    assert pipe.is_fifo() and link.is_symlink() and len(list(tmp_path.iterdir())) == 2


def test_that_a_folder_that_cannot_be_written_is_told_without_its_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(CannotWrite) as caught:
        files.write_text(tmp_path / "file" / "x", "text")
    assert str(tmp_path) not in str(caught.value)


def test_that_a_full_disk_is_said_in_the_systems_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CannotWrite, match="No space left on device"):
        files.write_text(tmp_path / "x", "text")
    assert list(tmp_path.iterdir()) == []


def test_that_a_folder_that_is_gone_is_told_from_a_full_disk(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as refused:
        files.append_line(tmp_path / "deleted" / "events.jsonl", "{}")
    reported = files.cannot_write(refused.value)
    assert reported.detail.startswith("The folder is gone")
    assert "space" not in reported.hint
    assert "space" in files.cannot_write(OSError(28, "No space left on device")).hint


def test_that_a_place_that_is_not_ours_to_write_to_is_told_from_a_full_disk() -> None:
    for number in (errno.EROFS, errno.EACCES, errno.EPERM):
        told = files.cannot_write(OSError(number, os.strerror(number)))
        assert "a folder that you may write to" in told.hint and "space" not in told.hint


@pytest.mark.parametrize("name", ["cache", "runs", "gradings"])
def test_that_a_folder_of_our_own_that_cannot_be_had_is_told_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv(f"FULLFIELD_{name.upper()}", str(tmp_path / "file" / name))
    with pytest.raises(OSError, match=os.strerror(errno.ENOTDIR)) as caught:
        getattr(files, f"{name}_folder")()
    told = files.cannot_write(caught.value)
    assert f"own folder of this user ({name})" in told.title and f"FULLFIELD_{name.upper()}" in told.hint
    assert str(tmp_path) not in str(told)


def test_that_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("x")
    files.write_text(tmp_path / "ours", "x")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP])
def test_that_a_file_system_without_permissions_and_durable_folders_takes_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """A memory stick that another user has mounted, and some network shares."""
    fsync = os.fsync

    def of_files(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(number, os.strerror(number))
        fsync(handle)

    def chmod(path: Path, mode: int) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "fsync", of_files)
    monkeypatch.setattr(Path, "chmod", chmod)
    files.write_text(tmp_path / "x", "text")
    assert (tmp_path / "x").read_text() == "text"
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_that_lines_are_appended_whole(tmp_path: Path) -> None:
    files.append_line(tmp_path / "x", "one")
    files.append_line(tmp_path / "x", "two", durable=True)
    assert (tmp_path / "x").read_bytes() == b"one\ntwo\n"


def test_that_a_line_cut_by_a_full_disk_is_ended_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, content: real(handle, content[:3] if len(content) > 3 else content))
    with pytest.raises(OSError, match="No space"):
        files.append_line(tmp_path / "x", "a long line")
    monkeypatch.undo()
    files.append_line(tmp_path / "x", "next")
    assert (tmp_path / "x").read_bytes() == b"a l\nnext\n"


def test_that_a_missing_resource_says_to_install_again() -> None:
    with pytest.raises(FullfieldError, match="Install Fullfield again"):
        files.resource("no/such/thing")


def test_that_bytes_are_hashed_on_their_way_whatever_their_form(tmp_path: Path) -> None:
    words = np.arange(files.PIECE_BYTES, dtype=np.uint16).reshape(512, -1)
    with files.atomic_write(tmp_path / "x") as stream:
        written = files.Digest(stream)
        for content in (b"head", words.data, b""):
            written.write(content)

    assert (tmp_path / "x").read_bytes() == b"head" + words.tobytes()
    assert written.hexdigest() == files.sha256(tmp_path / "x")


def test_that_a_library_that_wrote_less_and_does_not_say_why_has_met_a_full_disk() -> None:
    told = files.cannot_write(OSError("1024 requested and 12 written")).detail
    assert told == f"The system says: {os.strerror(errno.ENOSPC)}."
    assert "TimeoutError" in files.cannot_write(TimeoutError()).detail


def test_that_a_file_that_may_not_grow_larger_is_not_told_as_a_full_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write

    def limited(handle: int, content: bytes) -> int:
        if os.fstat(handle).st_size >= 3:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        return real(handle, content[:3])

    with monkeypatch.context() as patch, pytest.raises(OSError, match=os.strerror(errno.EFBIG)) as refused:
        patch.setattr(os, "write", limited)
        files.append_line(tmp_path / "x", "a long line")
    told = files.cannot_write(refused.value)
    assert "larger than a file of this user" in told.detail and "Free some space" not in told.hint


@pytest.mark.parametrize(
    ("number", "remedy"),
    [(errno.ENOSPC, "Free some space"), (errno.EACCES, "made writable"), (errno.EFBIG, "ulimit -f")],
)
def test_that_a_folder_of_our_own_without_room_is_told_otherwise_than_one_without_rights(
    number: int, remedy: str
) -> None:
    hint = files.cannot_write(files.OwnFolder("cache", OSError(number, os.strerror(number)))).hint
    assert remedy in hint and "FULLFIELD_CACHE" in hint

"""The decoder's process at work on one file, in this process: what becomes of the file meanwhile."""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fullfield import serving
from fullfield.checked import Fields
from fullfield.child_process import Child
from fullfield.dicom import child
from fullfield.dicom.read import Content, Decoder
from fullfield.errors import CannotWrite, InputUnreadable
from originals import bone
from sources import dataset, dicomdir, encoded


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "IM0001"
    path.write_bytes(encoded(dataset()))
    return path


def request_for(source: Path, folder: Path) -> Fields:
    content = Content.of(source)
    return {
        "source": str(source),
        "name": source.name,
        "folder": str(folder),
        "sha256": content.sha256,
        "stamp": list(content.stamp),
    }


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda path: os.utime(path, (1, 1)), "changed while it was being read"),
        pytest.param(
            os.unlink,
            "cannot be opened any more",
            marks=pytest.mark.skipif(os.name == "nt", reason="Windows deletes no file that is mapped"),
        ),
    ],
    ids=["changed", "deleted"],
)
def test_that_a_file_that_changes_while_it_is_decoded_is_not_kept(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None], sentence: str
) -> None:
    request = request_for(source, tmp_path / "decoded" / "a")
    monkeypatch.setattr("fullfield.dicom.radiograph.leave", lambda *_, **__: change(source))

    with pytest.raises(InputUnreadable, match=sentence):
        child.work(request)

    assert list((tmp_path / "decoded").iterdir()) == []


@pytest.mark.parametrize("error", [OSError(errno.ENODEV, "No such device"), ValueError("mmap length is greater")])
def test_that_a_file_that_cannot_be_mapped_is_read(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    folder = tmp_path / "decoded" / "a"
    with monkeypatch.context() as patch:  # the cache maps its own
        patch.setattr("mmap.mmap", refuse)
        child.work(request_for(source, folder))

    assert np.array_equal(np.load(folder / "pixels.npy"), bone())


@pytest.mark.parametrize(("given", "named"), [(True, "FULLFIELD_RUNS"), (False, "FULLFIELD_CACHE")])
def test_that_a_full_disk_is_told_with_what_names_the_folder_on_it(
    given: bool, named: str, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Child, "ask", lambda self, request: {"kind": "disk", "errno": errno.ENOSPC})
    with Decoder(tmp_path / "run" if given else None) as decoder, pytest.raises(CannotWrite, match=named):
        decoder.decode(source)


def _as_pydicom_does(cause: Exception) -> Exception:
    """A bare OSError in place of what went wrong."""
    try:
        try:
            raise cause
        except (OSError, struct.error) as error:
            raise OSError(str(error))  # noqa: B904 - as pydicom does it
    except OSError as error:
        return error


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (OSError(errno.ENOSPC, "full"), "disk"),
        (_as_pydicom_does(OSError(errno.ENOSPC, "full")), "disk"),
        (_as_pydicom_does(struct.error("ushort format requires 0 <= number")), "unforeseen"),
        (OSError("image file is truncated"), "unforeseen"),
    ],
)
def test_that_a_full_disk_is_told_where_the_system_says_so_alone(error: Exception, kind: str) -> None:
    def work(_: Fields) -> Fields:
        raise error

    assert serving.answer(work, {})["kind"] == kind


@pytest.mark.parametrize("which", [0, 1])
def test_that_a_file_of_another_size_or_time_is_not_read(which: int, source: Path, tmp_path: Path) -> None:
    request = request_for(source, tmp_path / "decoded" / "a")
    request["stamp"][which] += 1
    with pytest.raises(InputUnreadable, match="changed while it was being read"):
        child.work(request)
    with pytest.raises(InputUnreadable, match="changed while it was being read"):
        child.work({name: request[name] for name in ("source", "stamp")})
    assert not (tmp_path / "decoded").exists()


def test_that_what_is_no_file_any_more_has_changed(source: Path, tmp_path: Path) -> None:
    request = request_for(source, tmp_path / "a")
    status = tmp_path.stat()
    request["stamp"] = [status.st_size, status.st_mtime_ns]
    with pytest.raises(InputUnreadable, match="changed while it was being read"):
        child._check(status, request)


def test_that_an_index_is_listed_where_no_folder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "DICOMDIR"
    path.write_bytes(dicomdir("DICOM\\IM1", "IM2"))
    stamp = list(Content.of(path).stamp)
    assert child.work({"source": str(path), "stamp": stamp}) == {"files": [("DICOM", "IM1"), ("IM2",)]}


def test_that_another_decoder_that_was_faster_is_let_be(source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "decoded" / "a"
    folder.mkdir(parents=True)
    (folder / "pixels.npy").write_bytes(b"of another")
    assert child.work(request_for(source, folder)) == {}
    assert (folder / "pixels.npy").read_bytes() == b"of another" and len(list(folder.parent.iterdir())) == 1


def test_that_a_result_that_cannot_be_put_is_an_error_and_leaves_nothing(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(part: Path, target: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("fullfield.system.rename", fail)
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        child.work(request_for(source, tmp_path / "decoded" / "a"))
    assert list((tmp_path / "decoded").iterdir()) == []

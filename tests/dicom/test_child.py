"""The decoder's process at work on one file, in this process: what becomes of the file meanwhile."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from fullfield.checked import Fields
from fullfield.child_process import Child
from fullfield.dicom import child
from fullfield.dicom.read import Content, Decoder
from fullfield.errors import CannotWrite, InputUnreadable
from originals import bone
from sources import dataset, encoded


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

"""A file of an array that has no room: the system's reason is told, which NumPy does not say."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from fullfield import array_file
from fullfield.image.image import Pixels
from support import small_files

PIXELS: Pixels = np.zeros((64, 256), np.uint16)


def test_that_an_array_is_read_as_it_was_saved(tmp_path: Path) -> None:
    array_file.save(tmp_path / "x.npy", PIXELS + np.uint16(7))
    assert np.array_equal(np.load(tmp_path / "x.npy"), PIXELS + np.uint16(7))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limit")
def test_that_a_limit_on_the_size_of_files_is_not_told_as_a_full_disk(tmp_path: Path) -> None:
    with small_files(1024), pytest.raises(OSError) as refused:
        array_file.save(tmp_path / "x.npy", PIXELS)
    assert refused.value.errno == errno.EFBIG


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_that_a_full_disk_is_told_as_one() -> None:
    with pytest.raises(OSError) as refused:
        array_file.save(Path("/dev/full"), PIXELS)
    assert refused.value.errno == errno.ENOSPC

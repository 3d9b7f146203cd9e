"""A file of an array that has no room, whose reason the system tells and NumPy does not; or that is read by several
threads, or damaged."""

from __future__ import annotations

import errno
import gc
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from fullfield import array_file
from fullfield.image.image import Pixels
from support import small_files

PIXELS: Pixels = np.zeros((64, 256), np.uint16)


def test_that_an_array_is_read_as_it_was_saved(tmp_path: Path) -> None:
    array_file.save(tmp_path / "x.npy", PIXELS + np.uint16(7))
    assert np.array_equal(array_file.load(tmp_path / "x.npy"), PIXELS + np.uint16(7))


def test_that_a_mapped_array_leaves_the_file_as_it_is(tmp_path: Path) -> None:
    array_file.save(tmp_path / "x.npy", PIXELS)
    array_file.load(tmp_path / "x.npy", "c")[:] = 7
    mapped = array_file.load(tmp_path / "x.npy", "r")
    assert isinstance(mapped, np.memmap) and not mapped.any() and not mapped.flags.writeable


@contextmanager
def _threads_that_take_turns_in_the_middle() -> Iterator[None]:
    """By garbage being looked for after every third thing made, and another thread's turn then."""

    def yield_turn(phase: str, info: dict[str, int]) -> None:
        time.sleep(1e-5)

    threshold = gc.get_threshold()
    gc.callbacks.append(yield_turn)
    gc.set_threshold(3)
    try:
        yield
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(yield_turn)


def test_that_threads_read_at_once(tmp_path: Path) -> None:
    """Two headers that NumPy parses at once end in SystemError on Python 3.11."""
    array_file.save(tmp_path / "x.npy", PIXELS)
    with _threads_that_take_turns_in_the_middle(), ThreadPoolExecutor(4) as threads:
        read = list(threads.map(array_file.load, [tmp_path / "x.npy"] * 400))
    assert all(np.array_equal(one, PIXELS) for one in read)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"junk" * 40,
        b"PK\x03\x04" + bytes(100),
        b"\x93NUMPY\x01\x00\x76\x00" + b"{'descr': '<u2', 'fortran_order': (False".ljust(117) + b"\n",
    ],
    ids=["empty", "other bytes", "half an archive", "half a header"],
)
def test_that_a_damaged_file_is_told_as_one(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.npy").write_bytes(content)
    with pytest.raises(ValueError):
        array_file.load(tmp_path / "x.npy")


def test_that_an_archive_of_arrays_is_none(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", PIXELS)
    with pytest.raises(ValueError):
        array_file.load(tmp_path / "x.npz")


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

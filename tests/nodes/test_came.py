"""Which files of a node are here already."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from fullfield import files
from fullfield.nodes import results
from fullfield.nodes.line import Line
from fullfield.protocol.events import RunEnded
from nodes.mirrored import TOLD, mirror_of, run_there
from nodes.servers import kept as keep
from training import FakeContext

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")


Follow = Callable[[], tuple[bytes, int]]


@pytest.fixture
def split(there: Path, tmp_path: Path) -> tuple[Path, Path, Follow]:
    """A file there, the one here, and what follows the run once more: what that holds then, and its number."""
    node, away = keep("gpu", there), run_there(there, *TOLD, RunEnded(time=4.0, reason="completed"))
    mirror, context = mirror_of(tmp_path / "run"), FakeContext(tmp_path / "context")
    came = mirror.folder / "split.json"

    def follow() -> tuple[bytes, int]:
        Line(node, mirror, context, back=True).follow()
        return came.read_bytes(), came.stat().st_ino

    return away / "split.json", came, follow


def test_that_a_file_that_was_changed_comes_again_whatever_its_time_says(split: tuple[Path, Path, Follow]) -> None:
    there_first, came, follow = split
    there_first.write_bytes(b"first")
    time = there_first.stat().st_mtime_ns
    content, inode = follow()
    assert content == b"first" and follow() == (content, inode), "it is here: it does not come twice"
    there_first.write_bytes(b"another")  # within the clock's grain
    os.utime(there_first, ns=(time, time))
    assert follow()[0] == b"another"
    files.write_bytes(there_first, b"restore")  # as long, and with the time that it had
    os.utime(there_first, ns=(time, time))
    assert follow()[0] == b"restore"
    came.write_bytes(b"damaged")
    assert follow()[0] == b"restore", "nor is it known by its name"


@pytest.mark.parametrize("later", [0, 5])
def test_that_a_file_that_holds_the_same_under_another_number_or_time_does_not_come_again(
    split: tuple[Path, Path, Follow], later: int
) -> None:
    there_first, came, follow = split
    there_first.write_bytes(b"first")
    follow()
    for path in (there_first, came):
        other, status = path.with_suffix(".other"), path.stat()
        shutil.copyfile(path, other)
        os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns + later))
        other.replace(path)
        assert results.mark(path.stat()) != results.mark(status)
        number = came.stat().st_ino
        assert follow() == follow() == (b"first", number)
    there_first.write_bytes(b"other")
    assert follow()[0] == b"other"

"""Which files of a node are here already."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from fullfield import files
from fullfield.nodes.line import Line
from fullfield.protocol.events import RunEnded
from nodes.servers import kept as keep
from nodes.told import TOLD, mirror_of, run_there
from training import FakeContext

pytestmark = pytest.mark.skipif(shutil.which("sh") is None, reason="nodes have a POSIX shell")


def test_that_a_file_that_was_changed_comes_again_whatever_its_time_says(there: Path, tmp_path: Path) -> None:
    node, away = keep("gpu", there), run_there(there, *TOLD, RunEnded(time=4.0, reason="completed"))
    mirror, context = mirror_of(tmp_path / "run"), FakeContext(tmp_path / "context")
    there_first, came = (away / "split.json"), mirror.folder / "split.json"

    def follow() -> tuple[bytes, int]:
        Line(node, mirror, context, back=True).follow()
        return came.read_bytes(), came.stat().st_ino

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

"""A process is ended with its children, and none of them sees another one's end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from fullfield import system

PARENT = """
import os, signal, sys

children = []
for _ in range(200):
    if pid := os.fork():
        children.append(pid)
    else:
        signal.pause()
print(*children, flush=True)
os.wait()
open(sys.argv[1], "w").close()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no fork")
def test_that_a_process_does_not_see_its_children_go_before_it(tmp_path: Path) -> None:
    """It would tell of a fault, be it asked to stop or not."""
    seen = tmp_path / "seen"
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(seen)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    children = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(children) == 200
    system.kill_tree(parent.pid)
    parent.wait(60)
    assert not seen.exists()
    assert not [pid for pid in children if psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie"]

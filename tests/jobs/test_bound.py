"""A run without a window ends with the process that started it, however that ends; one that is meant to go on does."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from fullfield.jobs import registry

PATIENCE = 60.0  # seconds
WORKER = """
import subprocess, sys, time
from pathlib import Path
from fullfield import system

if sys.argv[1] == "pipe":  # what tells it where there is no other way than the pipe
    system.end_with_parent = lambda: None
if sys.argv[1] != "free":
    system.end_with_starter()
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdin=subprocess.DEVNULL)
Path(sys.argv[2]).write_text(str(child.pid))
time.sleep(600)
"""
STARTER = """
import sys, time
from fullfield import system

spawn = system.spawn_detached if sys.argv[2] == "free" else system.spawn_bound
worker = spawn([sys.executable, *sys.argv[1:]])
print(worker.pid, flush=True)
time.sleep(600)
"""


class Family:
    """A process that has started another one, which has started a third."""

    def __init__(self, folder: Path, kind: str) -> None:
        (folder / "worker.py").write_text(WORKER)
        command = [sys.executable, "-c", STARTER, str(folder / "worker.py"), kind, str(folder / "child")]
        self.starter = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert self.starter.stdout is not None
        self.worker = psutil.Process(int(self.starter.stdout.readline()))
        while not ((folder / "child").exists() and (folder / "child").read_text()):
            time.sleep(0.01)
        self.child = psutil.Process(int((folder / "child").read_text()))

    def end(self) -> None:
        self.starter.kill()
        self.starter.communicate()
        for process in (self.worker, self.child):
            if lives(process):
                process.kill()


def left(*processes: psutil.Process, seconds: float = PATIENCE) -> int:
    """How many of these live on for so long."""
    end = time.monotonic() + seconds
    while (count := sum(map(lives, processes))) and time.monotonic() < end:
        time.sleep(0.01)
    return count


def lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


@pytest.fixture
def family(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Family]:
    made = Family(tmp_path, request.param)
    yield made
    made.end()


@pytest.mark.parametrize("family", ["pipe"], indirect=True)
def test_that_a_bound_process_and_its_children_end_when_their_starter_is_killed(family: Family) -> None:
    assert left(family.worker, family.child, seconds=0) == 2
    family.starter.kill()
    assert left(family.worker, family.child) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only there the kernel ends a process that cannot run")
@pytest.mark.parametrize("family", ["bound"], indirect=True)
def test_that_a_bound_process_that_is_stopped_ends_too(family: Family) -> None:
    family.worker.suspend()
    family.starter.kill()
    assert left(family.worker) == 0


@pytest.mark.parametrize("family", ["free"], indirect=True)
def test_that_a_detached_process_outlives_its_starter(family: Family) -> None:
    family.starter.kill()
    family.starter.wait()
    assert left(family.worker, family.child, seconds=1) == 2


def test_that_no_training_and_no_window_is_bound() -> None:
    assert {"batch"} == registry.BOUND

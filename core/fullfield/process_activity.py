"""Whether a process does anything, by what Linux says of its threads: one that loads or computes is told from one that
only waits, whatever else the computer does meanwhile.

A thread that waits for Python's lock wakes every 5 ms for some microseconds, which is nothing done.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from pathlib import Path

from fullfield import system

TURN_NS = 100_000
"""A thread that computes runs longer than this whenever it has a core; one that waits for Python's lock 5 to 30 µs."""
CARDS = ("/dev/nvidia", "/dev/kfd", "/dev/dri/")
"""What a process that uses a card has open; its driver may keep it waiting for long, above all at its start."""


@dataclass(frozen=True)
class Thread:
    """`state` and `faults` (pages read from disk) of proc_pid_stat(5); `run_ns` on a core, `wait_ns` for one, and
    `turns` on one, of the kernel's sched-stats."""

    state: str
    faults: int
    run_ns: int
    wait_ns: int
    turns: int

    def worked(self, before: Thread, seconds: float) -> bool:
        """It computed, waited for a disk, or was kept from a core, in the `seconds` since `before`."""
        if self.state == "D" or self.faults > before.faults:
            return True
        ran, turns = self.run_ns - before.run_ns, self.turns - before.turns
        if turns == 0:
            return self.state == "R"
        return ran > TURN_NS * turns or ran + self.wait_ns - before.wait_ns > seconds * 1e9 / 2


@dataclass(frozen=True)
class Reading:
    """What a process has done until `moment`, of `time.monotonic`. `files`: what it has read and written."""

    moment: float
    files: str
    threads: dict[str, Thread]

    def worked(self, before: Reading) -> bool:
        """The process did anything since `before`."""
        if self.files != before.files or self.threads.keys() != before.threads.keys():
            return True
        seconds = self.moment - before.moment
        return any(thread.worked(before.threads[name], seconds) for name, thread in self.threads.items())


def read(pid: int) -> Reading | None:
    """What process `pid` has done; None where the system does not tell, there is no such process, or it uses a card:
    what that does for it nobody sees here."""
    if not system.LINUX:
        return None
    folder = Path(f"/proc/{pid}")
    try:
        if _uses_card(folder):
            return None
        threads = {path.name: _thread(path) for path in (folder / "task").iterdir()}
        return Reading(time.monotonic(), (folder / "io").read_text(encoding="ascii"), threads)
    except (OSError, ValueError, IndexError):  # gone, or a kernel that keeps no such count
        return None


def _uses_card(folder: Path) -> bool:
    for path in (folder / "fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed meanwhile
            if str(path.readlink()).startswith(CARDS):
                return True
    return False


def _thread(folder: Path) -> Thread:
    state, *counts = (folder / "stat").read_bytes().rpartition(b")")[2].split()
    run, wait, turns = map(int, (folder / "schedstat").read_bytes().split())
    return Thread(state.decode(), int(counts[8]), run, wait, turns)

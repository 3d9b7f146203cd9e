"""What a whole command takes: run to its end and measured, with all of its descendants."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
from dataclasses import dataclass

import psutil

from fullfield import system
from fullfield.system import Process

POLL_SECONDS, WATCH_SECONDS = 0.01, 0.03


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What a command took: its exit code, user and system seconds and the largest resident memory in bytes.

    Both count its descendants; the memory is that of the largest process among them. `together_bytes`: the highest sum
    of the resident memory of all, seen every few milliseconds; what they share counts in each.
    """

    code: int
    cpu_seconds: float
    peak_bytes: int
    together_bytes: int = 0


def measure(command: list[str], *, environment: dict[str, str]) -> Usage:
    """Run `command` to its end, silently, and tell what it took.

    The kernel counts every descendant that was waited for. Where it has no such count (Windows), the processes are
    asked every few milliseconds, so that the last ones are missed.
    """
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
    )
    wait4 = getattr(os, "wait4", None)
    if wait4 is None:
        return _asked(process)
    over, together = threading.Event(), [0]
    watching = threading.Thread(target=_watch, args=(process.pid, over, together), daemon=True)
    watching.start()
    _, status, used = wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    over.set()
    watching.join()
    return Usage(
        code=process.returncode,
        cpu_seconds=used.ru_utime + used.ru_stime,
        peak_bytes=system.resident_bytes(used.ru_maxrss),
        together_bytes=together[0],
    )


def _watch(pid: int, over: threading.Event, together: list[int]) -> None:
    with contextlib.suppress(psutil.Error):
        parent = psutil.Process(pid)
        while not over.wait(WATCH_SECONDS):
            held = 0
            for member in [parent, *parent.children(recursive=True)]:
                with contextlib.suppress(psutil.Error):
                    held += member.memory_info().rss
            together[0] = max(together[0], held)


def _asked(process: Process) -> Usage:
    seen: dict[tuple[int, float], float] = {}
    peak = together = 0
    parent = psutil.Process(process.pid)
    while process.poll() is None:
        with contextlib.suppress(psutil.Error):
            held = 0
            for member in [parent, *parent.children(recursive=True)]:
                times, memory = member.cpu_times(), member.memory_info()
                held += memory.rss
                together = max(together, held)
                seen[member.pid, member.create_time()] = times.user + times.system
                peak = max(peak, int(getattr(memory, "peak_wset", memory.rss)))
        time.sleep(POLL_SECONDS)
    seconds = sum(seen.values())
    return Usage(code=process.returncode, cpu_seconds=seconds, peak_bytes=peak, together_bytes=together)

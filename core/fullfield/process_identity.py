"""Which process a number means: a pid alone is used again, and a time of the clock moves when the clock is set."""

from __future__ import annotations

from pathlib import Path

import psutil

from fullfield import system


def process_started(pid: int) -> str:
    """When process `pid` was created, "" when there is none: with the pid it names a process for ever.

    It is a count that setting the clock does not move: the kernel's ticks since this start of the machine (Linux), or
    the moment that the kernel noted then (Windows, macOS).
    """
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return ""
        if system.LINUX:
            return f"{boot()}:{_start_ticks(pid)}"
        if system.MAC:  # psutil moves what it makes public with the clock, and not what it compares by
            return f"{getattr(process, '_ident', (pid, 0.0))[1]:.6f}"
        return f"{process.create_time():.6f}"
    except (psutil.Error, OSError, ValueError):  # ValueError: a pid that no process can have
        return ""


def boot() -> str:
    """What tells this start of the machine from others; "" where the system has no such name."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def _start_ticks(pid: int) -> int:
    """Field 22 of proc_pid_stat(5); the second, the program's name, may hold spaces and brackets."""
    return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[19])


def is_stopped(pid: int) -> bool:
    """True when process `pid` was stopped by a signal or a debugger, and waits to be continued."""
    try:
        return psutil.Process(pid).status() in (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP)
    except (psutil.Error, ValueError):
        return False


def is_alive(pid: int, started: str | float) -> bool:
    """True when the process that was `pid` and created at `started` still runs (a pid alone is used again).

    `started`: of `process_started`; a number is what versions before this one noted, seconds of the clock.
    """
    if isinstance(started, str):
        return bool(started) and process_started(pid) == started
    try:
        return bool(process_started(pid)) and abs(psutil.Process(pid).create_time() - started) < 2.0
    except psutil.Error:
        return False

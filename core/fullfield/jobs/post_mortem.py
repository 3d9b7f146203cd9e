"""Why a worker ended without a last word, in words for people: no memory, killed, a native crash, or an exit.

What is known: its exit code where it is our child, the frames that a native crash left in `crash.log`, and the kernel's
count of processes that it ended for want of memory.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import time
from pathlib import Path

from fullfield.errors import ExitCode, WorkerDied
from fullfield.jobs import job as jobs
from fullfield.jobs import ranks
from fullfield.protocol.events import Event, RunEnded, RunFailed

CRASHES = frozenset(
    -getattr(signal, name) for name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL") if hasattr(signal, name)
)
WINDOWS_FAULT = 0xC0000000  # exit codes from here on are exceptions of the system, such as an access violation
LAST_BYTES = 32768
LITTLE_BYTES = 65536  # free on a disk: less is none, for events and lists take as much
BORN = (jobs.WORKER, jobs.NEXT, jobs.JOB)  # written when a worker starts, and when it was asked for
_FATAL = re.compile(r"(?:Fatal Python error|Windows fatal exception): ")
_CRASHED = "Current thread 0x"  # one of several that are written; an empty line ends its frames
_FRAME = re.compile(r'File "(?:[^"\n]*[/\\])?([^"/\\\n]+)", line (\d+)')


class Watch:
    """What is counted from the start of a worker on, so that its end can be explained."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kills = _memory_kills()

    def last_words(self, code: int | None) -> list[Event]:
        """What is told in place of a worker that is gone without a last word. `code`: see `explain`."""
        if code == ExitCode.INTERRUPTED:  # asked twice, it ends at once
            return [stopped()]
        died = self.explain(code)
        return [RunFailed(error=died.as_fields(), exit_code=int(died.exit_code)), RunEnded(reason="died")]

    def explain(self, code: int | None) -> WorkerDied:
        """The error of a worker that is gone. `code`: as `Popen.returncode`; None where that is not known."""
        if not any((self._folder / name).exists() for name in BORN):
            return WorkerDied(_TITLE, detail=_GONE, hint=_GONE_HINT)
        left = ranks.failure(self._folder, 0)  # by another process of the run
        return WorkerDied(_TITLE, detail=left[1].fields["detail"] if left else self._reason(code), hint=_HINT)

    def _reason(self, code: int | None) -> str:
        crash = self._crash_text()
        if _memory_kills() > self._kills:
            return "The system ended it, for no memory was left. Close other programs, or choose smaller images."
        if crash or code in CRASHES or (code is not None and code >= WINDOWS_FAULT):
            return f"A library crashed{f' ({crash})' if crash else ''}."
        if code == -getattr(signal, "SIGKILL", 9):
            return "Somebody or the system killed it; most often because no memory was left."
        if code == ExitCode.CANNOT_WRITE or (code is None and self._is_full()):
            return "It could not write its files, nor say why; most often because the disk is full. Free some space."
        if code is None:
            return "It was killed, or the system had no memory left."
        return f"It ended by itself, with exit code {code}."

    def _is_full(self) -> bool:
        with contextlib.suppress(OSError):
            return shutil.disk_usage(self._folder).free < LITTLE_BYTES
        return False

    def _crash_text(self) -> str:
        """The last fault of this worker in `crash.log`, and where in the code it was; "" where there is none."""
        try:
            born = next(path for path in map(self._folder.joinpath, BORN) if path.exists()).stat().st_mtime_ns
            crash = self._folder / "crash.log"
            if crash.stat().st_mtime_ns < born:
                return ""  # of a worker before this one
            text = crash.read_bytes()[-LAST_BYTES:].decode("utf-8", "replace")
        except (OSError, StopIteration):
            return ""
        _, *faults = _FATAL.split(text)
        if not faults:
            return ""
        fault = faults[-1].partition("\n")[0].strip().lower()
        _, found, own = faults[-1].partition(_CRASHED)
        frame = _FRAME.search(own.partition("\n\n")[0] if found else faults[-1])
        return f"{fault} in {frame[1]}, line {frame[2]}" if frame else fault


def stopped() -> RunEnded:
    """The last event of a run whose user would not wait for the end of a step."""
    return RunEnded(reason="stopped", time=time.time())


def _memory_kills() -> int:
    """How many processes the kernel has ended in our group for want of memory; 0 where that is not counted."""
    with contextlib.suppress(OSError, ValueError, StopIteration):
        group = next(line for line in Path("/proc/self/cgroup").read_text().splitlines() if line.startswith("0::"))
        events = Path("/sys/fs/cgroup") / group[3:].lstrip("/") / "memory.events"
        return int(next(line for line in events.read_text().splitlines() if line.startswith("oom_kill ")).split()[1])
    return 0


_TITLE = "The worker that did this run ended unexpectedly."
_GONE = "The folder of the run is gone: it was deleted, moved or renamed, or its drive is not connected any more."
_GONE_HINT = "Bring the folder back, or start again in another one."
_HINT = "Start again: everything that was finished is kept."

"""What the ranks of one run do for one another through its folder: rank 0 tells for all, so it must hear of the others.

worker-N.json    the process that rank N is, as worker.json is that of rank 0;  pulse-N  its sign of life
failed-N.json    what ended rank N, as an event tells it: left by itself, or by who found it frozen
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
import time
from pathlib import Path

from fullfield import checked, files, process_identity
from fullfield.errors import ExitCode, FullfieldError, RankLost
from fullfield.jobs import heartbeat
from fullfield.jobs import job as jobs

LEFT = ("failed-*.json", "worker-*.json", "pulse-*")
FROZEN_SECONDS = 8.0
"""Without a sign of life, of a process that the system says is stopped."""
HELD_SECONDS = 120.0
"""Of any other: a library that is loaded from a slow disk lets no thread of Python run meanwhile."""
LOOK_SECONDS = 0.1
ANSWER_SECONDS = 3.0


def forget(folder: Path) -> None:
    """What an earlier start left here. Raises OSError."""
    for pattern in LEFT:
        for path in folder.glob(pattern):
            path.unlink(missing_ok=True)


def tell(folder: Path, rank: int, error: FullfieldError) -> None:
    """Leave what ended a rank, unless it is that another one has ended. Raises OSError."""
    if not isinstance(error, RankLost):
        values = {**error.as_fields(), "exit_code": int(error.exit_code)}
        files.write_text(folder / f"failed-{rank}.json", json.dumps(values))


def cause(folder: Path, error: FullfieldError) -> tuple[dict[str, str], ExitCode]:
    """What ended the run, as an event tells it, with its exit code: the error of another rank, where `error` is that it
    has ended, and it is known why, for which there is a moment's time."""
    ends = time.monotonic() + ANSWER_SECONDS
    while isinstance(error, RankLost) and time.monotonic() < ends:
        for path in sorted(folder.glob("failed-*.json")):
            with contextlib.suppress(OSError, ValueError, KeyError):
                values = checked.parse(path.read_bytes())
                fields = {name: str(values[name]) for name in ("title", "detail", "hint")}
                return fields, ExitCode(values["exit_code"])
        time.sleep(LOOK_SECONDS)
    return error.as_fields(), error.exit_code


def watch(folder: Path, rank: int, world: int) -> None:
    """End every other rank that lives and gives no sign of life, in the background: those that wait for it go on."""
    others = {other: heartbeat.Listener(folder, other) for other in range(world) if other != rank}

    def go_on() -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            for other, listener in others.items():
                silent = listener.silent_seconds()
                if silent > FROZEN_SECONDS:
                    with contextlib.suppress(OSError):
                        _judge(folder, other, world, silent)

    if others:
        threading.Thread(target=go_on, name="watch", daemon=True).start()


def _judge(folder: Path, rank: int, world: int, silent: float) -> None:
    """End a rank that is silent for so many seconds, unless it has ended by itself or may only be slow."""
    worker = jobs.worker(folder, rank)
    if worker is None or not process_identity.is_alive(worker.pid, worker.started):
        return
    if silent < HELD_SECONDS and not process_identity.is_stopped(worker.pid):
        return
    frozen = FullfieldError(
        "The training cannot go on.",
        detail=f"Process {rank + 1} of {world} has given no sign of life for {silent:.0f} seconds.",
        hint="Go on with it (--resume): what was saved is kept.",
    )
    with contextlib.suppress(OSError):  # a full disk
        tell(folder, rank, frozen)
    os.kill(worker.pid, getattr(signal, "SIGKILL", signal.SIGTERM))

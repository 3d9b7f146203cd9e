"""What the ranks of one run do for one another through its folder: rank 0 tells for all, so it must hear of the others.

worker-N.json    the process that rank N is, as worker.json is that of rank 0;  pulse-N  its sign of life
failed-N.json    what ended rank N, as an event tells it: left by itself, or by who found it frozen
over-N           rank N has ended as it should, or because another one has
trained          on the head of several nodes: only what a training leaves is still to be made

What they tell while they live is in `rank_news`.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path

from fullfield import checked, files, process_identity
from fullfield.errors import ExitCode, FullfieldError, RankLost
from fullfield.jobs import heartbeat
from fullfield.jobs import job as jobs
from fullfield.jobs.frozen import Watched
from fullfield.protocol import rank_events

LEFT = ("failed-*.json", "over-*", "rank-*.json", ".rank-*.part", "worker-*.json", "pulse-*", "trained")
TRAINED = "trained"
LOOK_SECONDS = 0.1
ANSWER_SECONDS = 3.0
GONE_SECONDS = 5.0
"""After which a rank that is left alone gives up."""


def forget(folder: Path) -> None:
    """What an earlier start left here. Raises OSError."""
    for pattern in LEFT:
        for path in folder.glob(pattern):
            path.unlink(missing_ok=True)


def tell(folder: Path, rank: int, error: FullfieldError, *, how: str = rank_events.FAILED) -> None:
    """Leave what ended a rank: an error, or that another one has ended. Raises OSError."""
    if isinstance(error, RankLost):
        end(folder, rank)
        return
    values = {**error.as_fields(), "exit_code": int(error.exit_code), "how": how}
    files.write_text(folder / f"failed-{rank}.json", json.dumps(values))


def end(folder: Path, rank: int) -> None:
    """Leave that a rank ends and nothing is wrong with it. Raises OSError."""
    files.touch(folder / f"over-{rank}")


@dataclass(frozen=True, kw_only=True)
class Cause:
    """What ended a run: `fields` as an event tells them; `lost`: the rank that took the others along, where one did."""

    fields: dict[str, str]
    code: ExitCode
    lost: rank_events.RankLost | None = None


def cause(folder: Path, world: int, error: FullfieldError) -> Cause:
    """What ended the run of `world` ranks. Where `error` is that another rank has ended, that one's end, for whose
    reason there is a moment's time."""
    ends = time.monotonic() + ANSWER_SECONDS
    while isinstance(error, RankLost) and time.monotonic() < ends:
        gone = [rank for rank in range(world) if _is_gone(folder, rank)]
        for rank in range(world):
            found = failure(folder, rank)
            if found is not None:
                how, reported = found
                return replace(reported, lost=_lost(folder, rank, world, how))
        for rank in gone:  # it left nothing, and had the time to
            killed = FullfieldError(
                "The training cannot go on.",
                detail=f"Process {rank + 1} of {world} ended without a word: it was killed, or a library crashed.",
                hint=RankLost.HINT,
            )
            return Cause(
                fields=killed.as_fields(),
                code=killed.exit_code,
                lost=_lost(folder, rank, world, rank_events.KILLED),
            )
        time.sleep(LOOK_SECONDS)
    return Cause(fields=error.as_fields(), code=error.exit_code)


def failure(folder: Path, rank: int) -> tuple[str, Cause] | None:
    """How a rank ended and why, where it or another one has left that."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        values = checked.parse((folder / f"failed-{rank}.json").read_bytes())
        fields = {name: str(values[name]) for name in ("title", "detail", "hint")}
        return str(values["how"]), Cause(fields=fields, code=ExitCode(values["exit_code"]))
    return None


def _is_gone(folder: Path, rank: int) -> bool:
    """It has ended, and neither as it should nor because another one has."""
    worker = jobs.worker(folder, rank)
    if worker is None or (folder / f"over-{rank}").exists():
        return False
    return not process_identity.is_alive(worker.pid, worker.started)


def _lost(folder: Path, rank: int, world: int, how: str) -> rank_events.RankLost:
    silent = 0.0
    with contextlib.suppress(OSError):
        silent = max(0.0, time.time() - (folder / jobs.of_rank(heartbeat.FILE, rank)).stat().st_mtime)
    return rank_events.RankLost(rank=rank, world=world, how=how, after_seconds=round(silent, 1))


def watch(folder: Path, rank: int, world: int) -> None:
    """End every other rank that lives and gives no sign of life, in the background: those that wait for it go on."""
    others = {other: Watched(folder, other) for other in range(world) if other != rank}

    def look() -> None:
        for other, watched in others.items():
            silent = watched.frozen_seconds()
            if silent:
                with contextlib.suppress(OSError):
                    _end(folder, other, world, silent, watched.pid)

    _look_for_ever("watch", look, others, LOOK_SECONDS)


def outlive(folder: Path, rank: int, world: int, give_up: Callable[[RankLost], None]) -> None:
    """Call `give_up`, in the background, where another rank is gone and this one is still here seconds later: it waits
    in a library that has not noticed, where no error reaches it."""
    others = [other for other in range(world) if other != rank]
    since: list[float] = []

    def look() -> None:
        if not any(_is_gone(folder, other) for other in others):
            since.clear()
        elif not since:
            since.append(time.monotonic())
        elif time.monotonic() - since[0] > GONE_SECONDS:
            give_up(RankLost("The training cannot go on.", detail="Another of its processes has ended."))

    _look_for_ever("outlive", look, others, heartbeat.BEAT_SECONDS)


def _look_for_ever(name: str, look: Callable[[], None], others: Collection[int], seconds: float) -> None:
    def go_on() -> None:
        while True:
            time.sleep(seconds)
            look()

    if others:
        threading.Thread(target=go_on, name=name, daemon=True).start()


def _end(folder: Path, rank: int, world: int, silent: float, pid: int) -> None:
    """End a rank that is frozen, and has been silent for so many seconds."""
    frozen = FullfieldError(
        "The training cannot go on.",
        detail=f"Process {rank + 1} of {world} has given no sign of life for {silent:.0f} seconds.",
        hint="Go on with it (--resume): what was saved is kept.",
    )
    with contextlib.suppress(OSError):  # a full disk
        tell(folder, rank, frozen, how=rank_events.FROZEN)
    os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))

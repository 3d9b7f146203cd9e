"""Two workers of one training as processes of their own, in which something goes wrong at a step: the same run, gone on
with after each fault.

One process imports what they need, which takes longer than all else, and forks them, as `tests/fleets.py` does. Nothing
stands in for torchrun, which would end the others: each must end by itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psutil

WORLD, AT = 2, 2  # of a process's steps, the one that goes wrong: after an epoch of one step, so something is saved
SECONDS = 60.0
EARLY = "killed early"
_filled: list[bytearray] = []


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """`codes`: of the ranks, negative by a signal; `seconds`: from the fault to the end of all; `left`: of how many
    nothing ended."""

    fault: str
    codes: tuple[int, ...]
    seconds: float
    left: int


def outcomes(folder: Path, faults: list[str]) -> list[Outcome]:
    """How the run in `folder` ended by each of `faults` in turn; "" is none."""
    cache = folder.with_name("narrow")  # what is traced of a part of the network is for no other test
    shutil.copytree(os.environ["FULLFIELD_CACHE"], cache, ignore=shutil.ignore_patterns("costs-*"), dirs_exist_ok=True)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "FULLFIELD_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, __file__, str(folder), *faults],
        env=environment,
        timeout=(SECONDS + 30) * len(faults),
        check=True,
        stdout=subprocess.PIPE,
    )
    return [Outcome(**{**one, "codes": tuple(one["codes"])}) for one in map(json.loads, done.stdout.splitlines())]


def main(folder: str, *faults: str) -> None:
    """The process that forks them. They train a part of the network, whose checkpoints are a part as large."""
    import narrow
    from fullfield.jobs import job as jobs
    from fullfield.jobs import ranks
    from fullfield.model import unet  # noqa: F401 - what a worker imports, at its first network
    from fullfield.train import job as _  # noqa: F401 - and at once

    with narrow.everywhere():
        for fault in faults:
            jobs.refuse_running(Path(folder), patience=1.0)
            (Path(folder) / "commands.jsonl").unlink(missing_ok=True)
            ranks.forget(Path(folder))
            print(json.dumps(vars(_end_of(Path(folder), fault))), flush=True)


def _end_of(folder: Path, fault: str) -> Outcome:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "fault").unlink(missing_ok=True)
    pids = [_forked(folder, fault, rank, port) for rank in range(WORLD)]
    codes: dict[int, int] = {}
    began = time.monotonic()
    while len(codes) < WORLD and time.monotonic() - began < SECONDS:
        for pid in set(pids) - set(codes):
            gone, status = os.waitpid(pid, os.WNOHANG)
            if gone:
                codes[pid] = os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    since = (folder / "fault").stat().st_mtime if (folder / "fault").exists() else time.time()
    found = Outcome(
        fault=fault,
        codes=tuple(codes.get(pid, 0) for pid in pids),
        seconds=round(time.time() - since, 2),
        left=len(psutil.Process().children(recursive=True)),
    )
    for pid in set(pids) - set(codes):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return found


def _forked(folder: Path, fault: str, rank: int, port: int) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 99
    try:
        from fullfield.jobs import worker

        place = {"RANK": rank, "WORLD_SIZE": WORLD, "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
        os.environ.update({name: str(value) for name, value in place.items()})
        if fault:
            _sow(folder, fault, rank)
        code = worker.main([str(folder)])
    finally:
        os._exit(code)


def _sow(folder: Path, fault: str, rank: int) -> None:
    """Let the step `AT` of this process go wrong, or all from there on; or the process, before it has met the other."""
    from fullfield.distribution import meet
    from fullfield.train import step as steps

    if fault == EARLY and rank == 1:

        def die(*given: Any, **more: Any) -> Any:
            (folder / "fault").touch()
            os.kill(os.getpid(), signal.SIGKILL)

        meet.met = die
    if fault == EARLY:
        return

    usual, made = steps.train_step, [0]

    def step(build: Any, update: Any, batch: Any, **more: Any) -> Any:
        made[0] += 1
        if made[0] >= AT:
            batch = FAULTS[fault](folder, rank, made[0] == AT, batch)
        return usual(build, update, batch, **more)

    steps.train_step = step


def _on(rank: int, act: Callable[[Path], None]) -> Callable[[Path, int, bool, Any], Any]:
    """What happens once, on one rank."""

    def fault(folder: Path, here: int, now: bool, batch: Any) -> Any:
        if here == rank and now:
            while '"state": {' not in (folder / "rank-1.json").read_text():  # it tells of itself once a second
                time.sleep(0.05)
            (folder / "fault").touch()
            act(folder)
        return batch

    return fault


def _no_number(folder: Path, rank: int, now: bool, batch: Any) -> Any:
    if rank != 1:
        return batch
    if now:
        (folder / "fault").touch()
    return replace(batch, x_NCHW=batch.x_NCHW * float("nan"))


def _no_memory(folder: Path) -> None:
    import resource

    size = psutil.Process().memory_info().vms + (8 << 20)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    with contextlib.suppress(MemoryError):  # what has been freed before may hold a whole step
        while True:
            _filled.append(bytearray(1 << 16))
    del _filled[-64:]  # to say so


def _no_room(folder: Path) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))  # of a checkpoint; events still have room


def _stop(folder: Path) -> None:
    from fullfield import files
    from fullfield.protocol.commands import Stop

    files.append_line(folder / "commands.jsonl", Stop().to_line())


FAULTS: dict[str, Callable[[Path, int, bool, Any], Any]] = {
    "stop": _on(1, _stop),
    "interrupt": _on(1, lambda folder: os.kill(os.getpid(), signal.SIGINT)),
    "no memory": _on(1, _no_memory),
    "no number": _no_number,
    "full disk": _on(0, _no_room),
    "killed": _on(1, lambda folder: os.kill(os.getpid(), signal.SIGKILL)),
    "frozen": _on(1, lambda folder: os.kill(os.getpid(), signal.SIGSTOP)),
    "held": _on(1, lambda folder: ctypes.PyDLL(None).sleep(100)),  # it holds Python and waits
    "first frozen": _on(0, lambda folder: os.kill(os.getpid(), signal.SIGSTOP)),
}


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Ranks as processes of their own, over gloo on this machine: what `tests/teams.py` does with threads, for real.

One process has imported what they need, which takes longer than all else, and forks them: it has computed nothing. It
is itself forked from one with the libraries (`warm`), but for a card.
"""

from __future__ import annotations

import datetime
import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import torch
from torch import distributed, multiprocessing

import warm
from fullfield import system
from fullfield.distribution.processes import Processes
from fullfield.hardware import named

SECONDS = 120


def fleet(size: int, work: str, folder: Path, *, device: str = "cpu", backend: str = "gloo") -> list[Any]:
    """What `work`, "module:function" of a test, returns on each rank, in their order. It takes the team. `device`: of
    all, or several that they take in turn."""
    command = [sys.executable, __file__, str(size), work, str(folder), device, backend]
    begin = warm.Asked if device == "cpu" and sys.platform == "linux" else subprocess.Popen
    with begin(command, env={**os.environ, "GLOO_SOCKET_IFNAME": system.LOOPBACK}) as process:
        try:
            code = process.wait(2 * SECONDS)
        finally:
            process.kill()
    assert code == 0
    return [torch.load(folder / f"{rank}.pt", weights_only=False) for rank in range(size)]


def main(size: int, work: str, folder: str, device: str, backend: str) -> None:
    """The process that forks them; CUDA, which a module of tests has asked for, cannot be taken along."""
    module, _, function = work.partition(":")
    called = getattr(__import__(module, fromlist=[function]), function)
    gc.freeze()  # a rank looks for no garbage in what all have imported, whose pages it would have to copy
    way = "fork" if device == "cpu" else "spawn"
    multiprocessing.start_processes(_rank, (size, called, folder, device, backend), nprocs=size, start_method=way)  # type: ignore[no-untyped-call]


def _rank(rank: int, size: int, work: Any, folder: str, device: str, backend: str) -> None:
    torch.set_num_threads(1)
    distributed.init_process_group(
        backend,
        store=distributed.FileStore(f"{folder}/store", size),
        rank=rank,
        world_size=size,
        timeout=datetime.timedelta(seconds=SECONDS),
    )
    team = Processes(torch.device(named.of_rank(device, rank)))
    team.alike = not named.beside_cards(device, size)
    torch.save(work(team), f"{folder}/{rank}.pt")
    distributed.barrier()
    distributed.destroy_process_group()


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])

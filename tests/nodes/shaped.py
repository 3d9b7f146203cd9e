"""`python -m nodes.shaped`: how long ranks wait for one another on slow links, beside what a plan says of it.

Each rank is a process in a network namespace of its own, whose cable carries so many bits a second (tc's token bucket).
What a rank of resnet34 says in a step at 1024 pixels is really sent, over gloo, as many bytes in as many messages as
the plan counts; in place of computing it sleeps. A plan knows the link by the training's own ping alone. Root only.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import distributed, multiprocessing

from fullfield.distribution import ping
from fullfield.distribution.processes import Processes
from fullfield.hardware import links
from fullfield.memory.costs import Work
from fullfield.plan.predicting import Predictor
from fullfield.plan.question import Question
from fullfield.techniques import compose
from nodes.networks import INTERFACE, Network, ip

WAYS = {
    "data_parallel": ("banded_loss", "data_parallel"),
    "zero 3": ("banded_loss", "data_parallel", "zero:level=3"),
    "joint": ("banded_loss", "data_parallel:batch_norm=joint"),
    "spatial": ("banded_loss", "full_bands", "spatial"),
}
COMPUTING, STEPS, SIDE = 1.0, 3, 1024
BURST = 128 << 10
_NEWNET = 0x40000000


def said(way: str, ranks: int) -> list[Work]:
    """What each rank says in a step, by its plan."""
    asked = Question(height=SIDE, width=SIDE, batch=1 if way == "spatial" else ranks, device="cpu", processes=ranks)
    _, account = Predictor(asked).account(compose.read(WAYS[way]))
    works = list(account.works)
    return works if len(works) == ranks else works * ranks


@dataclass(frozen=True, kw_only=True)
class Talk:
    """What all ranks do in a step: rows to neighbours, and sums, alike in bytes."""

    exchanges: int
    rows: int
    sums: int
    numbers: int

    @classmethod
    def of(cls, works: list[Work]) -> Talk:
        """As many and as large as the rank has that says most."""
        beside = [1 if place in (0, len(works) - 1) else 2 for place in range(len(works))]
        return cls(
            exchanges=max(round(one.messages / peers) for one, peers in zip(works, beside, strict=True)),
            rows=max(one.passed // max(one.messages, 1) // 4 for one in works),
            sums=max(one.collectives for one in works),
            numbers=max(one.shared // max(one.collectives, 1) // 4 for one in works),
        )


def step(team: Processes, talk: Talk) -> float:
    """Seconds of a step: sleep and talk, by turns."""
    turns = max(talk.exchanges, talk.sums, 1)
    peers = [peer for peer in (team.rank - 1, team.rank + 1) if 0 <= peer < team.size]
    began = time.perf_counter()
    for turn in range(turns):
        time.sleep(COMPUTING / turns)
        if _due(turn, turns, talk.exchanges):
            give = {peer: torch.zeros(talk.rows) for peer in peers}
            team.exchange(give, {peer: torch.empty(talk.rows) for peer in peers})
        if _due(turn, turns, talk.sums):
            team.sum([torch.zeros(talk.numbers)])
    team.agree([0.0])
    return time.perf_counter() - began


def _due(turn: int, turns: int, times: int) -> bool:
    return (turn + 1) * times // turns > turn * times // turns


def rank(number: int, spaces: list[str], folder: str, talk: Talk) -> None:
    """A process in its namespace: what it measures is written by the first of them."""
    with Path(f"/run/netns/{spaces[number]}").open() as space:
        if ctypes.CDLL(None, use_errno=True).setns(space.fileno(), _NEWNET):
            raise OSError(ctypes.get_errno(), "setns")
    torch.set_num_threads(1)
    os.environ["GLOO_SOCKET_IFNAME"] = INTERFACE
    store = distributed.FileStore(f"{folder}/store", len(spaces))
    distributed.init_process_group("gloo", store=store, rank=number, world_size=len(spaces))
    team = Processes(torch.device("cpu"))
    pinged = ping.measured(team, torch.device("cpu"))
    link = links.of_sums(pinged.small, pinged.large, ping.BYTES, team.size)
    step(team, talk)
    measured = statistics.median(step(team, talk) for _ in range(STEPS))
    measured = max(team.agree([measured if one == number else 0.0 for one in range(team.size)]))
    if team.writes:
        found = {"measured": measured, "seconds": link.seconds, "bytes_per_second": link.bytes_per_second}
        (Path(folder) / "found.json").write_text(json.dumps(found))
    distributed.barrier()
    distributed.destroy_process_group()


class Shaped(Network):
    """Nodes without an sshd, whose cables are slow in both directions."""

    megabits: float = 0.0

    def serve(self, name: str) -> None:
        """Nothing but the cable."""
        shape = ("root", "tbf", "rate", f"{self.megabits}mbit", "burst", str(BURST), "latency", "400ms")
        command = ("tc", "-n", self.space(name), "qdisc", "add", "dev", INTERFACE, *shape)
        subprocess.run(command, check=True, capture_output=True, text=True)


def measure(way: str, ranks: int, megabits: float) -> dict[str, float | str]:
    """One line of the table."""
    works = said(way, ranks)
    with tempfile.TemporaryDirectory() as folder:
        net = Shaped(folder=Path(folder), names=tuple(map(str, range(ranks))))
        net.megabits = megabits
        try:
            net.open()
            spaces = [net.space(name) for name in net.names]
            multiprocessing.start_processes(rank, (spaces, folder, Talk.of(works)), nprocs=ranks, start_method="fork")  # type: ignore[no-untyped-call]
            found = json.loads((Path(folder) / "found.json").read_text())
        finally:
            net.close()
    link = links.Link(name="here", seconds=found["seconds"], bytes_per_second=found["bytes_per_second"])
    keys = ("passed", "messages", "shared", "collectives")
    reported = [link.time(**{key: asdict(one)[key] for key in keys}, ranks=ranks) for one in works]
    return {
        "way": way,
        "ranks": ranks,
        "Mbit/s": megabits,
        "pinged Mbit/s": link.bytes_per_second * 8e-6,
        "latency ms": link.seconds * 1e3,
        "MB sent": max(one.passed + one.shared for one in works) / 1e6,
        "predicted s": COMPUTING + max(reported),
        "measured s": found["measured"],
        "ratio": found["measured"] / (COMPUTING + max(reported)),
    }


def main() -> None:
    """The table, a line of JSON for each."""
    parser = argparse.ArgumentParser(prog="nodes.shaped")
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4, 8])
    parser.add_argument("--megabits", type=float, nargs="+", default=[100, 1000])
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    values = parser.parse_args()
    torch.set_num_threads(1)
    for way in values.ways:
        for ranks in values.ranks:
            for megabits in values.megabits:
                sys.stdout.write(json.dumps(measure(way, ranks, megabits)) + "\n")
                sys.stdout.flush()


if __name__ == "__main__":
    ip("netns", "list")
    main()

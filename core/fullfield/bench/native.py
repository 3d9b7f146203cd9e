"""One real step of a training at native sizes within a budget, in a process of its own: `fullfield bench native`.

Measured is what the process grew by: the largest resident memory it has had, less what was resident when everything
was imported and the weights were there. Predicted is the step's part of the plan, less those weights. Beside it stands
the whole: what the plan says that a training's process holds, which the budget is held against, and what this process
has held. The budget is the smallest of `BUDGETS` that a plan fits.
`python -m fullfield.bench.native SIZE TECHNIQUE…` is the process; it prints one object of JSON.
"""

from __future__ import annotations

import contextlib
import gc
import json as jsons
import math
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import psutil
import torch

from fullfield import heap, system
from fullfield.bench.stepping import Stepping, noise
from fullfield.bench.table import Table
from fullfield.errors import UsageError
from fullfield.jobs.launchers import local
from fullfield.kernels import stored
from fullfield.memory.account import Shape
from fullfield.model import network as networks
from fullfield.model.card import NetworkSpec
from fullfield.plan import predicting
from fullfield.plan.question import Question
from fullfield.protocol.plan import Plan
from fullfield.units import parse_bytes

SIZES = (2048, 4288)
QUICK = (512,)
SMALL = 192  # of a first step on another network, in which torch imports and compiles what it needs
BUDGETS = ("1280MiB", "1536MiB", "1792MiB", "2GiB", "2560MiB", "3GiB", "3584MiB", "4GiB", "5GiB", "6GiB", "8GiB")
MIB = 2**20
WITHIN = 0.15


@dataclass(frozen=True, kw_only=True)
class Grown:
    """`loss`: 100·(1 − MS-SSIM) of the step. `seconds`: that it took. `bytes`: what the process grew by; `held`: the
    most that it has held."""

    loss: float
    seconds: float
    bytes: int
    held: int


def bench(*, json: bool, quick: bool) -> int:
    """Plan, run and print; the exit code is 0 where losses are finite, the growth is within 15 % of the plan's, and the
    process within what was predicted of it.
    """
    memory = ("process_MiB", "held_MiB", "predicted_MiB", "grown_MiB", "ratio")
    columns = ("size", "budget", "techniques", *memory, "flop_factor", "loss", "seconds")
    table = Table("native", columns, json=json)
    whole = True
    for size in QUICK if quick else SIZES:
        budget, plan = fitting(size)
        predicted = plan.peak_bytes - weights()
        grown = measure(plan)
        ratio = grown.bytes / predicted
        whole &= math.isfinite(grown.loss) and abs(ratio - 1) <= WITHIN
        whole &= grown.held <= plan.process_bytes
        table.row(
            size,
            budget,
            " + ".join(plan.techniques),
            round(plan.process_bytes / MIB),
            round(grown.held / MIB),
            round(predicted / MIB),
            round(grown.bytes / MIB),
            round(ratio, 3),
            plan.flop_factor,
            round(grown.loss, 3),
            round(grown.seconds, 1),
        )
    return 0 if whole else 1


def fitting(size: int) -> tuple[str, Plan]:
    """The smallest of `BUDGETS` that a plan at `size` fits, and that plan. Raises UsageError where none fits."""
    for budget in BUDGETS[:-1]:
        with contextlib.suppress(UsageError):
            return budget, _planned(size, budget)
    return BUDGETS[-1], _planned(size, BUDGETS[-1])


def _planned(size: int, budget: str) -> Plan:
    return predicting.ladder(Question(height=size, width=size, budget=parse_bytes(budget), device="cpu")).plan


def weights() -> int:
    """Bytes of the parameters and buffers of the network."""
    with torch.device("meta"):
        network = networks.build(NetworkSpec(encoder="resnet34"))
    return sum(tensor.nbytes for tensor in (*network.parameters(), *network.buffers()))


def measure(plan: Plan) -> Grown:
    """Run one step by a plan in a process of its own. Raises subprocess.CalledProcessError where it died."""
    command = [*system.python_command("fullfield.bench.native"), str(plan.size[0]), *plan.techniques]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, env=local.environment()).stdout
    return Grown(**jsons.loads(printed.splitlines()[-1]))


def _grow(size: int, techniques: Sequence[str]) -> Grown:
    first = Stepping(techniques)
    small, large = (noise(Shape(height=side, width=side), first.build) for side in (SMALL, size))
    first.step(small)
    del first
    training = Stepping(techniques)
    gc.collect()
    heap.return_freed_memory()  # what the first step freed is no memory of the second's
    images = sum(
        one.nbytes for each in (large.x_NCHW, large.y_NCHW) for one in stored.tensors(each)
    )  # are there already, and belong to the step
    before = psutil.Process().memory_info().rss - images
    training.step(small)  # makes what the optimizer remembers
    began = time.perf_counter()
    loss = training.step(large).loss
    seconds = time.perf_counter() - began
    held = system.peak_memory()
    return Grown(loss=loss, seconds=seconds, bytes=held - before, held=held)


if __name__ == "__main__":
    sys.stdout.write(jsons.dumps(asdict(_grow(int(sys.argv[1]), sys.argv[2:]))) + "\n")

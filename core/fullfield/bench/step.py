"""One optimizer step, measured in a process of its own: `python -m fullfield.bench.step QUESTION`, JSON in and out.

The step is the training's own, on noise. First it is predicted; where that is more than the budget it is not run. The
first run is not timed (it compiles, chooses kernels and makes what the optimizer remembers); the median of the next
ones counts. One more tells what the allocator gives out. On a CPU the budget also limits the address space of the
process, on a card torch's share of it.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

import psutil
import torch

from fullfield import checked, interpreter, system
from fullfield.bench.stepping import RATE, Stepping, noise
from fullfield.bench.steps import LONG_SECONDS
from fullfield.errors import UsageError
from fullfield.hardware import devices
from fullfield.host_tier import host
from fullfield.kernels import stored
from fullfield.memory import allocator
from fullfield.memory.account import Shape
from fullfield.plan import predicting
from fullfield.plan.question import Question
from fullfield.train import build as training

ROOM_BYTES = 1 << 30  # of address space, beside tensors: threads' stacks, heaps, kernels that are loaded late


@dataclass(frozen=True, kw_only=True)
class Answer:
    """`fits`: it ran within the budget; else `reason` says why not, and `refused` that it is impossible at any budget.

    `seconds`: the median step; `predicted`, `peak`: bytes that torch gives out for the whole step at its peak (what the
    process keeps besides is held against the budget too); None: not run, or not known. `techniques`: of the step.
    """

    fits: bool
    reason: str = ""
    seconds: float | None = None
    predicted: int | None = None
    peak: int | None = None
    techniques: tuple[str, ...] = ()
    refused: bool = False


def measure(question: Question, *, threads: int, repeat: int) -> Answer:
    """Predict and run. `question.budget`: bytes that the step may take, with everything. `repeat`: runs that are
    timed."""
    device = devices.choose(question.device)
    training.set_up(device, threads)
    try:
        plan = predicting.ladder(question).plan
    except UsageError as error:
        return Answer(fits=False, reason=error.detail or error.title, refused=question.techniques is not None)
    beside = plan.host_bytes if device.kind == devices.CPU else 0  # the same memory there
    given_out = plan.allocator_bytes + beside
    answer = Answer(fits=False, predicted=given_out, techniques=plan.techniques)
    if plan.peak_bytes > question.budget:
        return replace(answer, reason="predicted to take more than the budget")
    devices.free_cached()
    _limit(question.budget, torch.device(device.name))
    try:
        height, width = question.height, question.width
        shape = Shape(height=height, width=width, batch=question.batch, encoder=question.encoder)
        seconds, peak = run(shape, plan.techniques, torch.device(device.name), repeat)
    except (MemoryError, RuntimeError) as error:
        if not devices.is_out_of_memory(error):
            raise
        return replace(answer, reason="ran out of memory")
    whole = peak + plan.peak_bytes - given_out  # the process's context, and what it keeps besides
    reason = "" if whole <= question.budget else "took more than the budget"
    return replace(answer, fits=not reason, reason=reason, seconds=seconds, peak=peak)


def _limit(budget: int, device: torch.device) -> None:
    if device.type == "cuda":
        total = torch.cuda.get_device_properties(device).total_memory
        torch.cuda.set_per_process_memory_fraction(min(1.0, budget / total), device)
    else:
        system.limit_memory(psutil.Process().memory_info().vms + budget + ROOM_BYTES)


def run(shape: Shape, techniques: tuple[str, ...], device: torch.device, repeat: int) -> tuple[float, int]:
    """(seconds of the median step, bytes of everything at the peak of one)."""
    stepping = Stepping(techniques, encoder=shape.encoder, device=str(device))
    batch = noise(shape, stepping.build)

    def step() -> None:
        stepping.step(batch)

    step()
    taken = [_seconds(step, device)]
    while len(taken) < repeat and taken[0] < LONG_SECONDS:
        taken.append(_seconds(step, device))
    stepping.update.begin(RATE)  # the gradients of the step before are none of the next one's
    there = [*stepping.network.parameters(), *stepping.network.buffers(), *stepping.update.tensors().values()]
    if device.type == "cpu":  # where the batch itself is what goes in
        there += [*stored.tensors(batch.x_NCHW), *stored.tensors(batch.y_NCHW)]
    before = sum(tensor.nbytes for tensor in there if tensor.device.type == device.type and not host.holds(tensor))
    host.ledger.reset()
    peak = allocator.peak(step, device).peak
    beside = host.ledger.peak if device.type == "cpu" else 0  # there the host tier is the same memory
    return statistics.median(taken), before + peak + beside


def _seconds(step: Callable[[], None], device: torch.device) -> float:
    start = time.perf_counter()
    step()
    if device.type == "cuda":
        torch.cuda.synchronize(device)
    return time.perf_counter() - start


def main(arguments: list[str]) -> int:
    """Answer the question that is the only argument, with `threads` and `repeat` beside its fields, as one line of
    JSON."""
    values = json.loads(arguments[0])
    threads, repeat = values.pop("threads"), values.pop("repeat")
    answer = measure(checked.make(Question, values), threads=threads, repeat=repeat)
    sys.stdout.write(json.dumps(asdict(answer)) + "\n")
    return 0


if __name__ == "__main__":
    interpreter.leave(main(sys.argv[1:]))

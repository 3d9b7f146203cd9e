"""What a whole training step takes and says, by the allocator's own records, as processes count it, and never by a
prediction."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import torch

from fullfield.bench.stepping import RATE, Stepping, noise
from fullfield.distribution.traffic import Traffic
from fullfield.memory import allocator
from fullfield.memory.account import Shape
from fullfield.memory.costs import Work
from fullfield.model.network import NetworkSpec
from fullfield.model.network import build as network_of


@cache
def taken(texts: tuple[str, ...], shape: Shape) -> int:
    """Bytes of a second step on the CPU, with what its optimizer remembers; without weights and images."""
    if any(text.partition(":")[0] == "compile" for text in texts):
        torch._dynamo.reset()  # a process that has compiled many networks compiles no more, and steps as plain ones do
    training = Stepping(texts, encoder=shape.encoder)
    batch = noise(shape, training.build)

    def step() -> None:
        training.step(batch)

    kept = allocator.peak(step, training.build.device).kept
    gradients = sum(one.grad.nbytes for one in training.network.parameters() if one.grad is not None)
    training.update.begin(RATE)
    return kept - gradients + allocator.peak(step, training.build.device).peak


def there(shape: Shape) -> int:
    """Bytes of weights, statistics and images, which are there before a step."""
    network = network_of(NetworkSpec(encoder=shape.encoder))
    tensors = [*network.parameters(), *network.buffers()]
    return sum(tensor.nbytes for tensor in tensors) + 2 * 4 * shape.pixels


def said(now: Traffic, before: Traffic) -> Work:
    """What a process has said to others since then."""
    return Work(
        passed=now.sent - before.sent,
        messages=now.messages - before.messages,
        shared=now.shared - before.shared,
        collectives=now.collectives - before.collectives,
    )


def told(work: Work) -> Work:
    """Of a plan's work what a process says to others."""
    return replace(work, flops=0, moved=0, starts=0, sent=0)

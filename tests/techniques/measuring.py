"""What a whole training step takes, by the allocator's own records and never by a prediction."""

from __future__ import annotations

from functools import cache

import torch

from fullfield.bench.stepping import RATE, Stepping, noise
from fullfield.memory import allocator
from fullfield.memory.account import Shape
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

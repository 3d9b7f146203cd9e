"""What a whole training step takes, by the allocator's own records and never by a prediction."""

from __future__ import annotations

from functools import cache

import torch

from fullfield.data.loader import Batch
from fullfield.memory import allocator
from fullfield.memory.account import Shape
from fullfield.model.network import NetworkSpec
from fullfield.model.network import build as network_of
from fullfield.techniques import build as builds
from fullfield.techniques import compose
from fullfield.train.step import train_step
from fullfield.train.update import Update


@cache
def taken(texts: tuple[str, ...], shape: Shape) -> int:
    """Bytes of a second step on the CPU, with what its optimizer remembers; without weights and images."""
    torch.manual_seed(0)
    network = network_of(NetworkSpec(encoder=shape.encoder)).train()
    build = builds.begin(network, torch.device("cpu"))
    compose.apply(compose.read(texts), build)
    update = Update(build)
    x_NCHW = torch.rand(shape.batch, 1, shape.height, shape.width)
    batch = Batch(x_NCHW=x_NCHW, y_NCHW=x_NCHW.sqrt(), shapes=((shape.height, shape.width),) * shape.batch)

    def step() -> None:
        train_step(build, update, batch, loss="ms_ssim", l1=False, rate=1e-4)

    kept = allocator.peak(step, build.device).kept
    gradients = sum(one.grad.nbytes for one in network.parameters() if one.grad is not None)
    network.zero_grad(set_to_none=True)
    return kept - gradients + allocator.peak(step, build.device).peak


def there(shape: Shape) -> int:
    """Bytes of weights, statistics and images, which are there before a step."""
    network = network_of(NetworkSpec(encoder=shape.encoder))
    tensors = [*network.parameters(), *network.buffers()]
    return sum(tensor.nbytes for tensor in tensors) + 2 * 4 * shape.pixels

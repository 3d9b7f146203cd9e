"""How fast a device trains, roughly: a block of convolution, batch normalisation and ReLU, timed forward and backward.

Its figure is FLOPs of convolutions a second with all that goes on around them, so that a network's FLOPs divided by it
are near the seconds of its step. It is no benchmark: `fullfield bench` measures.
"""

from __future__ import annotations

import time

from fullfield import system
from fullfield.hardware import devices

CHANNELS, SIDE, KERNEL, TIMES = 64, 192, 3, 4


def flops_per_second(device: str) -> float:
    """Of torch's device "cpu" or "cuda:N"; takes a second or less. 0, not known, where its memory is full."""
    import torch
    from torch import nn

    before = torch.get_num_threads()
    torch.set_num_threads(system.spare_cores() if device == "cpu" else before)  # as a training does
    try:
        block = nn.Sequential(
            nn.Conv2d(CHANNELS, CHANNELS, KERNEL, padding=1, bias=False), nn.BatchNorm2d(CHANNELS), nn.ReLU()
        ).to(device)
        images = torch.zeros(1, CHANNELS, SIDE, SIDE, device=device, requires_grad=True)
        best = min(_seconds(block, images, device) for _ in range(TIMES))  # the first ones wait for kernels
    except (RuntimeError, MemoryError) as error:
        if not devices.is_out_of_memory(error):
            raise
        return 0.0
    finally:
        torch.set_num_threads(before)
    forward = 2 * CHANNELS * CHANNELS * KERNEL * KERNEL * SIDE * SIDE
    return 3 * forward / max(best, 1e-9)  # backward takes two products of the same size


def _seconds(block: object, images: object, device: str) -> float:
    import torch

    begin = time.perf_counter()
    block(images).sum().backward()  # type: ignore[operator]
    if device != devices.CPU:
        torch.cuda.synchronize(device)
    return time.perf_counter() - begin

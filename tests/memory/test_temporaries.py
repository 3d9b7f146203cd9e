"""What kernels take for themselves, which no trace sees: it depends on more than shapes."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from fullfield.memory import allocator
from fullfield.memory.temporaries import DIRECT, Temporaries
from fullfield.memory.tracker import Operation

BACKWARD = Operation(
    name="aten::convolution_backward",
    weight=(16, 32, 3, 3),
    padding=(0, 1),
    outputs=(False, True),
    dtype="float32",
    sliced=(False, False),
    pixels=64 * 64,
)


def taken(operation: Operation) -> int:
    found = Temporaries("cpu")
    found.require([operation])
    return found.of(operation)


def test_that_a_gradient_that_is_rows_of_a_larger_one_costs_its_copy() -> None:
    torch.set_num_threads(1)
    copied = taken(replace(BACKWARD, sliced=(True, False))) - taken(BACKWARD)
    assert copied >= 0.9 * 16 * 62 * 64 * 4


def test_that_what_is_told_of_many_pixels_is_what_they_take() -> None:
    torch.set_num_threads(1)
    pixels = 8 * DIRECT
    image = torch.rand(1, 32, pixels // 256, 256)
    weight, gradient = torch.rand(16, 32, 3, 3), torch.rand(1, 16, pixels // 256 - 2, 256)

    def run() -> tuple[Tensor, ...]:
        found: tuple[Tensor, ...] = torch.ops.aten.convolution_backward(
            gradient, image, weight, None, [1, 1], [0, 1], [1, 1], False, [0, 0], 1, [False, True, False]
        )
        return found

    run()
    measured = allocator.peak(run, torch.device("cpu")).peak - weight.nbytes
    assert abs(taken(replace(BACKWARD, pixels=pixels)) - measured) <= 0.02 * measured


def test_that_a_convolution_of_one_channel_is_measured_by_the_kernel_that_large_images_get() -> None:
    torch.set_num_threads(1)
    loss = replace(BACKWARD, weight=(1, 1, 11, 1), padding=(0, 0), outputs=(True, False), pixels=512 * 512)
    assert taken(loss) >= 16 * 512 * 500 * 4  # oneDNN makes sixteen channels of one

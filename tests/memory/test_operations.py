"""What a call asks of a device, against what torch itself counts."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from fullfield.memory import operations

aten = torch.ops.aten
GEOMETRY = ([2, 2], [1, 1], [1, 1], False, [0, 0])


def counted(func: object, *args: object) -> tuple[int, int]:
    """FLOPs that torch counts, and ours."""
    with FlopCounterMode(display=False) as counter:
        result = func(*args)  # type: ignore[operator]
    return counter.get_total_flops(), operations.flops(func, args, result)


@pytest.mark.parametrize("groups", [1, 2])
def test_that_a_convolution_asks_for_two_flops_per_multiply_add(groups: int) -> None:
    image, weight = torch.rand(2, 8, 12, 20), torch.rand(6, 8 // groups, 3, 3)
    expected, found = counted(aten.convolution.default, image, weight, None, *GEOMETRY, groups)
    assert found == 2 * (2 * 6 * 6 * 10) * (8 // groups * 9)
    assert found == expected


@pytest.mark.parametrize(
    ("wanted", "times"), [((True, True, False), 2), ((False, True, False), 1), ((True, False, True), 1)]
)
def test_that_each_gradient_of_a_convolution_costs_what_the_convolution_does(
    wanted: tuple[bool, ...], times: int
) -> None:
    image, weight = torch.rand(2, 8, 12, 20), torch.rand(6, 8, 3, 3)
    forward, _ = counted(aten.convolution.default, image, weight, None, *GEOMETRY, 1)
    gradient = torch.rand(2, 6, 6, 10)
    expected, found = counted(aten.convolution_backward.default, gradient, image, weight, [6], *GEOMETRY, 1, wanted)
    assert found == expected == times * forward


def test_that_all_other_operations_are_told_by_the_bytes_that_they_move() -> None:
    one, half = torch.rand(3, 5), torch.rand(7, dtype=torch.float64)
    values: list[Tensor] = [one, half]
    assert operations.flops(aten.add.Tensor, (one, one), one) == 0
    assert operations.moved(aten.add.Tensor, values) == 15 * 4 + 7 * 8
    assert operations.moved(aten.convolution.default, values) == 0
    assert operations.moved(aten.view.default, values) == 0

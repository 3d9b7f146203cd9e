"""What a call asks of a device, against what torch itself counts."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.utils.flop_counter import FlopCounterMode

from fullfield.memory import operations
from fullfield.memory.operations import Operation

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


@pytest.mark.parametrize("images", [1, 2, 3])
def test_that_a_convolution_is_told_by_its_weights_its_geometry_and_the_size_of_its_image(images: int) -> None:
    image, weight = torch.rand(images, 8, 12, 20), torch.rand(6, 4, 3, 1)
    geometry = ([2, 2], [1, 0], [1, 1], False, [0, 0], 2)
    told = Operation(
        name="aten::convolution",
        weight=(6, 4, 3, 1),
        stride=2,
        padding=(1, 0),
        dtype="float32",
        sliced=(False,),
        images=min(2, images),
        pixels=images * 6 * 10,
        rows=6,
        groups=2,
    )
    assert operations.of(aten.convolution.default, (image, weight, None, *geometry)) == told
    gradient = torch.rand(images, 6, 6, 10)
    given = (gradient, image, weight, None, *geometry, [True, False, False])
    backward = Operation(
        **(vars(told) | {"name": "aten::convolution_backward", "outputs": (True, False), "sliced": (False, False)})
    )
    assert operations.of(aten.convolution_backward.default, given) == backward


def test_that_of_a_convolution_it_is_told_which_tensors_are_rows_of_larger_ones() -> None:
    image, weight = torch.rand(1, 8, 12, 20), torch.rand(6, 8, 3, 3)
    gradient = torch.rand(1, 6, 13, 20)

    def sliced(gradient: Tensor, image: Tensor) -> tuple[bool, ...]:
        given = (gradient, image, weight, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True, True, False])
        return operations.of(aten.convolution_backward.default, given).sliced

    assert sliced(gradient[:, :, 1:], image) == (True, False)
    assert sliced(gradient[:, :, :12].contiguous(), image[:, :, 1:]) == (False, True)


def test_that_other_operations_are_told_by_their_first_map_or_by_their_name_alone() -> None:
    image = torch.rand(3, 8, 12, 20, dtype=torch.float64)
    told = Operation(name="aten::add", dtype="float64", channels=8, images=2, pixels=3 * 12 * 20, rows=12)
    assert operations.of(aten.add.Tensor, (image, 1)) == told
    lying = image.contiguous(memory_format=torch.channels_last)
    assert operations.of(aten.add.Tensor, (lying, 1)) == Operation(**(vars(told) | {"channels_last": True}))
    assert operations.of(aten.add.Tensor, (image[:1], 1)).images == 1
    for first in (image[0], 3):
        assert operations.of(aten.add.Tensor, (first, 1)) == Operation(name="aten::add")
    values = (image, image, *[image[0, :, 0, 0]] * 5, True, 1e-5, [True, False, True])
    assert operations.of(aten.native_batch_norm_backward.default, values).outputs == (True, False, True)


def test_that_of_an_operation_nothing_is_said_that_it_does_not_have() -> None:
    nothing = Operation(name="x")
    assert (nothing.stride, nothing.images, nothing.groups) == (1, 1, 1)
    assert (nothing.channels, nothing.pixels, nothing.rows, nothing.channels_last) == (0, 0, 0, False)


@pytest.mark.parametrize(
    ("func", "starts"),
    [
        (aten.add.Tensor, True),
        (aten.copy_.default, True),
        (aten.view.default, False),
        (aten.detach.default, False),
        (aten.empty_like.default, False),
        (torch.ops.profiler._record_function_enter_new.default, False),
    ],
    ids=str,
)
def test_that_views_and_room_and_marks_start_nothing_on_a_card_and_move_no_bytes(func: object, starts: bool) -> None:
    assert operations.starts(func) is starts
    assert operations.moved(func, [torch.rand(5)]) == (20 if starts else 0)

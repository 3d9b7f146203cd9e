"""Images as they are stored, and the floats that their rows become."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from fullfield.kernels import stored
from fullfield.kernels.stored import LEVELS, Stored
from fullfield.memory import account
from fullfield.train.step import laid_out


def images(count: int, *, tables: int) -> tuple[Stored, Tensor]:
    """Of noise, with the floats that they stand for."""
    torch.manual_seed(3)
    levels = torch.randint(0, LEVELS, (count, 1, 9, 14)).to(torch.uint16)
    table = torch.rand(tables, LEVELS)
    values = torch.stack([table[place % tables][one.long()] for place, one in enumerate(levels)])
    return Stored(levels, table), values


@pytest.mark.parametrize("count, tables", [(1, 1), (3, 1), (3, 3)])
def test_that_rows_are_what_each_images_own_table_says(count: int, tables: int) -> None:
    one, values = images(count, tables=tables)
    assert torch.equal(one.rows(2, 7), values[:, :, 2:7])
    assert torch.equal(stored.values(one), values)


def test_that_a_part_of_an_image_and_some_of_the_images_keep_their_values() -> None:
    one, values = images(3, tables=3)
    assert torch.equal(one[..., :8, :11].rows(1, 8), values[..., 1:8, :11])
    assert torch.equal(one[1:3].rows(0, 9), values[1:3])
    assert torch.equal(one[1:2][..., :5].rows(3, 4), values[1:2, :, 3:4, :5])
    assert torch.equal(one[2:3, :, :4, :5].rows(0, 4), values[2:3, :, :4, :5])


@pytest.mark.parametrize("layout", [torch.contiguous_format, torch.channels_last])
def test_that_rows_lie_in_memory_as_those_of_floats_do(layout: torch.memory_format) -> None:
    one, values = images(2, tables=1)
    found, wanted = (laid_out(each, layout) for each in (one, values))
    assert stored.rows(found, 0, 9).stride() == stored.rows(wanted, 0, 9).stride()
    assert torch.equal(stored.rows(found, 0, 9), values)


def test_that_a_plan_counts_its_bytes() -> None:
    one, _ = images(2, tables=2)
    table, levels = account.TABLE_BYTES * 2, account.STORED_BYTES * one.numel()
    assert sum(each.nbytes for each in stored.tensors(one)) == table + levels

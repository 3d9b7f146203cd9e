"""Pinned memory in pieces of their own size."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
import torch

from fullfield.host_tier.arena import ALIGNED, LEAST_BLOCK, Arena, Memory, Piece
from fullfield.host_tier.host import HostTensor, ledger

MIB = 1 << 20
MAPS = (
    280.6,
    280.6,
    140.3,
    140.3,
    140.3,
    104.9,
)  # MiB of maps at 4288 pixels


def arena() -> Arena:
    return Arena(lambda count: np.empty(count, np.uint8))  # nothing is touched, so it takes no memory


class Moment:
    def __init__(self) -> None:
        self.waited = False

    def synchronize(self) -> None:
        self.waited = True


def test_that_pinned_memory_is_as_large_as_what_lies_in_it_and_no_power_of_two() -> None:
    one = arena()
    for mebibytes in MAPS:
        one.take(round(mebibytes * MIB))
    wanted = sum(MAPS) * MIB
    assert wanted <= one.held <= 1.02 * wanted
    rounded = sum(1 << (round(mebibytes * MIB) - 1).bit_length() for mebibytes in MAPS)
    assert rounded > 1.7 * wanted, "which is what torch's own pinned blocks would take"


def test_that_what_is_given_back_is_given_out_again_also_where_two_pieces_have_become_one() -> None:
    one = arena()
    first, second, _ = (one.take(20 * MIB) for _ in range(3))
    held = one.held
    one.give(second)
    one.give(first)
    again = one.take(40 * MIB)
    assert one.held == held
    assert again.memory.ctypes.data == first.memory.ctypes.data


def test_that_pieces_never_overlap_and_a_training_takes_no_more_with_every_step() -> None:
    one, chance = arena(), random.Random(3)
    for _ in range(4):
        there: list[Piece] = []
        for _ in range(60):
            if there and chance.random() < 0.45:
                one.give(there.pop(chance.randrange(len(there))))
            else:
                there.append(one.take(chance.randint(1, 3 * MIB)))
            spans = sorted((piece.memory.ctypes.data, piece.memory.nbytes) for piece in there)
            assert all(start + size <= after for (start, size), (after, _) in pairwise(spans))
            assert all(start % ALIGNED == spans[0][0] % ALIGNED for start, _ in spans)
        for piece in there:
            one.give(piece)
    assert one.held <= 2 * LEAST_BLOCK
    one.take(LEAST_BLOCK)
    assert one.held <= 2 * LEAST_BLOCK, "all that was given back is whole again"


@pytest.mark.parametrize("joined", [False, True])
def test_that_nobody_gets_memory_that_a_card_is_still_copying(joined: bool) -> None:
    one, moment = arena(), Moment()
    first, second, _ = (one.take(20 * MIB) for _ in range(3))
    second.last = moment
    one.give(second)
    if joined:
        one.give(first)
    assert not moment.waited
    one.take(40 * MIB if joined else 20 * MIB)
    assert moment.waited


def test_that_a_block_that_cannot_be_pinned_is_an_error_and_nothing_is_held() -> None:
    def refused(count: int) -> Memory:
        raise RuntimeError("CUDA error: out of memory")

    one = Arena(refused)
    with pytest.raises(RuntimeError):
        one.take(5)
    assert one.held == 0


def test_that_a_tensor_for_which_there_is_no_room_counts_for_nothing() -> None:
    before = ledger.live
    with pytest.raises(MemoryError):
        HostTensor((1 << 60,), torch.float32, torch.device("cpu"))
    assert ledger.live == before

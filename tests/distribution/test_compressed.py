"""Gradients that ranks sum in fewer bytes: what is sent, what comes out, and what becomes of what was left over."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from fleets import fleet
from fullfield.distribution import compressed
from fullfield.distribution.compressed import Summing
from fullfield.distribution.processes import Traffic
from fullfield.distribution.team import Later, Team
from teams import Member, together

RANKS = 3
SHAPES = ((32, 16, 3, 3), (24, 40), (7,), (1, 3))
NUMBERS = [math.prod(shape) for shape in SHAPES]

FORMATS: dict[str, Callable[[Team], Summing]] = {
    "fp16": lambda team: compressed.Cast(team, torch.float16),
    "bf16": lambda team: compressed.Cast(team, torch.bfloat16),
    "int8": compressed.Int8,
    "topk": lambda team: compressed.TopK(team, 0.05),
    "powersgd": lambda team: compressed.LowRank(team, 2),
}
REMEMBERING = ("int8", "topk", "powersgd")
COSINE = {"fp16": 1 - 1e-6, "bf16": 1 - 1e-5, "int8": 1 - 1e-3, "topk": 0.3, "powersgd": 0.2}
"""Of gradients without any structure, which a few numbers or a low rank hardly describe."""


def parameters(dtype: torch.dtype) -> list[nn.Parameter]:
    return [nn.Parameter(torch.zeros(shape, dtype=dtype)) for shape in SHAPES]


def gradients(step: int, rank: int, dtype: torch.dtype) -> list[Tensor]:
    chance = torch.Generator().manual_seed(10 * step + rank)
    return [torch.randn(shape, generator=chance, dtype=torch.float64).to(dtype) for shape in SHAPES]


def true(step: int, dtype: torch.dtype = torch.float64) -> list[Tensor]:
    every = [gradients(step, rank, dtype) for rank in range(RANKS)]
    return [torch.stack(column).sum(0) for column in zip(*every, strict=True)]


def sums(team: Team, name: str, dtype: torch.dtype, steps: int = 1, *, same: bool = False) -> list[list[Tensor]]:
    """Of each step. `same`: in all of them the gradients of the first."""
    named, summing = parameters(dtype), FORMATS[name](team)
    return [summing(named, gradients(0 if same else step, team.rank, dtype))() for step in range(steps)]


def flat(tensors: list[Tensor]) -> Tensor:
    return torch.cat([one.reshape(-1) for one in tensors]).double()


@pytest.mark.parametrize("name", FORMATS)
def test_that_the_sum_is_near_the_true_one_and_has_the_same_bits_on_all_ranks(name: str) -> None:
    found = together(RANKS, lambda team: sums(team, name, torch.float32)[0])
    for other in found[1:]:
        assert all(torch.equal(one, two) for one, two in zip(found[0], other, strict=True))
    wanted = true(0, torch.float32)
    assert [one.shape for one in found[0]] == [one.shape for one in wanted]
    assert torch.cosine_similarity(flat(found[0]), flat(wanted), dim=0) > COSINE[name]
    if name in REMEMBERING:
        assert torch.equal(found[0][2], wanted[2])
        assert not torch.equal(found[0][0], wanted[0])


@pytest.mark.parametrize("name", REMEMBERING)
def test_that_over_many_steps_what_was_left_over_makes_the_sum_right(name: str) -> None:
    """The mean of n sums of one gradient is off by what is remembered, over n: by half a step of int8 at most."""
    steps = 64
    wanted = flat(true(0))

    def off(found: list[list[Tensor]]) -> float:
        return float((torch.stack([flat(one) for one in found]).mean(0) - wanted).norm() / wanted.norm())

    (found, *_) = together(RANKS, lambda team: sums(team, name, torch.float64, steps, same=True))
    assert off(found) < 0.25 * off(found[:8]) < 0.25 * off(found[:1]), [off(found[:count]) for count in (1, 8, steps)]


@pytest.mark.parametrize("name", REMEMBERING)
def test_that_what_was_sent_and_what_is_remembered_are_all_that_there_was(name: str) -> None:
    steps = 5

    def rank(team: Member) -> tuple[list[list[Tensor]], Tensor]:
        named, summing = parameters(torch.float64), FORMATS[name](team)
        found = [summing(named, gradients(step, team.rank, torch.float64))() for step in range(steps)]
        kept = summing._errors  # type: ignore[attr-defined]
        return found, flat([kept.get(one, torch.zeros_like(one)).detach() for one in named])

    every = together(RANKS, rank)
    given = sum(flat(found) for found in every[0][0])
    remembered = sum(left for _, left in every)
    torch.testing.assert_close(given + remembered, sum(flat(true(step)) for step in range(steps)), rtol=0, atol=1e-12)


def test_that_a_sum_of_low_rank_is_found_whole() -> None:
    chance = torch.Generator().manual_seed(1)
    left, right = (torch.randn(count, 2, generator=chance, dtype=torch.float64) for count in (24, 40))
    named = [nn.Parameter(torch.zeros(24, 40, dtype=torch.float64))]

    def rank(team: Member) -> Tensor:
        (found,) = FORMATS["powersgd"](team)(named, [(team.rank + 1.0) * left @ right.T])()
        return found

    for found in together(RANKS, rank):
        torch.testing.assert_close(found, 6.0 * left @ right.T, rtol=0, atol=1e-12)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("name", FORMATS)
def test_that_what_is_not_finite_on_one_rank_is_finite_on_none_and_is_not_remembered(name: str, bad: float) -> None:
    def rank(team: Member) -> list[list[Tensor]]:
        named, summing = parameters(torch.float32), FORMATS[name](team)
        found = []
        for step in range(3):
            own = gradients(step, team.rank, torch.float32)
            if step == 1 and team.rank == 1:
                own[0][3, 2, 1, 0] = bad
            found.append(summing(named, own)())
        return found

    for first, spoiled, after in together(RANKS, rank):
        assert not spoiled[0].isfinite().all()
        assert all(one.isfinite().all() for one in (*first, *after))


@pytest.mark.parametrize("name", FORMATS)
def test_that_gradients_of_zero_are_sums_of_zero_and_the_next_ones_are_not(name: str) -> None:
    def rank(team: Member) -> list[list[Tensor]]:
        named, summing = parameters(torch.float32), FORMATS[name](team)
        zeros = [torch.zeros(shape) for shape in SHAPES]
        return [
            summing(named, [one.clone() for one in own])()
            for own in (zeros, zeros, gradients(1, team.rank, torch.float32))
        ]

    for first, second, third in together(RANKS, rank):
        assert not flat(first).any() and not flat(second).any() and all(one.any() for one in third)


def of_processes(team: Any) -> dict[str, tuple[list[list[Tensor]], dict[str, int]]]:
    """By format, two steps and what they sent."""
    found = {}
    for name in FORMATS:
        team.traffic = Traffic()
        found[name] = sums(team, name, torch.float32, 2), vars(team.traffic)
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="torch has no gloo for Windows that works")
def test_that_processes_count_what_is_sent_and_have_the_same_bits(tmp_path: Path) -> None:
    whole = sum(NUMBERS)
    large, vectors = NUMBERS[0] + NUMBERS[1], NUMBERS[2]
    found = fleet(RANKS, "distribution.test_compressed:of_processes", tmp_path)
    wanted = together(RANKS, lambda team: {name: sums(team, name, torch.float32, 2) for name in FORMATS})
    sent = {
        "fp16": 2 * whole,
        "bf16": 2 * whole,
        "int8": large + NUMBERS[3] + 3 * 4 + 4 * vectors,
        "topk": 8 * (round(0.05 * NUMBERS[0]) + round(0.05 * NUMBERS[1]) + 1) + 4 * vectors,
        "powersgd": 4 * (2 * (32 + 16 * 9) + 2 * (24 + 40) + vectors + NUMBERS[3]),
    }
    for name, bytes_ in sent.items():
        for rank, each in enumerate(found):
            tensors, traffic = each[name]
            assert traffic["shared"] == 2 * bytes_ and traffic["sent"] == 0, name
            assert torch.equal(flat(tensors[1]), flat(found[0][name][0][1])), name
            torch.testing.assert_close(flat(tensors[1]), flat(wanted[rank][name][1]), rtol=0.01, atol=0.05)
    assert all(bytes_ <= 4 * whole / 2 for bytes_ in sent.values())


class Waiting(Team):
    """A rank whose messages are under way until they are waited for."""

    def __init__(self) -> None:
        super().__init__(0, 1)
        self.under_way = 0

    def _begun(self, found: list[Tensor]) -> Later:
        self.under_way += 1

        def wait() -> list[Tensor]:
            self.under_way -= 1
            return found

        return wait

    def sum_later(self, tensors: Any) -> Later:
        """See Team."""
        return self._begun(list(tensors))

    def gather_later(self, tensor: Tensor) -> Later:
        """See Team."""
        return self._begun([tensor])


@pytest.mark.parametrize("name", FORMATS)
def test_that_nothing_is_waited_for_when_a_sum_begins(name: str) -> None:
    team = Waiting()
    later = FORMATS[name](team)(parameters(torch.float32), gradients(0, 0, torch.float32))
    assert team.under_way == (1 if name in ("fp16", "bf16") else 2)
    later()
    assert team.under_way == 0

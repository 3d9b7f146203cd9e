"""1 − MS-SSIM of images whose rows are divided among ranks, beside pytorch-msssim of the whole images."""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest
import torch
from torch import Tensor

from fullfield.bench.stepping import as_stored
from fullfield.distribution.counting import Counting
from fullfield.distribution.team import Team
from fullfield.kernels import msssim, plain_loss, rows, stored
from fullfield.kernels.msssim import Structure
from fullfield.kernels.msssim_shares import SharedStructure
from teams import outcome, together


def pair(batch: int, height: int, width: int) -> tuple[Tensor, Tensor]:
    torch.manual_seed(5)
    y = torch.rand(batch, 1, height, width, dtype=torch.float64)
    return 0.8 * y + 0.1 * torch.rand_like(y), y


def structure(team: Team, band_rows: int = 48) -> SharedStructure:
    return SharedStructure(of=Structure(variant=msssim.UNCOMPILED, band_rows=band_rows), team=team)


def shares(height: int, ranks: int) -> list[int]:
    return [last - first for first, last in (Team(rank, ranks).own(height) for rank in range(ranks))]


@pytest.mark.parametrize(
    ("shape", "counts"),
    [
        ((2, 176, 192), shares(176, 2)),
        ((1, 177, 191), shares(177, 3)),
        ((1, 161, 161), shares(161, 5)),  # of ten rows and a bit at the coarsest scale
        ((1, 203, 170), [90, 1, 0, 111, 1, 0]),  # the true part of an image may end before a rank's rows begin
        ((1, 170, 170), [0, 169, 1]),
    ],
    ids=str,
)
@pytest.mark.parametrize("band_rows", [7, 10_000])
def test_that_value_and_gradient_are_those_of_pytorch_msssim(
    shape: tuple[int, int, int], counts: list[int], band_rows: int
) -> None:
    x, y = pair(*shape)
    spans = [slice(*span) for span in pairwise(accumulate(counts, initial=0))]

    def work(team: Team) -> tuple[Tensor, Tensor]:
        own = x[:, :, spans[team.rank]].clone().requires_grad_()
        value = 3 * structure(team, band_rows)(own, y[:, :, spans[team.rank]])
        return value.detach(), torch.autograd.grad(value, own)[0]

    found = together(len(counts), work)
    whole = x.requires_grad_()
    wanted = 3 * plain_loss.structure(whole, y)
    (right,) = torch.autograd.grad(wanted, whole)
    assert 0 < wanted.item() < 3
    assert abs(found[0][0].item() - wanted.item()) <= 5e-14
    assert all(torch.equal(value, found[0][0]) for value, _ in found)
    gradient = torch.cat([own for _, own in found], dim=2)
    assert (gradient - right).norm() <= 1e-12 * right.norm()


def test_that_a_reference_as_it_is_stored_gives_the_same_bits() -> None:
    x, y = (each.float() for each in pair(1, 176, 180))
    kept = as_stored(y)

    def work(team: Team) -> list[Tensor]:
        lo, hi = team.own(176)
        found = []
        for reference in (kept[:, :, lo:hi], stored.values(kept)[:, :, lo:hi]):
            own = x[:, :, lo:hi].clone().requires_grad_()
            value = structure(team)(own, reference)
            found += [value.detach(), torch.autograd.grad(value, own)[0]]
        return found

    for one, gradient, other, beside in together(2, work):
        assert torch.equal(one, other) and torch.equal(gradient, beside)


def test_that_what_it_cannot_do_is_refused_on_every_rank() -> None:
    x, y = pair(1, 176, 176)

    def refused(team: Team, height: int) -> object:
        lo, hi = team.own(height)
        return outcome(lambda: structure(team)(x[:, :, lo:hi], y[:, :, lo:hi]))

    assert all("at least 161" in str(one) for one in together(2, lambda team: refused(team, 160)))
    assert all(isinstance(one, Tensor) for one in together(2, lambda team: refused(team, 161)))

    def twice(team: Team) -> object:
        lo, hi = team.own(176)
        value = structure(team)(x[:, :, lo:hi].clone().requires_grad_(), y[:, :, lo:hi])
        value.backward(retain_graph=True)
        return outcome(value.backward)

    assert all("one backward" in str(one) for one in together(2, twice))


def test_that_a_trace_of_a_rank_counts_what_it_sends_and_sums_once() -> None:
    team = Counting(1, (1,) * 4, 4 * 1072)
    with torch.device("meta"), rows.sampling():
        x, y = torch.empty(1, 1, 1072, 4288, requires_grad=True), torch.empty(1, 1, 1072, 4288)
        (gradient,) = torch.autograd.grad(structure(team)(x, y), x)
    assert gradient.shape == x.shape
    assert team.traffic.collectives == 1 + 1 and team.traffic.shared == 4 * 8 + 5 * 8  # who has what; five sums
    assert team.traffic.messages == 2 * 5  # rows of both images, and of a gradient; nothing else at even heights
    assert team.traffic.sent < 30 * 2 * 4288 * 4 * 2

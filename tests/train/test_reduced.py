"""What ranks that train on different images put together."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from fullfield.distribution.team import ALONE
from fullfield.train import reduced
from teams import Member, together


def _parameters(count: int = 4) -> list[nn.Parameter]:
    return [nn.Parameter(torch.zeros(3, dtype=torch.float64)) for _ in range(count)]


@pytest.mark.parametrize("bucket", [1, 60, reduced.BUCKET_BYTES])
def test_that_gradients_are_summed_whatever_the_size_of_a_message(monkeypatch: pytest.MonkeyPatch, bucket: int) -> None:
    monkeypatch.setattr(reduced, "BUCKET_BYTES", bucket)

    def rank(team: Member) -> list[Tensor | None]:
        parameters = _parameters()
        for number, parameter in enumerate(parameters):
            if (team.rank, number) != (1, 2):  # which has no gradient on rank 1
                parameter.grad = torch.full((3,), float(10**number * (team.rank + 1)), dtype=torch.float64)
        reduced.sum_gradients(team, parameters)
        return [parameter.grad for parameter in parameters]

    for found in together(3, rank):
        assert [None if one is None else one[0].item() for one in found] == [6, 60, 400, 6000]


@pytest.mark.parametrize("arrival", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3), ()])
def test_that_gradients_are_summed_in_one_order_though_ranks_have_them_in_another(arrival: tuple[int, ...]) -> None:
    def rank(team: Member) -> list[tuple[int, float]]:
        parameters, made = _parameters(), []
        place = {parameter: number for number, parameter in enumerate(parameters)}

        def update(parameter: nn.Parameter) -> None:
            assert parameter.grad is not None
            made.append((place[parameter], parameter.grad[0].item()))
            parameter.grad = None

        ordered = reduced.InOrder(team, parameters, update)
        for _ in range(2):  # steps
            for number in arrival if team.rank else range(4):
                parameters[number].grad = torch.full((3,), 1.0 + number, dtype=torch.float64)
                ordered.take(parameters[number])
            ordered.finish()
        return made

    every = together(2, rank)
    assert every[0] == every[1]
    assert every[0] == 2 * [(number, (1.0 + number) * (1 + (number in arrival))) for number in range(4)]


def test_that_a_rank_that_is_alone_updates_what_it_has_when_it_has_it() -> None:
    made: list[nn.Parameter] = []
    parameters = _parameters()

    ordered = reduced.InOrder(ALONE, parameters, made.append)
    ordered.take(parameters[3])

    assert made == [parameters[3]]
    ordered.finish()
    assert made == [parameters[3]]


@pytest.mark.parametrize("shares", [(2, 1), (1, 1), (3, 0)])
def test_that_running_statistics_are_those_of_all_images(shares: tuple[int, ...]) -> None:
    generator = torch.Generator().manual_seed(3)
    steps = torch.rand(4, sum(shares), 5, 7, 7, dtype=torch.float64, generator=generator)
    steps[:, 0] += 3.0  # so the means of ranks are far apart

    def rank(team: Member) -> nn.BatchNorm2d:
        norm = nn.BatchNorm2d(5, momentum=0.3, dtype=torch.float64)
        statistics = reduced.Statistics(team, nn.Sequential(norm))
        first = sum(shares[: team.rank])
        for images in steps:
            own = images[first : first + shares[team.rank]]
            if len(own):
                norm(own)
            statistics.merge(len(own) / len(images))
        return norm

    one, other = together(2, rank)
    mean, variance = torch.zeros(5, dtype=torch.float64), torch.ones(5, dtype=torch.float64)
    for images in steps:
        within, first = torch.zeros(5, dtype=torch.float64), 0
        for count in shares:
            if count:
                own = images[first : first + count]
                unbiased, apart = own.var((0, 2, 3)), own.mean((0, 2, 3)) - images.mean((0, 2, 3))
                within += count / len(images) * (unbiased + apart**2)
            first += count
        mean, variance = 0.7 * mean + 0.3 * images.mean((0, 2, 3)), 0.7 * variance + 0.3 * within
    for norm in (one, other):
        torch.testing.assert_close(norm.running_mean, mean, rtol=1e-13, atol=0)
        torch.testing.assert_close(norm.running_var, variance, rtol=1e-12, atol=0)
    assert torch.equal(one.running_mean, other.running_mean) and torch.equal(one.running_var, other.running_var)

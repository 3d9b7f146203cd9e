"""What ranks that train on different images put together."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from fullfield.distribution import buckets
from fullfield.distribution.joint import Joint
from fullfield.distribution.team import ALONE, Later, Team
from fullfield.memory.watch import BACKWARD
from fullfield.train import reduced
from fullfield.train import step as steps
from fullfield.train.update import Update
from teams import Member, together
from train.ranks import batch, small_network

ENDS = f"{BACKWARD} ends"


def _parameters(count: int = 4) -> list[nn.Parameter]:
    return [nn.Parameter(torch.zeros(3, dtype=torch.float64)) for _ in range(count)]


@pytest.mark.parametrize("bucket", [1, 60, buckets.BUCKET_BYTES])
@pytest.mark.parametrize("arrival", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3), ()])
@pytest.mark.parametrize("inside", [False, True])
def test_that_gradients_are_summed_in_one_order_though_ranks_have_them_in_another(
    monkeypatch: pytest.MonkeyPatch, bucket: int, arrival: tuple[int, ...], inside: bool
) -> None:
    monkeypatch.setattr(buckets, "BUCKET_BYTES", bucket)

    def rank(team: Member) -> list[tuple[int, float]]:
        parameters, made = _parameters(), []
        place = {parameter: number for number, parameter in enumerate(parameters)}

        def update(parameter: nn.Parameter) -> None:
            assert parameter.grad is not None
            made.append((place[parameter], parameter.grad[0].item()))
            parameter.grad = None

        summed = reduced.Reduced(team, parameters, update=update if inside else None)
        for _ in range(2):  # steps
            summed.begin()
            summed.open()
            for number in arrival if team.rank else range(4):
                parameters[number].grad = torch.full((3,), 10.0**number, dtype=torch.float64)
                summed.take(parameters[number])
            summed.finish()
            for parameter in parameters if not inside else ():
                update(parameter)
        return made

    every = together(3, rank)
    assert every[0] == every[1] == every[2]
    assert every[0] == 2 * [(number, 10.0**number * (1 + 2 * (number in arrival))) for number in range(4)]


def test_that_a_sum_lies_as_its_parameter_does_for_fused_optimizers_look_at_memory_alone() -> None:
    values = torch.arange(72.0).view(2, 4, 3, 3)

    def rank(team: Member) -> nn.Parameter:
        parameter = nn.Parameter(values.contiguous(memory_format=torch.channels_last))
        summed = reduced.Reduced(team, [parameter])
        summed.open()
        parameter.grad = values.contiguous(memory_format=torch.channels_last)
        summed.take(parameter)
        summed.finish()
        return parameter

    for one in together(2, rank):
        assert one.grad is not None and one.grad.stride() == one.stride() and torch.equal(one.grad, 2 * values)


def test_that_a_rank_that_is_alone_updates_what_it_has_when_it_has_it() -> None:
    made: list[nn.Parameter] = []
    parameters = _parameters()

    summed = reduced.Reduced(ALONE, parameters, update=made.append)
    summed.take(parameters[3])

    assert made == [parameters[3]]
    summed.finish()
    assert made == [parameters[3]]


class Listening(Team):
    """The first of two ranks, whose other one sends zeros; it notes when sums begin and are waited for."""

    def __init__(self) -> None:
        super().__init__(0, 2)
        self.received: list[str] = []

    def sum_later(self, tensors: Sequence[Tensor]) -> Later:
        """See Team."""
        self.received.append("begins")

        def wait() -> list[Tensor]:
            self.received.append("is waited for")
            return list(tensors)

        return wait

    @contextlib.contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Of a step."""
        self.received += [name] * (name == BACKWARD)
        yield
        self.received += [f"{name} ends"] * (name == BACKWARD)


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({}, [BACKWARD, *["begins"] * 6, ENDS, *["is waited for"] * 6]),
        ({"micro": 1}, [BACKWARD, ENDS, BACKWARD, *["begins"] * 6, ENDS, *["is waited for"] * 6]),
        ({"in_backward": True}, [BACKWARD, *["begins", "is waited for"] * 5, "begins", ENDS, "is waited for"]),
        ({"joint": Joint(team=ALONE, images=(1,))}, [BACKWARD, ENDS, *["begins"] * 6, *["is waited for"] * 6]),
    ],
    ids=["batch", "micro-batches", "updates inside", "joint statistics"],
)
def test_that_buckets_leave_while_the_last_backward_goes_on_and_are_waited_for_after_it(
    monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], wanted: list[str]
) -> None:
    monkeypatch.setattr(buckets, "BUCKET_BYTES", 1)
    team = Listening()
    build = small_network(team, **changes)
    done = steps.train_step(
        build,
        Update(build),
        batch([0, 1], whole=4),
        loss="ms_ssim+l1",
        l1=False,
        rate=0.01,
        phase=team.phase,
        team=team,
    )
    assert team.received[: len(wanted)] == wanted
    assert done.gradient > 0


def test_that_a_gradient_that_comes_after_its_sum_is_no_silent_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buckets, "BUCKET_BYTES", 1)
    parameters = _parameters()
    summed = reduced.Reduced(Listening(), parameters)
    summed.open()
    summed.take(parameters[0])
    with pytest.raises(RuntimeError, match="after its sum"):
        summed.take(parameters[0])


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

"""Gradients that go to the rank that owns their parameter: in one order, each when those before it have gone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch
from torch import Tensor, nn

from fullfield.distribution.owners import Owners
from fullfield.distribution.team import Team
from fullfield.train.owned import ToOwners, counted, send_weights
from fullfield.train.update import Update
from teams import Member, together
from train.ranks import small_network


class Told(Team):
    """Rank 0 of two, which notes what is summed and where."""

    def __init__(self) -> None:
        super().__init__(0, 2)
        self.sums: list[tuple[list[float], int]] = []

    def reduce(self, tensor: Tensor, to: int) -> None:
        """See Team."""
        assert tensor.is_contiguous()
        self.sums.append((tensor.flatten().tolist(), to))
        tensor.add_(100.0)


def parameters(count: int = 3) -> list[nn.Parameter]:
    return [nn.Parameter(torch.zeros(2)) for _ in range(count)]


def test_that_they_go_in_their_order_whenever_they_come_and_stay_with_their_owner_alone() -> None:
    team, (one, two, three), updated = Told(), parameters(), list[nn.Parameter]()
    sent = ToOwners(team, [(one, 0), (two, 1), (three, 0)], update=updated.append)
    for value, parameter in enumerate((one, two, three)):
        parameter.grad = torch.full((2,), float(value))
    sent.take(two)
    sent.take(three)
    assert team.sums == [] and updated == []
    sent.take(one)
    assert team.sums == [([0.0, 0.0], 0), ([1.0, 1.0], 1), ([2.0, 2.0], 0)]
    assert one.grad is not None and one.grad.tolist() == [100.0, 100.0]
    assert two.grad is None, "it is another rank's"
    assert updated == [one, three]
    sent.finish(last=True)
    assert len(team.sums) == 3


def test_that_what_has_no_gradient_here_counts_as_zero_at_the_end_of_each_backward() -> None:
    team, (one, two, three) = Told(), parameters()
    sent = ToOwners(team, [(one, 1), (two, 0), (three, 1)])
    for _ in range(2):  # of two backwards of a step
        team.sums.clear()
        one.grad, two.grad, three.grad = torch.ones(2), None, None
        sent.open()
        sent.take(one)
        assert team.sums == [([1.0, 1.0], 1)]
        sent.finish(last=False)
        assert team.sums[1:] == [([0.0, 0.0], 0), ([0.0, 0.0], 1)]
        assert one.grad is three.grad is None and two.grad is not None and two.grad.tolist() == [100.0, 100.0]


def test_that_a_step_begins_with_no_gradient_that_is_there() -> None:
    team, (one, two, _) = Told(), parameters()
    sent = ToOwners(team, [(one, 0), (two, 0)])
    two.grad = torch.ones(2)
    sent.take(two)
    sent.begin()
    one.grad = torch.ones(2)
    sent.take(one)
    assert len(team.sums) == 1, "of the second one nothing is known yet"
    sent.begin()
    sent.take(one)
    assert len(team.sums) == 2


def test_that_a_gradient_lies_as_its_parameter_does_when_it_is_sent() -> None:
    team, weight = Told(), nn.Parameter(torch.zeros(2, 3))
    weight.grad = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]).t()
    ToOwners(team, [(weight, 0)]).take(weight)
    assert team.sums == [([1.0, 3.0, 5.0, 2.0, 4.0, 6.0], 0)]
    assert weight.grad is not None and weight.grad.stride() == weight.stride()
    same = nn.Parameter(torch.zeros(2))
    same.grad = gradient = torch.ones(2)
    ToOwners(team, [(same, 0)]).take(same)
    assert same.grad is gradient, "which was not copied"


def test_that_every_owner_sends_its_weights_to_all() -> None:
    def rank(team: Member) -> list[float]:
        named = {name: nn.Parameter(torch.tensor([10.0 * team.rank + place])) for place, name in enumerate("abcd")}
        send_weights(Owners(ranks=team, by_name={"a": 1, "b": 0, "c": 1, "d": 0}), named)
        return [one.item() for one in named.values()]

    assert together(3, rank) == [[10.0, 1.0, 12.0, 3.0]] * 3


@pytest.mark.parametrize(
    ("alike", "owned", "wanted"),
    [(True, None, []), (False, None, ["running_mean", "running_var"]), (False, "running_var", ["running_mean"])],
)
def test_that_unlike_ranks_have_what_forwards_count_from_the_first_of_them(
    alike: bool, owned: str | None, wanted: list[str]
) -> None:
    norm, ranks = nn.BatchNorm2d(2), Team(0, 2)
    ranks.alike = alike
    owners = None if owned is None else Owners(ranks=ranks, by_name={owned: 0}, weights=frozenset({owned}))
    found = counted(cast(Any, SimpleNamespace(ranks=ranks, owners=owners, network=norm)))
    assert [name for name, one in norm.named_buffers() if any(one is each for each in found)] == wanted


def test_that_a_gradient_that_another_rank_updates_by_stays_until_the_last_backward_of_a_step() -> None:
    plain = small_network()
    names = [name for name, _ in plain.network.named_parameters()]
    owners = Owners(ranks=Team(0, 2), by_name={name: place % 2 for place, name in enumerate(names)})
    build = small_network(owners=owners)
    update = Update(build)
    parameters = dict(build.network.named_parameters())
    for parameter in parameters.values():
        parameter.grad = torch.ones_like(parameter)
    update.end_backward(last=False)
    assert all(parameter.grad is not None for parameter in parameters.values())
    update.end_backward(last=True)
    assert [name for name, parameter in parameters.items() if parameter.grad is not None] == names[::2]

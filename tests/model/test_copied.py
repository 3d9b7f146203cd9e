"""A copy of a network has all that it has, and nothing in common with it."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import Tensor, nn

from fullfield.model import network as networks
from fullfield.model.copied import copied
from fullfield.model.spec import named


@pytest.mark.parametrize("encoder", ["resnet18", "map"])
def test_that_a_copy_computes_the_same_and_changes_alone(encoder: str) -> None:
    torch.manual_seed(0)
    network = networks.build(named(encoder)).train()
    x = torch.rand(2, 1, 64, 64)
    made, usual = copied(network), copy.deepcopy(network)
    assert all(map(torch.equal, _tensors(made(x), made), _tensors(usual(x), usual)))
    before = [one.clone() for one in network.state_dict().values()]
    for one in (*made.parameters(), *made.buffers()):
        one.data.zero_()
    made.eval().register_forward_pre_hook(lambda *_: None)
    assert all(map(torch.equal, before, network.state_dict().values()))
    assert network.training and not network._forward_pre_hooks
    assert vars(made).keys() == vars(network).keys() and made.spec == network.spec


def test_that_what_a_module_holds_twice_its_copy_holds_twice() -> None:
    shared = nn.Linear(2, 2)
    whole = nn.Sequential(shared, nn.ModuleList([shared]), nn.Linear(2, 2))
    whole[2].weight = shared.weight
    whole.own = {"of": shared, "weights": [shared.weight]}
    whole.register_buffer("counted", torch.ones(1))
    whole.other = whole.counted
    made = copied(whole)
    assert made[0] is made[1][0] is made.own["of"] is not shared
    assert made[0].weight is made[2].weight is made.own["weights"][0] is not shared.weight
    assert made.other is made.counted is not whole.counted


def test_that_a_copy_has_the_layout_and_what_is_trained_of_its_original() -> None:
    network = nn.Sequential(nn.Conv2d(4, 4, 3), nn.BatchNorm2d(4)).to(memory_format=torch.channels_last)
    network[0].weight.requires_grad_(False)
    made = copied(network)
    assert made[0].weight.is_contiguous(memory_format=torch.channels_last) and not made[0].weight.requires_grad
    assert isinstance(made[1].weight, nn.Parameter) and made[1].weight.requires_grad
    with torch.device("meta"):
        assert copied(network)[0].weight.device == torch.device("cpu")


def _tensors(made: Tensor, network: nn.Module) -> list[Tensor]:
    return [made, *network.state_dict().values()]

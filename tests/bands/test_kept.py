"""Parts of the network of which each rank has some rows, with all maps kept: encoders of other than basic blocks."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import Tensor

from fullfield.bands import kept
from fullfield.distribution.team import Team
from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.network import Network
from teams import together
from techniques import exactness
from techniques.exactness import Found

HEIGHT, WIDTH = 96, 64
OTHERS = tuple(name for name, encoder in ENCODERS.items() if not encoder.basic)


def step(network: Network, x: Tensor, team: Team) -> Found:
    """Of the sum of the prediction's squares, over all rows in the end."""
    network = copy.deepcopy(network)
    first, last = team.own(HEIGHT)
    run = kept.chain(network, team) if team.size > 1 else network
    made: Tensor = run(x[:, :, first:last])
    value = made.square().sum()
    value.backward()
    found = {name: one.grad for name, one in network.named_parameters() if one.grad is not None}
    (whole,) = team.sum([value.detach()])
    return Found(value=whole, gradients=found, statistics=dict(network.named_buffers()))


@pytest.mark.parametrize("encoder", OTHERS)
def test_that_ranks_with_some_rows_each_find_what_one_finds_of_all(encoder: str) -> None:
    torch.set_num_threads(1)
    network, x, _ = exactness.reference(encoder, 2, HEIGHT, WIDTH)
    wanted = step(network, x, Team())
    for found in together(2, lambda team: step(network, x, team.portioned((2, 1)))):
        exactness.agree(found, wanted)

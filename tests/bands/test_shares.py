"""Segments of maps whose rows are divided among ranks: pieces of the network at heights that do not divide evenly."""

from __future__ import annotations

import copy
import math

import pytest
import torch
from torch import Tensor

from fullfield.bands import graph
from fullfield.bands.segment import Segment
from fullfield.bands.spans import Bands
from fullfield.bands.streamed import Streamed
from fullfield.bands.waiting import Piece
from fullfield.distribution.counting import Counting
from fullfield.distribution.team import ALONE, Team
from fullfield.model.network import Network, NetworkSpec
from fullfield.model.network import build as network_of
from teams import Member, together

RANKS = 3
Found = dict[str, Tensor]


@pytest.fixture(scope="module")
def whole() -> Network:
    torch.set_num_threads(1)
    torch.manual_seed(5)
    return network_of(NetworkSpec(encoder="resnet18")).double().train()


@pytest.mark.parametrize(("height", "rows"), [(27, 4), (64, 7), (9, 100), (5, 1)])
def test_that_the_bands_of_a_rank_are_the_rows_that_it_owns_of_every_map(
    whole: Network, height: int, rows: int
) -> None:
    nodes = graph.ordered(graph.residual(whole, "layer2", 0))
    for rank in range(RANKS):
        team = Counting(rank, (1,) * RANKS, height)
        bands = Bands(nodes, {"layer1": height}, rows, team)
        own = list(bands.visit())
        assert own == list(bands.of(rank)) and bands.count == RANKS * len(own)
        for node in nodes:
            spans = [bands.own(node, number) for number in own]
            assert (spans[0][0], spans[-1][1]) == team.own(bands.heights[node]) == bands.shares(node)[rank]
            for span in spans:
                assert bands.read(rank, nodes)[node][0] <= span[0] and span[1] <= bands.read(rank, nodes)[node][1]


def test_that_a_team_of_one_has_the_bands_that_it_had(whole: Network) -> None:
    nodes = graph.ordered(graph.residual(whole, "layer2", 0))
    for height, rows, count in ((64, 4, 8), (27, 4, 4), (2, 1, 1)):
        bands = Bands(nodes, {"layer1": height}, rows)
        assert (bands.count, list(bands.visit())) == (count, list(range(count)))


def step(network: Network, team: Team, names: tuple[str, ...], maps: dict[str, Tensor], limit: float | None) -> Found:
    """Gradients, statistics, the output: `names` are blocks of layers, or decoder blocks with their skips."""
    network = copy.deepcopy(network)
    made = {name: graph.decode(network, name) for name in names if name.startswith("d")}
    made |= {name: graph.residual(network, name, 0) for name in names if name.startswith("layer")}
    pieces = [Piece(name=name, segment=Segment(made[name], rows=3, team=team)) for name in names]
    given = {}
    for name, one in maps.items():
        lo, hi = team.own(one.shape[2])
        given[name] = one[:, :, lo:hi].clone().requires_grad_()
    output = Streamed(pieces, inputs=tuple(given), limit=limit).run(*given.values())
    assert isinstance(output, Tensor)
    output.sin().sum().backward()
    found = {name: one.grad for name, one in network.named_parameters() if one.grad is not None}
    found |= {f"{name} running": one.clone() for name, one in network.named_buffers()}
    rows = {"output": output.detach(), **{name: one.grad for name, one in given.items() if one.grad is not None}}
    return found | {f"rows of {name}": torch.cat(_all(team, one), dim=2) for name, one in rows.items()}


def _all(team: Team, one: Tensor) -> list[Tensor]:
    """What each rank has of a map."""
    return team.reported(one) if isinstance(team, Member) else [one]


@pytest.mark.parametrize("limit", [None, 0.5, math.inf])  # with inf outputs of convolutions stay whole
@pytest.mark.parametrize(
    ("names", "maps"),
    [
        (("layer2",), {"layer1": (2, 64, 27, 10)}),
        (("layer3", "layer4"), {"layer2": (1, 128, 22, 12)}),
        (("d2", "d3"), {"d1": (1, 256, 7, 6), "layer2": (1, 128, 14, 12), "layer1": (1, 64, 28, 24)}),
    ],
    ids=["stride", "two", "decoder"],
)
def test_that_ranks_find_what_one_finds_at_heights_that_do_not_divide(
    whole: Network, names: tuple[str, ...], maps: dict[str, tuple[int, ...]], limit: float | None
) -> None:
    torch.manual_seed(6)
    given = {name: torch.rand(shape, dtype=torch.float64) for name, shape in maps.items()}
    wanted = step(whole, ALONE, names, given, limit)
    for found in together(RANKS, lambda team: step(whole, team, names, given, limit)):
        assert found.keys() == wanted.keys()
        for name, one in wanted.items():
            torch.testing.assert_close(found[name], one, rtol=1e-9, atol=1e-11)

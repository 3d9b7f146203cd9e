"""A part of the network as pieces that hand on their maps: maps from outside, and how much room makes how much work."""

from __future__ import annotations

import math
import weakref

import pytest
import torch
from torch import Tensor

from fullfield.bands import graph, layers
from fullfield.bands.segment import Segment
from fullfield.bands.streamed import Streamed
from fullfield.bands.waiting import Piece
from fullfield.memory.account import Account, Shape
from fullfield.model.network import Network, NetworkSpec
from fullfield.model.network import build as network_of
from fullfield.model.stages import DEEP, LAYERS
from fullfield.techniques import compose
from fullfield.techniques.costing import Costing
from fullfield.techniques.site import Card, Site

SIDE = 64  # of the image
CHANNELS = dict(zip(LAYERS, (64, 128, 256, 512), strict=True))
STRIDES = dict(zip(LAYERS, (4, 8, 16, 32), strict=True))
SHAPE = Shape(height=512, width=512, encoder="resnet18")


@pytest.fixture
def network() -> Network:
    torch.set_num_threads(1)
    torch.manual_seed(5)
    return network_of(NetworkSpec(encoder="resnet18")).double().train()


def maps(*, wanted: tuple[str, ...] = LAYERS) -> dict[str, Tensor]:
    torch.manual_seed(6)
    sides = {name: SIDE // STRIDES[name] for name in LAYERS}
    made = {name: torch.rand(2, CHANNELS[name], side, side).double() for name, side in sides.items()}
    return {name: one.requires_grad_(name in wanted) for name, one in made.items()}


def decoders(network: Network, *, limit: float, keep: tuple[str, ...] = ()) -> Streamed:
    pieces = [Piece(name=name, segment=Segment(graph.decode(network, name), rows=5)) for name in DEEP]
    return Streamed(pieces, inputs=LAYERS[::-1], keep=keep, limit=limit)


def plain(network: Network, given: dict[str, Tensor]) -> Tensor:
    made, stages = given[LAYERS[3]], network.stages
    for name, skip in zip(DEEP, LAYERS[2::-1], strict=True):
        made = stages[name](made, given[skip])
    return made


@pytest.mark.parametrize("limit", [1.0, 1000.0, math.inf])
@pytest.mark.parametrize("wanted", [LAYERS, LAYERS[1:3], ()])
def test_that_maps_from_outside_get_their_gradients_and_are_not_written_over(
    network: Network, limit: float, wanted: tuple[str, ...]
) -> None:
    theirs, mine = maps(wanted=wanted), maps(wanted=wanted)
    plain(network, theirs).sin().sum().backward()
    expected = {name: one.grad.clone() for name, one in network.named_parameters() if one.grad is not None}
    network.zero_grad()
    decoders(network, limit=limit).run(*(mine[name] for name in LAYERS[::-1])).sin().sum().backward()
    for name in LAYERS:
        torch.testing.assert_close(mine[name].detach(), maps()[name].detach(), rtol=0, atol=0)
        if name not in wanted:
            assert mine[name].grad is None
        else:
            torch.testing.assert_close(mine[name].grad, theirs[name].grad, rtol=1e-9, atol=1e-12)
    found = {name: one.grad for name, one in network.named_parameters() if one.grad is not None}
    assert found.keys() == expected.keys()
    for name, one in found.items():
        torch.testing.assert_close(one, expected[name], rtol=1e-9, atol=1e-11)


def test_that_a_map_from_outside_that_was_changed_before_backward_is_an_error(network: Network) -> None:
    given = maps()
    made = decoders(network, limit=math.inf).run(*(given[name] for name in LAYERS[::-1]))
    with torch.no_grad():
        given[LAYERS[0]].add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        made.sum().backward()


def test_that_maps_from_outside_are_free_when_their_gradients_are_there(network: Network) -> None:
    given = maps()
    outside = [given[name] * 1.0 for name in LAYERS[::-1]]
    seen = [weakref.ref(one) for one in outside]
    alive: list[bool] = []
    for one in given.values():
        one.register_hook(lambda g: alive.append(any(each() is not None for each in seen)))
    made = decoders(network, limit=math.inf).run(*outside).sin().sum()
    del outside
    made.backward()  # the graph, and what its steps hold, is there until the last of them has run
    assert alive == [False] * len(LAYERS)


def test_that_the_gradient_that_comes_is_not_written_over_where_somebody_else_has_it(network: Network) -> None:
    x = torch.rand(1, 64, 16, 16).double().requires_grad_()
    out = layers.streamed(network, LAYERS[0], nested=True).run(x)
    kept: list[Tensor] = []
    out.register_hook(lambda g: kept.append(g))
    given = torch.rand_like(out)
    before = given.clone()
    out.backward(given)
    torch.testing.assert_close(kept[0], before, rtol=0, atol=0)


def account(text: str) -> Account:
    costing = Costing(SHAPE.encoder, "none")
    card = Card(kind="cuda", title="a card", total_bytes=1 << 33, free_bytes=1 << 33)
    return costing.account(
        compose.read([text, "banded_loss"]), Site(devices=(card,), shape=SHAPE, costs=costing.costs)
    )[1]


def test_that_more_room_makes_less_work() -> None:
    found = [account(f"full_bands:rows=32,block_rows=16,limit={limit}") for limit in (8, 12, 18, 28)]
    assert [one.fullest.peak for one in found] == sorted(one.fullest.peak for one in found)
    assert [one.flops for one in found] == sorted((one.flops for one in found), reverse=True)
    assert found[-1].flops < 0.75 * found[0].flops
    least, most = (one.fullest.at_peak["activations"] for one in (found[0], found[-1]))
    assert least < 0.9 * most

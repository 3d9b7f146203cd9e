"""The network's blocks as graphs: what they take, and that they are made of the network's own modules."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from fullfield.bands import graph
from fullfield.bands.joining import Upsample
from fullfield.bands.nodes import Conv, Input, MaxPool, Node, Norm
from fullfield.bands.spans import Bands
from fullfield.model.network import Network, NetworkSpec
from fullfield.model.network import build as network_of
from fullfield.model.stages import LAYERS, POOL


@pytest.fixture(scope="module")
def network() -> Network:
    with torch.device("meta"):
        return network_of(NetworkSpec(encoder="resnet34"))


def _all(network: Network) -> list[Node]:
    """Graphs that make the whole network once."""
    blocks = [
        graph.residual(network, layer, number)
        for layer in LAYERS
        for number in range(len(graph.block_names(network, layer)))
    ]
    decoders = [graph.decode(network, name, head=name == "d5") for name in ("d1", "d2", "d3", "d4", "d5")]
    return [graph.stem(network, pool=True), *blocks, *decoders]


def _taken(output: Node) -> list[str]:
    return [node.name for node in graph.ordered(output) if isinstance(node, Input)]


def test_that_every_convolution_and_normalisation_of_the_network_is_in_one_graph(network: Network) -> None:
    found = [n.module for output in _all(network) for n in graph.ordered(output) if isinstance(n, Conv | Norm)]
    wanted = [module for module in network.modules() if isinstance(module, nn.Conv2d | nn.BatchNorm2d)]
    assert len(found) == len(wanted) and set(found) == set(wanted)


def test_that_blocks_take_the_maps_that_their_stages_take(network: Network) -> None:
    assert graph.block_names(network, "layer1") == ("layer1.0", "layer1.1", "layer1")
    assert _taken(graph.residual(network, "layer1", 0)) == [POOL]
    assert _taken(graph.residual(network, "layer2", 0)) == ["layer1"]
    assert _taken(graph.residual(network, "layer2", 3)) == ["layer2.2"]
    assert _taken(graph.decode(network, "d1")) == ["layer4", "layer3"]
    assert _taken(graph.decode(network, "d5")) == ["d4"]


def test_that_a_stem_made_again_takes_the_image_and_updates_nothing(network: Network) -> None:
    output = graph.decode(network, "d4", skip=graph.stem(network, pool=False, again=True))
    assert _taken(output) == ["d3", "input"]
    stem = network.stages["stem"]
    again = [node for node in graph.ordered(output) if isinstance(node, Norm) and not node.updates]
    assert [node.module for node in again] == [stem.bn1]


def _bands(output: Node, heights: dict[str, int], size: int) -> Bands:
    return Bands(graph.ordered(output), heights, size)


@pytest.mark.parametrize("size", [1, 5, 64])
def test_that_every_row_of_every_node_has_one_owner(network: Network, size: int) -> None:
    output = graph.decode(network, "d4", skip=graph.stem(network, pool=False, again=True))
    bands = _bands(output, {"d3": 24, "input": 96}, size)
    for node in graph.ordered(output):
        spans = [bands.own(node, number) for number in range(bands.count)]
        assert [row for span in spans for row in range(*span)] == list(range(bands.heights[node]))
        assert all(first < last for first, last in spans)


def test_that_maps_of_unequal_heights_are_refused(network: Network) -> None:
    with pytest.raises(ValueError, match="unequal heights"):
        _bands(graph.decode(network, "d3"), {"d2": 12, "layer1": 25}, 8)


@pytest.mark.parametrize("height", [12, 13])
def test_that_a_node_reaches_exactly_the_rows_that_need_it(network: Network, height: int) -> None:
    kinds = [node for output in _all(network)[:8] for node in graph.ordered(output)]
    for node in [*(one for one in kinds if isinstance(one, Conv | MaxPool)), Upsample()]:
        above = node.height(height)
        for row in range(height):
            needing = [own for own in range(above) if row in range(*node.need((own, own + 1), height))]
            first, last = node.reach((row, row + 1), above)
            assert not needing or (first <= needing[0] and needing[-1] < last)

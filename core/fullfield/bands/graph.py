"""The network's blocks as small graphs of nodes over its own modules: what a segment is told to compute.

Inputs are named by the maps that they take: the network's stages ("input", "stem", "layer1", "d4" …) and, inside a
layer, "layer1.pool" and "layer2.0", "layer2.1" … for its blocks; its last block makes the map of the layer.
"""

from __future__ import annotations

from typing import Any, cast

from torch import nn

from fullfield.bands.nodes import AddRelu, Concatenate, Conv, Input, MaxPool, Node, Norm, Sigmoid, Upsample
from fullfield.model.network import STAGES, Network

LAYERS = ("layer1", "layer2", "layer3", "layer4")
POOL = "layer1.pool"
FINAL = "head"


def stem(network: Network, *, pool: bool, again: bool = False) -> Node:
    """The stem of "input", and layer1's maximum over it where `pool` is set.

    `again`: another segment has computed it before in this step, so no running statistics are updated.
    """
    stage: Any = network.stages["stem"]
    top = _norm(_conv(stage.conv1, Input(name="input")), stage.bn1, relu=True, again=again)
    return pooled(network, top) if pool else top


def pooled(network: Network, of: Node) -> Node:
    """layer1's maximum over a node."""
    pool = cast(Any, network.stages["layer1"]).pool
    return MaxPool(inputs=(of,), size=pool.kernel_size, stride=pool.stride, padding=pool.padding)


def block_names(network: Network, layer: str) -> tuple[str, ...]:
    """The maps that the residual blocks of a layer make: the last one makes the layer's."""
    count = len(_blocks(network, layer))
    return (*(f"{layer}.{number}" for number in range(count - 1)), layer)


def residual(network: Network, layer: str, number: int) -> Node:
    """Basic block `number` of a layer, with the convolution beside it where it has one (He et al. 2016, figure 2)."""
    block: Any = _blocks(network, layer)[number]
    before = POOL if layer == "layer1" else STAGES[layer][0]
    source = Input(name=f"{layer}.{number - 1}" if number else before)
    inner = _norm(_conv(block.conv1, source), block.bn1, relu=True)
    main = _norm(_conv(block.conv2, inner), block.bn2, relu=False)
    beside: Node = source
    if block.downsample is not None:
        beside = _norm(_conv(block.downsample[0], source), block.downsample[1], relu=False)
    return AddRelu(inputs=(main, beside))


def decode(
    network: Network, name: str, *, of: Node | None = None, skip: Node | None = None, head: bool = False
) -> Node:
    """A decoder block, and the head behind it where `head` is set.

    `of`, `skip`: nodes in the place of the maps that it takes: `decode(n, "d5", of=decode(n, "d4"))` fuses two blocks,
    `skip=stem(n, pool=False, again=True)` computes the stem again from "input".
    """
    stage: Any = network.stages[name]
    below, *beside = STAGES[name]
    x: Node = Upsample(inputs=(of or Input(name=below),))
    if beside:
        first = stage.conv1[0]
        own = first.in_channels - _channels(network, beside[0])
        x = Concatenate(inputs=(x, skip or Input(name=beside[0])), sizes=(own, first.in_channels - own))
    for conv in (stage.conv1, stage.conv2):
        x = _norm(_conv(conv[0], x), conv[1], relu=True)
    return Sigmoid(inputs=(_conv(cast(Any, network.stages["head"]).conv, x, precise=True),)) if head else x


def ordered(output: Node) -> tuple[Node, ...]:
    """Every node that `output` is made of, each after its inputs; `output` is the last."""
    found: list[Node] = []

    def visit(node: Node) -> None:
        if node not in found:
            for taken in node.inputs:
                visit(taken)
            found.append(node)

    visit(output)
    return tuple(found)


def _blocks(network: Network, layer: str) -> nn.Sequential:
    return cast(nn.Sequential, cast(Any, network.stages[layer]).blocks)


def _channels(network: Network, name: str) -> int:
    """Of the map of the stem or of a layer."""
    if name in LAYERS:
        return int(cast(Any, _blocks(network, name)[-1]).conv2.out_channels)
    return int(cast(Any, network.stages[name]).conv1.out_channels)


def _conv(module: nn.Conv2d, of: Node, *, precise: bool = False) -> Conv:
    size, stride, padding = module.kernel_size[0], module.stride[0], module.padding[0]
    return Conv(inputs=(of,), module=module, size=size, stride=stride, padding=int(padding), precise=precise)


def _norm(of: Node, module: nn.BatchNorm2d, *, relu: bool, again: bool = False) -> Norm:
    return Norm(inputs=(of,), module=module, relu=relu, updates=not again)

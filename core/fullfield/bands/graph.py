"""The network's blocks as small graphs of nodes over its own modules: what a segment is told to compute.

Inputs are named by the maps that they take: the network's stages and the image (`fullfield.model.stages`) and, inside
a layer, its pooling ("layer1.pool") and its blocks ("layer2.0", "layer2.1" …); its last block makes the map of the
layer.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from torch import nn

from fullfield.bands.joining import Add, AddRelu, Concatenate, Sigmoid, Upsample
from fullfield.bands.nodes import Conv, Input, MaxPool, Node, Norm
from fullfield.model.blocks import Block, Step
from fullfield.model.network import STAGES, Network
from fullfield.model.stages import HEAD, INPUT, LAYERS, POOL, STEM


def stem(network: Network, *, pool: bool, again: bool = False) -> Node:
    """The stem of the image, and the first layer's maximum over it where `pool` is set and it has one.

    `again`: another segment has computed it before in this step, so no running statistics are updated.
    """
    top: Node = Input(name=INPUT)
    for block in network.blocks(STEM):
        top = _block(block, top, again=again)
    return pooled(network, top) if pool else top


def pooled(network: Network, of: Node) -> Node:
    """The first layer's maximum over a node; the node itself where that layer has none."""
    pool = cast(Any, network.stages[LAYERS[0]]).pool
    if isinstance(pool, nn.Identity):
        return of
    return MaxPool(inputs=(of,), size=pool.kernel_size, stride=pool.stride, padding=pool.padding)


def block_names(network: Network, layer: str) -> tuple[str, ...]:
    """The maps that the blocks of a layer make: the last one makes the layer's."""
    count = len(network.blocks(layer))
    return (*(f"{layer}.{number}" for number in range(count - 1)), layer)


def from_image(network: Network) -> Node:
    """The first block behind the first layer, of the image: what it takes is computed again band by band."""
    first, second = LAYERS[:2]
    top = stem(network, pool=True, again=True)
    for block in (*network.blocks(first), network.blocks(second)[0]):
        top = _block(block, top, again=True)
    return top


def residual(network: Network, layer: str, number: int) -> Node:
    """Block `number` of a layer."""
    (before,) = STAGES[layer]
    before = POOL if layer == LAYERS[0] and _pools(network) else before
    return _block(network.blocks(layer)[number], Input(name=f"{layer}.{number - 1}" if number else before))


def layer(network: Network, name: str) -> Node:
    """A whole layer, with the pooling before it where it has one."""
    (before,) = STAGES[name]
    top: Node = Input(name=before)
    top = pooled(network, top) if name == LAYERS[0] else top
    for block in network.blocks(name):
        top = _block(block, top)
    return top


def stage(network: Network, name: str) -> Node:
    """Any stage of the network, of the maps that it takes."""
    if name == STEM:
        return stem(network, pool=False)
    if name in LAYERS:
        return layer(network, name)
    return _head(network, Input(name=STAGES[HEAD][0])) if name == HEAD else decode(network, name)


def decode(
    network: Network, name: str, *, of: Node | None = None, skip: Node | None = None, head: bool = False
) -> Node:
    """A decoder block, and the head behind it where `head` is set.

    `of`, `skip`: nodes in the place of the maps that it takes: `decode(n, FULL, of=decode(n, HALF))` fuses two blocks,
    `skip=stem(n, pool=False, again=True)` computes the stem again from the image.
    """
    stage: Any = network.stages[name]
    below, *beside = STAGES[name]
    x: Node = Upsample(inputs=(of or Input(name=below),))
    if beside:
        first = stage.conv1[0]
        own = first.in_channels - network.channels(beside[0])
        x = Concatenate(inputs=(x, skip or Input(name=beside[0])), sizes=(own, first.in_channels - own))
    for conv in (stage.conv1, stage.conv2):
        x = Norm(inputs=(_conv(conv[0], x),), module=conv[1], relu=True)
    return _head(network, x) if head else x


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


def _head(network: Network, of: Node) -> Node:
    return Sigmoid(inputs=(_conv(cast(Any, network.stages[HEAD]).conv, of, precise=True),))


def _block(block: Block, source: Node, *, again: bool = False) -> Node:
    main = _steps(block.main, source, again=again)
    if block.beside is None:
        return main
    beside = _steps(block.beside, source, again=again)
    return AddRelu(inputs=(main, beside)) if block.relu else Add(inputs=(main, beside))


def _steps(steps: Iterable[Step], x: Node, *, again: bool) -> Node:
    for step in steps:
        norm = cast(nn.BatchNorm2d, step.norm)
        x = Norm(inputs=(_conv(step.conv, x),), module=norm, relu=step.relu, ceiling=step.ceiling, updates=not again)
    return x


def _pools(network: Network) -> bool:
    return not isinstance(cast(Any, network.stages[LAYERS[0]]).pool, nn.Identity)


def _conv(module: nn.Conv2d, of: Node, *, precise: bool = False) -> Conv:
    size, stride, padding = module.kernel_size[0], module.stride[0], module.padding[0]
    return Conv(inputs=(of,), module=module, size=size, stride=stride, padding=int(padding), precise=precise)

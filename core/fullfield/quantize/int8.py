"""The int8 model that quantization-aware training is for: one exported program, which a file holds and torch runs.

Weights are kept as int8, a scale for each output channel; what a convolution takes is rounded to uint8. As exported,
the program is torchao's reference: it turns both back into fp32 right before each convolution. Its numbers are those of
8 bits and its time is not; a backend's compiler (torch has one for x86) makes integer convolutions of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

import torch
from torch import Tensor, nn
from torch.export import Dim, ExportedProgram
from torch.fx import Graph, GraphModule, Node
from torchao.quantization.pt2e.quantize_pt2e import convert_pt2e

from fullfield.model.chain import INPUT, OUTPUT, Part
from fullfield.model.network import GRID, Network
from fullfield.quantize import patterns
from fullfield.quantize.quantized import Quantized, freeze

_GUARDS = "_guards_fn"  # asks of each call what was assumed of the sides; exporting the whole asks again


class Int8Model:
    """The whole network in int8, on the CPU. Called with images (N, 1, H, W) it gives predictions, fp32 in 0…1."""

    def __init__(self, program: ExportedProgram) -> None:
        self._program = program
        self._module = program.module()

    def __call__(self, x_NCHW: Tensor) -> Tensor:
        """(N, 1, H, W); H and W multiples of 32, from 64 on."""
        prediction: Tensor = self._module(x_NCHW)
        return prediction

    @property
    def weight_bytes(self) -> int:
        """Bytes of all that it keeps: weights, their scales and zero points, biases."""
        kept = (*self._program.state_dict.values(), *self._program.constants.values())
        return sum(one.numel() * one.element_size() for one in kept if isinstance(one, Tensor))

    def save(self, stream: BinaryIO) -> None:
        """Write it as `torch.export.load` reads it, once torchao.quantization.pt2e.quantize_pt2e is imported."""
        torch.export.save(self._program, stream)


def load(stream: BinaryIO) -> Int8Model:
    """What `Int8Model.save` has written. Only of a file that you trust: torch may run what is in it."""
    return Int8Model(torch.export.load(stream))


def convert(parts: Sequence[Part], network: Network) -> Int8Model:
    """The int8 model with the weights of `network` (on the CPU, fp32) and the ranges that training has found.

    `parts`: of a trained chain, each `Quantized`. Raises what torch raises where something cannot be converted.
    """
    with torch.no_grad():
        whole = _merged(parts, network)
        freeze(whole)
        with patterns.kept():
            integer = _lean(convert_pt2e(whole))
        batch, height, width = (Dim(name, min=1) for name in ("batch", "height", "width"))
        sides = {0: batch, 2: GRID * height, 3: GRID * width}
        example = torch.zeros(2, 1, 2 * GRID, 3 * GRID)
        return Int8Model(torch.export.export(integer, (example,), dynamic_shapes=(sides,), strict=False))


def _merged(parts: Sequence[Part], network: Network) -> GraphModule:
    """The stages in one graph, and the sigmoid behind the last: converting costs almost the same for one as for all."""
    root, graph = nn.Module(), Graph()
    maps = {INPUT: graph.placeholder("x_NCHW")}
    for part in parts:
        assert isinstance(part.run, Quantized)
        stage = part.run.copied(network.stages[part.name])
        root.add_module(part.name, stage)
        taken = iter(part.takes)
        values: dict[Node, Node] = {}
        for node in stage.graph.nodes:
            if node.op == "placeholder":
                values[node] = maps[next(taken)]
            elif node.op == "output":
                maps[part.name] = values[node.args[0][0]]
            elif node.target != _GUARDS:
                values[node] = graph.node_copy(node, values.__getitem__)
                if node.op in ("get_attr", "call_module"):
                    values[node].target = f"{part.name}.{node.target}"
    graph.output(graph.call_function(torch.ops.aten.sigmoid.default, (maps[OUTPUT],)))
    whole = GraphModule(root, graph)
    whole.meta.update(stage.meta)  # says that it was prepared, and how; the same of every stage
    return whole


def _lean(graph: GraphModule) -> GraphModule:
    """Without the fp32 weights and BatchNorm buffers that converting leaves behind unused."""
    used = {node.target for node in graph.graph.nodes if node.op == "get_attr"}
    for name in {name for name, _ in (*graph.named_parameters(), *graph.named_buffers())} - used:
        owner, _, leaf = name.rpartition(".")
        delattr(graph.get_submodule(owner), leaf)
    return graph

"""Training for 8-bit integers: every convolution of a stage sees its input and its weights rounded as int8 would be.

The flow is torchao's "PyTorch 2 export": a stage is exported, each convolution annotated, and rewritten so that the
BatchNorm behind it is already folded into the weights that are rounded (Jacob et al. 2018, section 3.2). Parameters and
BatchNorm's buffers stay the network's own tensors. The stage of a head is its convolution alone: the sigmoid and the
cast to fp32 are no convolution, and the flow does not look into an autocast.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.export import Dim
from torch.fx import GraphModule
from torchao.quantization.pt2e import FusedMovingAvgObsFakeQuantize, MovingAveragePerChannelMinMaxObserver
from torchao.quantization.pt2e.quantize_pt2e import prepare_qat_pt2e
from torchao.quantization.pt2e.quantizer import QuantizationAnnotation, QuantizationSpec, Quantizer

from fullfield.model import autocast
from fullfield.model.network import GRID, Head
from fullfield.quantize import patterns

Form = tuple[int, int]
"""Channels of a map, and image rows for each of its rows."""
_CONVOLUTION = torch.ops.aten.conv2d.default
_NORM, _TRAINS = torch.ops.aten.batch_norm.default, 5  # the place of its flag among what it is given
_COUNT = "num_batches_tracked"
_SMALLEST_SCALE = 2**-12
# What torchao's quantizer of the x86 backend gives to a convolution; it itself brings torch's whole compiler with it.
_INPUT = QuantizationSpec(
    dtype=torch.uint8,
    quant_min=0,
    quant_max=255,
    qscheme=torch.per_tensor_affine,
    observer_or_fake_quant_ctr=FusedMovingAvgObsFakeQuantize.with_args(eps=_SMALLEST_SCALE),
)
_WEIGHTS = QuantizationSpec(
    dtype=torch.int8,
    quant_min=-128,
    quant_max=127,
    qscheme=torch.per_channel_symmetric,
    ch_axis=0,
    observer_or_fake_quant_ctr=FusedMovingAvgObsFakeQuantize.with_args(
        eps=_SMALLEST_SCALE, observer=MovingAveragePerChannelMinMaxObserver
    ),
)


class Quantized:
    """A stage with rounded convolutions: a part's `run`. `prepared`: the exported graph that computes it."""

    def __init__(self, stage: nn.Module, takes: Sequence[Form]) -> None:
        """`takes`: of the maps that the stage takes."""
        self._head = isinstance(stage, Head)
        self._norms = [one for one in stage.modules() if isinstance(one, nn.BatchNorm2d)]
        self._frozen = False
        self.prepared = _prepared(stage.conv if isinstance(stage, Head) else stage, takes)

    def __call__(self, *maps: Tensor) -> Tensor:
        """The stage's map."""
        self._follow(frozen=bool(self._norms) and not any(norm.training for norm in self._norms))
        if not self._frozen:
            for norm in self._norms:
                assert norm.num_batches_tracked is not None
                norm.num_batches_tracked.add_(1)
        return self._finished(self.prepared, maps)

    def copied(self, stage: nn.Module) -> GraphModule:
        """A copy of `prepared` on the CPU, with the ranges found in training and the weights of `stage`.

        `stage`: the same stage of a network that may be another.
        """
        graph = copy.deepcopy(self.prepared).cpu()
        own = graph.state_dict()
        with torch.no_grad():
            for name, value in (stage.conv if isinstance(stage, Head) else stage).state_dict().items():
                own[name].copy_(value)
        return graph

    @property
    def ranges(self) -> nn.ModuleDict:
        """What rounds, by name: its buffers follow what they have seen, and belong into a checkpoint."""
        return nn.ModuleDict({name: module for name, module in self.prepared.named_children() if _is_rounding(module)})

    def _finished(self, graph: Callable[..., Tensor], maps: Sequence[Tensor]) -> Tensor:
        if not self._head:
            return graph(*maps)
        with autocast.off(maps[0].device.type):
            return torch.sigmoid(graph(*(one if one.dtype == torch.float64 else one.float() for one in maps)))

    def _follow(self, *, frozen: bool) -> None:
        """The graph has the mode of the BatchNorms baked in."""
        if frozen != self._frozen:
            freeze(self.prepared, frozen)
            self._frozen = frozen


def freeze(graph: GraphModule, frozen: bool = True) -> None:
    """Have its BatchNorms normalise by what they have kept, or by the batch again. torchao exports patterns to look
    for them by, anew for every graph: seconds for each stage, before and after each validation."""
    for node in graph.graph.find_nodes(op="call_function", target=_NORM):
        node.update_arg(_TRAINS, not frozen)
    graph.recompile()


def fake_quantized(graph: GraphModule) -> int:
    """How many of its convolutions see both a rounded input and rounded weights."""
    rounded = [node for node in graph.graph.nodes if node.target is _CONVOLUTION]
    return sum(all(_rounds(graph, source) for source in node.args[:2]) for node in rounded)


def convolutions(graph: GraphModule) -> int:
    """How many there are."""
    return sum(node.target is _CONVOLUTION for node in graph.graph.nodes)


def _prepared(stage: nn.Module, takes: Sequence[Form]) -> GraphModule:
    batch, height, width = (Dim(name, min=1) for name in ("batch", "height", "width"))
    like = next(stage.parameters())
    example, dynamic = [], []
    for channels, stride in takes:
        unit = GRID // stride  # rows of the map for each GRID rows of the image
        example.append(torch.rand(2, channels, 2 * unit, 3 * unit, device=like.device, dtype=like.dtype))
        dynamic.append({0: batch, 2: unit * height, 3: unit * width})
    exported = torch.export.export(stage, tuple(example), dynamic_shapes=tuple(dynamic), strict=False)
    with patterns.kept():
        graph = prepare_qat_pt2e(exported.module(), _EveryConvolution())
    for node in list(graph.graph.nodes):
        # The graph counts batches in evaluation too; `Quantized` counts instead.
        if node.target is torch.ops.aten.add_.Tensor and str(node.args[0].target).endswith(_COUNT):
            graph.graph.erase_node(node)
    graph.recompile()
    return cast(GraphModule, graph)


class _EveryConvolution(Quantizer):  # type: ignore[misc]
    """Rounds input and weights of each convolution, as the x86 backend's quantizer does, and nothing else.

    That quantizer itself looks for modules in front of modules, and does not understand a block whose one ReLU is used
    twice ("Input partition has more than one output node").
    """

    def annotate(self, model: GraphModule) -> GraphModule:
        """Mark every convolution."""
        for node in model.graph.nodes:
            if node.target is _CONVOLUTION:
                specs = {node.args[0]: _INPUT, node.args[1]: _WEIGHTS}
                node.meta["quantization_annotation"] = QuantizationAnnotation(input_qspec_map=specs, _annotated=True)
        return model

    def validate(self, model: GraphModule) -> None:
        """Nothing can be wrong with it."""


def _rounds(graph: GraphModule, node: Any) -> bool:
    return node.op == "call_module" and _is_rounding(graph.get_submodule(node.target))


def _is_rounding(module: nn.Module) -> bool:
    return "FakeQuantize" in type(module).__name__

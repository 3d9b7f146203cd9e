"""Blocks of any kind, one after the other, of which only the first one's input is kept: what `residual` is for basic
blocks, of segments.

In backward the inputs of the later blocks are computed first, with the statistics of the first time, then block after
block goes back. Each segment has one band, so no convolution runs more than once in forward, and in backward a single
block runs its own once more, of several all but the last theirs twice more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from fullfield.bands import graph, handmade
from fullfield.bands.feeds import Fresh, OnDevice
from fullfield.bands.nodes import Norm, State
from fullfield.bands.segment import Segment, backward
from fullfield.kernels.batch_norm import Statistics
from fullfield.model.network import Network

WHOLE = 1 << 30  # rows in a band: all of them


def layer(network: Network, name: str, *, nested: bool) -> Callable[[Tensor], Tensor]:
    """What computes a layer's map of the one before it, behind the pooling. `nested`: of its blocks none keeps its
    input but the first."""
    numbers = range(len(network.blocks(name)))
    segments = [Segment(graph.residual(network, name, number), rows=WHOLE) for number in numbers]

    def run(x_NCHW: Tensor) -> Tensor:
        for together in [segments] if nested else [[one] for one in segments]:
            parameters = (each for one in together for each in one.parameters)
            x_NCHW = cast(Tensor, _Run.apply(together, x_NCHW, *parameters))
        return x_NCHW

    return run


class _Run(Function):
    @staticmethod
    def forward(ctx: Any, segments: Sequence[Segment], x: Tensor, *parameters: Tensor) -> Tensor:
        ctx.segments, ctx.dtype = segments, handmade.working_dtype(x)
        ctx.statistics = [{} for _ in segments]
        ctx.save_for_backward(x, *parameters)
        with handmade.by_hand(x):
            for segment, statistics in zip(segments, ctx.statistics, strict=True):
                x = _computed(segment, x, State(dtype=ctx.dtype, statistics=statistics))
        return x

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Any, ...]:
        g = handmade.private(g)
        x, *_ = ctx.saved_tensors
        gradients: dict[Tensor, Tensor] = {}
        with handmade.by_hand(x):
            inputs = [x]
            for segment, statistics in zip(ctx.segments[:-1], ctx.statistics):
                inputs.append(_computed(segment, inputs[-1], _again(ctx.dtype, statistics)))
            found: Tensor | None = g
            del g
            for segment, statistics in reversed(list(zip(ctx.segments, ctx.statistics, strict=True))):
                assert found is not None
                state = _again(ctx.dtype, statistics)
                found = _back(segment, inputs, found, state, wanted=len(inputs) > 1 or ctx.needs_input_grad[1])
                gradients |= state.gradients
        of_parameters = [each for segment in ctx.segments for each in segment.parameters]
        wanted = ctx.needs_input_grad[2:]
        flat = (gradients.get(each) if needs else None for each, needs in zip(of_parameters, wanted, strict=True))
        return None, None if found is None else found.to(x.dtype), *flat


def _again(dtype: Any, statistics: dict[Norm, Statistics]) -> State:
    return State(dtype=dtype, statistics=statistics)


def _computed(segment: Segment, x: Tensor, state: State) -> Tensor:
    """The map of a segment; its statistics are measured where they are not known."""
    passes = segment.passes([x.shape[2]], [OnDevice(x)], state)
    passes.measure(state.dtype)
    made = Fresh(passes.bands.heights[segment.nodes[-1]])
    passes.compute(made)
    return made.map()


def _back(segment: Segment, inputs: list[Tensor], g: Tensor, state: State, *, wanted: bool) -> Tensor | None:
    """The gradient of the last of `inputs`, which is taken from them."""
    x = inputs.pop()
    (name,) = segment.inputs
    over = name if wanted and x.shape == g.shape else ""
    found = backward(segment, [x.shape[2]], [OnDevice(x)], state, g, [name] if wanted else [], over)
    return found.get(name)

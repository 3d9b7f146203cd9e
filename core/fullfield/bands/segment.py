"""A segment of the network: a small graph, run in row bands, of which only the output and the inputs are kept.

Batch statistics are measured once in the forward and kept; backward computes everything else again. Its memory is that
of the maps between segments and of what one band needs, whatever the size of the image.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from fullfield.bands import handmade
from fullfield.bands.feeds import AsStored, Feed, Fresh, OnDevice, Rolling, Sink, on_device
from fullfield.bands.graph import ordered
from fullfield.bands.joining import Add, AddRelu
from fullfield.bands.nodes import Conv, Input, Node, Norm, State
from fullfield.bands.passes import Passes
from fullfield.bands.spans import Bands
from fullfield.distribution.team import ALONE, Team
from fullfield.kernels.stored import Stored


class Segment:
    """The map of `output`, in bands of at most `rows` of its rows.

    `measured`: the convolutions before a BatchNorm; `under`: the one whose output each row of the segment's own is made
    of, so that this one can be written over it.
    `overwrite`: names of inputs that nobody else needs once this backward runs: their gradients are written over
    them. `added`: the input that the output is a sum of, and so alike; "" where there is none. `team`: those among whom
    the rows of every map are divided.
    """

    def __init__(
        self,
        output: Node,
        *,
        rows: int,
        overwrite: frozenset[str] = frozenset(),
        team: Team = ALONE,
    ) -> None:
        self.nodes, self.team = ordered(output), team
        self.rows, self.overwrite = rows, overwrite
        self.inputs = tuple(node.name for node in self.nodes if isinstance(node, Input))
        last = self.nodes[-1]
        beside = last.inputs if isinstance(last, Add | AddRelu) else ()
        self.added = next((node.name for node in beside if isinstance(node, Input)), "")
        self.measured = tuple(cast(Conv, node.inputs[0]) for node in self.nodes if isinstance(node, Norm))
        main = last.inputs[0] if beside else last
        self.under = cast(Conv, main.inputs[0]) if isinstance(main, Norm) else None
        modules = [node.module for node in self.nodes if isinstance(node, Conv | Norm)]
        self.parameters: tuple[nn.Parameter, ...] = tuple(one for module in modules for one in module.parameters())

    def run(self, *maps: Tensor | Stored) -> Tensor:
        """The output's map, differentiable to `maps` (in the order of `inputs`) and to every parameter. Of a team of
        several, this rank's rows of all of them."""
        return cast(Tensor, _Run.apply(self, len(maps), *maps, *self.parameters))

    def values(self, shapes: Sequence[torch.Size], of: Conv | None = None) -> int:
        """Of the output's map, or that `of` a convolution, for inputs of `shapes`, in the order of `inputs`."""
        last = next(node for node in reversed(self.nodes) if isinstance(node, Conv))
        count = shapes[0][0] * (of or last).module.out_channels
        for axis in (2, 3):
            sides = dict(zip(self.inputs, (shape[axis] for shape in shapes), strict=True))
            count *= Bands(self.nodes, sides, self.rows).heights[of or self.nodes[-1]]
        return count

    def bands(self, heights: Sequence[int], rows: int = 0) -> Bands:
        """Its bands over maps of `heights`, in the order of `inputs`. `rows`: in each, where that is more than its
        own."""
        most = max(rows, self.rows)
        return Bands(self.nodes, dict(zip(self.inputs, heights, strict=True)), most, self.team)

    def passes(self, heights: Sequence[int], feeds: Sequence[Feed], state: State, rows: int = 0) -> Passes:
        """Its passes over such maps."""
        return Passes(self.nodes, self.bands(heights, rows), dict(zip(self.inputs, feeds, strict=True)), state)


class _Run(Function):
    @staticmethod
    def forward(ctx: Any, segment: Segment, count: int, *given: Any) -> Tensor:
        maps: tuple[Tensor | Stored, ...] = given[:count]
        state = State(dtype=handmade.working_dtype(maps[0]))
        ctx.segment, ctx.dtype, ctx.statistics = segment, state.dtype, state.statistics
        ctx.shapes = [each.shape for each in maps]
        ctx.heights = heights = segment.team.heights([each.shape[2] for each in maps])
        ctx.feeds = [AsStored(each) if isinstance(each, Stored) else None for each in maps]
        ctx.save_for_backward(*(each if feed is None else None for each, feed in zip(maps, ctx.feeds, strict=True)))
        with handmade.by_hand(maps[0]):
            passes = segment.passes(heights, [on_device(each) for each in maps], state)
            passes.measure(state.dtype)
            output = Fresh(passes.bands.share(segment.nodes[-1]))
            passes.compute(output)
        return output.map()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> Any:
        wanted = [name for name, needs in zip(ctx.segment.inputs, ctx.needs_input_grad[2:]) if needs]
        over = _alike(ctx.segment, wanted, ctx.shapes, g.shape)
        if over:
            g = handmade.private(g)
        segment: Segment = ctx.segment
        saved: list[Feed] = [
            OnDevice(each) if feed is None else feed for feed, each in zip(ctx.feeds, ctx.saved_tensors, strict=True)
        ]
        state = State(dtype=ctx.dtype, statistics=ctx.statistics)
        with handmade.by_hand(g):
            gradients = backward(segment, ctx.heights, saved, state, g, wanted, over)
        of_parameters = (
            state.gradients.get(each) if needs else None
            for each, needs in zip(segment.parameters, ctx.needs_input_grad[2 + len(saved) :], strict=True)
        )
        return None, None, *(gradients.get(name) for name in segment.inputs), *of_parameters


def _alike(segment: Segment, wanted: Sequence[str], shapes: Sequence[torch.Size], like: torch.Size) -> str:
    """The first input whose gradient may be written over the output's, which has its shape; "" where none may."""
    found = [
        name
        for name, shape in zip(segment.inputs, shapes, strict=True)
        if name in wanted and name not in segment.overwrite and shape == like
    ]
    return found[0] if found else ""


def backward(
    segment: Segment,
    heights: Sequence[int],
    saved: Sequence[Feed],
    state: State,
    g: Tensor,
    wanted: Sequence[str],
    over: str,
) -> dict[str, Tensor]:
    """The gradients of the inputs `wanted`; those of parameters are in the state. `over`: see `_alike`."""
    keep = segment.passes(heights, saved, state).look_back(wanted)
    feeds, gradient = dict(zip(segment.inputs, saved, strict=True)), cast(Feed, OnDevice(g))
    sinks: dict[str, Sink] = {}
    found: dict[str, Tensor] = {}
    for name, height in zip(segment.inputs, heights, strict=True):
        under = feeds[name]
        if name not in wanted:
            continue
        if name == over:
            gradient = sinks[name] = Rolling(gradient, keep)
            found[name] = g
        elif name in segment.overwrite and isinstance(under, OnDevice):
            feeds[name] = sinks[name] = Rolling(under, keep)
            found[name] = under.whole
        else:
            first, last = segment.team.own(height)
            sinks[name] = Fresh(last - first)
    segment.passes(heights, list(feeds.values()), state).differentiate(gradient, sinks)
    for name, sink in sinks.items():
        if isinstance(sink, Fresh):
            found[name] = sink.map()
    return found

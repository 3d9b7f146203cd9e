"""A part of the network on some rows of every map, with all maps kept for backward: nothing is computed again.

Each rank of a team has its rows. Before a window moves over them it is given the rows beside them that others have,
and what backward finds at those goes back to whom they belong. BatchNorm's statistics and the gradients of weights are
of all rows. All else is what autograd does with the network's own modules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional

from fullfield.bands import graph
from fullfield.bands.handmade import working_dtype
from fullfield.bands.nodes import Conv, Input, Node, Norm, Span, State
from fullfield.distribution import share
from fullfield.distribution.team import Team
from fullfield.kernels import batch_norm, batch_norm_backward
from fullfield.kernels.batch_norm import Statistics
from fullfield.model import autocast
from fullfield.model.chain import Chain, Part
from fullfield.model.network import STAGES, Network


def chain(network: Network, team: Team) -> Chain:
    """The network as it is, of the rows that each rank of `team` has of the images."""
    return Chain(
        [
            Part(name=name, takes=takes, stages=(name,), run=Kept(graph.stage(network, name), team).run)
            for name, takes in STAGES.items()
        ]
    )


class Kept:
    """The map of `output`: of it, and of every map that it is made of, this rank's rows."""

    def __init__(self, output: Node, team: Team) -> None:
        self.nodes, self.team = graph.ordered(output), team
        modules = [node.module for node in self.nodes if isinstance(node, Conv | Norm)]
        self.parameters = tuple(one for module in modules for one in module.parameters())

    def run(self, *maps: Tensor) -> Tensor:
        """Of the maps, in the order in which the graph takes them; differentiable to them and to every parameter."""
        state = State(dtype=working_dtype(maps[0]))
        of_all = _Whole.apply(self.team, *self.parameters)
        whole: dict[Tensor, Tensor] = dict(zip(self.parameters, of_all, strict=True))
        given = iter(zip(maps, self.team.heights([each.shape[2] for each in maps]), strict=True))
        made: dict[Node, tuple[Tensor, int]] = {}
        later = list(self.nodes)
        with autocast.off(maps[0].device.type):
            for node in self.nodes:
                later.remove(node)
                made[node] = next(given) if isinstance(node, Input) else self._made(node, state, made, whole)
                spent = set(made) - {taken for other in later for taken in other.inputs} - {self.nodes[-1]}
                for one in spent:
                    del made[one]
        return made[self.nodes[-1]][0]

    def _made(
        self, node: Node, state: State, made: dict[Node, tuple[Tensor, int]], whole: dict[Tensor, Tensor]
    ) -> tuple[Tensor, int]:
        """This rank's rows of the map of a node, and how many rows that has."""
        height = made[node.inputs[0]][1]
        own = self.team.own(node.height(height))
        rows = [self._around(made[taken][0], node, height) for taken in node.inputs]
        if isinstance(node, Conv):
            return self._convolved(node, state, rows[0], own, height, whole), node.height(height)
        if isinstance(node, Norm):
            known = batch_norm.measured(
                node.module, rows[0].detach(), updates=node.updates, team=self.team, height=height
            )
            weight, bias = whole[node.module.weight], whole[node.module.bias]
            return cast(Tensor, _Normalised.apply(rows[0], weight, bias, known, node, self.team)), height
        return node.value(state, own, height, *rows), node.height(height)

    def _convolved(
        self, node: Conv, state: State, x: Tensor, own: Span, height: int, whole: dict[Tensor, Tensor]
    ) -> Tensor:
        module, dtype = node.module, node.dtype(state, x)
        x, padding = node.padded(x.to(dtype), own, height, 0.0)
        bias = None if module.bias is None else whole[module.bias].to(dtype)
        return functional.conv2d(x, whole[module.weight].to(dtype), bias, node.stride, padding, groups=module.groups)

    def _around(self, x: Tensor, node: Node, height: int) -> Tensor:
        """The rows of a map of `height` rows that this rank's rows of `node` are made of."""
        have = self.team.shares(height)
        want = [node.need(span, height) for span in self.team.shares(node.height(height))]
        return x if want == have else cast(Tensor, _Around.apply(x, self.team, have, want))


class _Around(Function):
    """The rows that a rank wants, of those that it has and those of others."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, team: Team, have: Sequence[Span], want: Sequence[Span]) -> Tensor:
        ctx.team, ctx.have, ctx.want = team, have, want
        (lo, hi), (first, last) = have[team.rank], want[team.rank]
        above, below = team.pull(lambda start, end: x[:, :, start - lo : end - lo], have, want)
        own = x[:, :, max(first, lo) - lo : min(last, hi) - lo]
        parts = [part for part in (above, own, below) if part is not None and part.shape[2]]
        return torch.cat(parts, dim=2) if len(parts) > 1 else parts[0].clone()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor | None, ...]:
        rank: int = ctx.team.rank
        (lo, hi), (first, last) = ctx.have[rank], ctx.want[rank]
        found = g.new_zeros((*g.shape[:2], hi - lo, g.shape[3]))
        found[:, :, max(first, lo) - lo : min(last, hi) - lo] = g[:, :, max(first, lo) - first : min(last, hi) - first]
        give = share.taken(ctx.have, ctx.want, rank)  # what was taken there comes from here, and the other way round
        spans = share.given(ctx.have, ctx.want, rank)
        take = {peer: g.new_empty((*g.shape[:2], end - start, g.shape[3])) for peer, (start, end) in spans.items()}
        ctx.team.exchange({peer: g[:, :, start - first : end - first] for peer, (start, end) in give.items()}, take)
        for peer, (start, end) in spans.items():
            found[:, :, start - lo : end - lo] += take[peer]
        return found, None, None, None


class _Normalised(Function):
    """BatchNorm by statistics of all rows, and the ReLU behind it: the map before it is all that is kept."""

    @staticmethod
    def forward(
        ctx: Any, z: Tensor, weight_C: Tensor, bias_C: Tensor, known: Statistics, node: Norm, team: Team
    ) -> Tensor:
        ctx.save_for_backward(z, weight_C, bias_C)
        ctx.known, ctx.team, ctx.how = known, team, {"relu": node.relu, "ceiling": node.ceiling}
        return batch_norm.normalised(z, weight_C, bias_C, known, **ctx.how)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Tensor | None, ...]:
        z, weight_C, bias_C = ctx.saved_tensors
        into = torch.empty_like(z)  # the gradient that came may be another one's, too
        given, sums = batch_norm_backward.both(
            z, g, weight_C, bias_C, ctx.known, **ctx.how, into_NCHW=into, team=ctx.team
        )
        return given, sums.weight_C.to(weight_C), sums.bias_C.to(bias_C), None, None, None


class _Whole(Function):
    """Parameters, whose gradients, each of a rank's rows, are summed over all of them."""

    @staticmethod
    def forward(ctx: Any, team: Team, *parameters: Tensor) -> tuple[Tensor, ...]:
        ctx.team = team
        return tuple(one.view_as(one) for one in parameters)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        wanted = ctx.needs_input_grad[1:]
        summed = iter(ctx.team.sum([g for g, needs in zip(gradients, wanted, strict=True) if needs]))
        return None, *(next(summed) if needs else None for needs in wanted)

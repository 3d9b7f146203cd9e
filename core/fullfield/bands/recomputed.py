"""The stem by hand: kept are the image and the convolution's output; BatchNorm goes back in place."""

from __future__ import annotations

from typing import Any, cast

from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from fullfield.bands import handmade
from fullfield.bands.normed import Normed, Pair


def stem(stage: nn.Module, x_NCHW: Tensor) -> Tensor:
    """relu(bn1(conv1(x)))."""
    pair = Pair(cast(nn.Conv2d, stage.conv1), cast(nn.BatchNorm2d, stage.bn1))
    return cast(Tensor, _Stem.apply(pair, x_NCHW, *pair.parameters))


class _Stem(Function):
    @staticmethod
    def forward(ctx: Any, pair: Pair, x: Tensor, *flat: Tensor) -> Tensor:
        dtype = handmade.working_dtype(x)
        with handmade.by_hand(x):
            step = Normed(pair, flat, dtype)
            z = step.convolve(x)
            step.measure(z)
            out = step.normalise(z, relu=True)
        ctx.pair, ctx.dtype, ctx.statistics, ctx.kept = pair, dtype, step.statistics, [z]
        ctx.save_for_backward(x, *flat)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Any, ...]:
        g = handmade.private(g)
        x, *flat = ctx.saved_tensors
        kept, ctx.kept = handmade.once(ctx.kept), None
        with handmade.by_hand(x):
            step = Normed(ctx.pair, flat, ctx.dtype, ctx.statistics, ctx.needs_input_grad[2:])
            step.convolved_gradient_(kept.pop(), g, relu=True)
            step.learn(g, x)
            found = step.input_gradient(g, x).to(x.dtype) if ctx.needs_input_grad[1] else None
        return None, found, *step.gradients()

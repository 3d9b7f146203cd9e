"""BatchNorm whose statistics are of the images of several ranks, as of one process that has all of them.

Every rank has some images of a batch. In training a map's moments are gathered from all ranks before it is normalised,
and the two sums of backward are added up over them, each time in one message: Ioffe & Szegedy 2015, with the merging of
Chan, Golub, LeVeque 1983. Code that normalises by hand, band by band, reads the ranks from the module
(`batch_norm.counted_with`).
"""

from __future__ import annotations

from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from fullfield.distribution.joint import Joint
from fullfield.kernels import batch_norm, batch_norm_backward
from fullfield.kernels.batch_norm import Statistics


class JointNorm(nn.BatchNorm2d):
    """What a network's BatchNorm becomes (`join`): its parameters and buffers keep their names."""

    joint: Joint

    def forward(self, z_NCHW: Tensor) -> Tensor:
        """See nn.BatchNorm2d."""
        if not batch_norm.wants_batch(self):
            return super().forward(z_NCHW)
        return normalised(self, z_NCHW, batch_norm.measured(self, z_NCHW))


def join(network: nn.Module, joint: Joint) -> None:
    """Make every BatchNorm of `network` one of these."""
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.__class__ = JointNorm
            cast(JointNorm, module).joint = joint


def normalised(norm: nn.BatchNorm2d, z_NCHW: Tensor, statistics: Statistics) -> Tensor:
    """weight·x̂ + bias with the statistics of the batch, through which the gradient goes as in training mode."""
    return cast(Tensor, _Normalise.apply(z_NCHW, norm.weight, norm.bias, statistics))


class _Normalise(Function):
    @staticmethod
    def forward(ctx: Any, z_NCHW: Tensor, weight_C: Tensor, bias_C: Tensor, statistics: Statistics) -> Tensor:
        ctx.save_for_backward(z_NCHW, weight_C, bias_C)
        ctx.statistics = statistics
        return batch_norm.normalised(z_NCHW, weight_C, bias_C, statistics, relu=False)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g_NCHW: Tensor) -> tuple[Tensor | None, ...]:
        z_NCHW, weight_C, bias_C = ctx.saved_tensors
        statistics: Statistics = ctx.statistics
        if statistics.joint is not None:
            into = torch.empty_like(z_NCHW)  # the gradient that came may be another one's, too
            given, sums = batch_norm_backward.both(
                z_NCHW, g_NCHW, weight_C, bias_C, statistics, relu=False, into_NCHW=into
            )
            return given, sums.weight_C.to(weight_C), sums.bias_C.to(bias_C), None
        gradients = torch.ops.aten.native_batch_norm_backward(
            g_NCHW,
            z_NCHW,
            weight_C,
            None,
            None,
            statistics.mean_C,
            statistics.invstd_C,
            True,
            statistics.eps,
            list(ctx.needs_input_grad[:3]),
        )
        return (*(one if wanted else None for one, wanted in zip(gradients, ctx.needs_input_grad)), None)

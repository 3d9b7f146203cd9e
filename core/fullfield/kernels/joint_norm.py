"""BatchNorm whose statistics are of the images of several ranks, as of one process that has all of them.

Every rank has some images of a batch. In training a map's moments are gathered from all ranks before it is normalised,
and the two sums of backward are added up over them, each time in one message: Ioffe & Szegedy 2015, with the merging of
Chan, Golub, LeVeque 1983. A rank without an image must not be absent: it runs a stand-in, whose values count for
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from fullfield.distribution.team import Team
from fullfield.kernels import batch_norm, batch_norm_backward
from fullfield.kernels.batch_norm import Moments, Statistics


@dataclass(kw_only=True)
class Joint:
    """Those whose images count together. `present`: whether what this rank runs now are images, and no stand-in."""

    team: Team
    present: bool = True

    def moments(self, found: Moments) -> Moments:
        """Of all ranks' maps, of which `found` are of this rank's; merged in the order of ranks, so with the same bits
        on each."""
        mean, var = (part.double() for part in found.whole)
        count = mean.new_tensor([found.count if self.present else 0])
        every = [torch.split(one, [1, len(mean), len(mean)]) for one in self.team.gather(torch.cat([count, mean, var]))]
        return Moments(
            counts=tuple(int(one[0]) for one in every),
            means=tuple(one[1] for one in every),
            vars=tuple(one[2] for one in every),
        )


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
    joint = norm.joint if isinstance(norm, JointNorm) else None
    return cast(Tensor, _Normalise.apply(z_NCHW, norm.weight, norm.bias, statistics, joint))


class _Normalise(Function):
    @staticmethod
    def forward(
        ctx: Any, z_NCHW: Tensor, weight_C: Tensor, bias_C: Tensor, statistics: Statistics, joint: Joint | None
    ) -> Tensor:
        ctx.save_for_backward(z_NCHW, weight_C, bias_C)
        ctx.statistics, ctx.joint = statistics, joint
        ctx.present = joint is not None and joint.present
        return batch_norm.normalised(z_NCHW, weight_C, bias_C, statistics, relu=False)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g_NCHW: Tensor) -> tuple[Tensor | None, ...]:
        z_NCHW, weight_C, bias_C = ctx.saved_tensors
        statistics: Statistics = ctx.statistics
        if ctx.joint is not None:
            into = torch.empty_like(z_NCHW)  # the gradient that came may be another one's, too
            given, sums = batch_norm_backward.both(
                z_NCHW, g_NCHW, weight_C, bias_C, statistics, relu=False, into_NCHW=into, team=ctx.joint.team
            )
            if not ctx.present:  # nothing of the statistics came from here
                given.zero_()
            return given, sums.weight_C.to(weight_C), sums.bias_C.to(bias_C), None, None
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
        return (*(one if wanted else None for one, wanted in zip(gradients, ctx.needs_input_grad)), None, None)

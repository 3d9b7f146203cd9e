"""A convolution and the BatchNorm behind it, by hand: forward, and its three gradients in the order one asks for them.

The pieces of the hand-written parts. A `Normed` lives in one forward or one backward of one step; what passes between
the two is its statistics, so that a map that is computed again is normalised as the first time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from fullfield.bands import handmade
from fullfield.bands.nodes import Window
from fullfield.distribution.team import ALONE, Team
from fullfield.kernels import batch_norm, batch_norm_backward
from fullfield.kernels.batch_norm import Statistics
from fullfield.kernels.batch_norm_backward import Line, Sums

Gradients = tuple[Tensor | None, Tensor | None, Tensor | None]
PARAMETERS = 3  # of a pair: the convolution's weight, BatchNorm's weight and bias


@dataclass(frozen=True)
class Pair:
    """The two modules. The convolution is square, without bias."""

    conv: nn.Conv2d
    bn: nn.BatchNorm2d

    @property
    def parameters(self) -> tuple[Tensor, Tensor, Tensor]:
        """In the order in which `Normed` takes them and gives their gradients."""
        return self.conv.weight, self.bn.weight, self.bn.bias


def parameters(pairs: Sequence[Pair]) -> list[Tensor]:
    """Of all pairs, one after the other."""
    return [tensor for pair in pairs for tensor in pair.parameters]


def joined(gradients: Sequence[Tensor | None], team: Team) -> list[Tensor | None]:
    """The gradients of parameters that each rank's rows give, summed over all ranks."""
    there = [one for one in gradients if one is not None]
    found = iter(team.sum(there) if there else ())
    return [None if one is None else next(found) for one in gradients]


class Normed:
    """`pair` with its tensors as they are in this step, computing in `dtype`.

    `wanted`: which of the three parameters need a gradient. `statistics`: None until `measure`. `team`: those who have
    rows of its maps; what a rank is given and gives are its own, but statistics are of all rows.
    """

    def __init__(
        self,
        pair: Pair,
        tensors: Sequence[Tensor],
        dtype: torch.dtype,
        statistics: Statistics | None = None,
        wanted: Sequence[bool] = (True, True, True),
        team: Team = ALONE,
    ) -> None:
        weight, self.scale, self.shift = tensors
        self.weight = weight.to(dtype)
        self.bn = pair.bn
        self.stride = cast("tuple[int, int]", pair.conv.stride)
        self.padding = cast("tuple[int, int]", pair.conv.padding)
        self.window = Window(size=weight.shape[2], stride=self.stride[0], padding=self.padding[0])
        self.dtype, self.wanted, self.team = dtype, wanted, team
        self._statistics = statistics
        self._sums: Sums | None = None
        self._line: Line | None = None
        self._weight_gradient: Tensor | None = None
        self._weight_dtype = weight.dtype

    @property
    def statistics(self) -> Statistics:
        """What its maps are normalised with."""
        assert self._statistics is not None
        return self._statistics

    def convolve(self, x: Tensor, *, padding: tuple[int, int] | None = None) -> Tensor:
        """z, before BatchNorm; of a band that was padded by hand with the `padding` that is left to do."""
        padding = self.padding if padding is None else padding
        return nn.functional.conv2d(x.to(self.dtype), self.weight, None, self.stride, padding)

    def measure(self, z: Tensor, height: int = 0) -> None:
        """Find the statistics of `z`, of a team of several a map of `height` rows, and update the running ones: once in
        a step."""
        self._statistics = batch_norm.measured(self.bn, z, team=self.team, height=height)

    def know(self, statistics: Statistics) -> None:
        """Normalise with these, and leave the running ones alone."""
        self._statistics = statistics

    def normalise(self, z: Tensor, *, relu: bool) -> Tensor:
        """A new map; of a band of `z` a band."""
        return batch_norm.normalised(z, self.scale, self.shift, self.statistics, relu=relu)

    def normalise_(self, z: Tensor, *, relu: bool) -> Tensor:
        """The same over `z`."""
        for chunk in batch_norm.chunks(z):
            z[:, :, chunk].copy_(self.normalise(z[:, :, chunk], relu=relu))
        return z

    def convolved_gradient_(self, z: Tensor, g: Tensor, *, relu: bool, into: Tensor | None = None) -> Tensor:
        """Of `z`, from `g` of BatchNorm's output (behind a ReLU where there is one); written over `g`, or `into`."""
        new, self._sums = batch_norm_backward.both(
            z, g, self.scale, self.shift, self.statistics, relu=relu, into_NCHW=into, team=self.team
        )
        return new

    def take(self, found: Sums) -> None:
        """Sums over all rows that the rank has, where they were found in bands."""
        known = self.statistics
        whole = found if known.fixed else batch_norm_backward.of_all([found], known.joint, self.team)[0]
        self._sums, self._line = found, batch_norm_backward.line(self.scale, known, whole)

    def finish_(self, z: Tensor, g: Tensor, *, relu: bool, into: Tensor | None = None) -> Tensor:
        """As `convolved_gradient_`, of a map or a band, with the sums that were taken."""
        assert self._line is not None
        return batch_norm_backward.backward_(
            z, g, self.scale, self.shift, self.statistics, self._line, relu=relu, into_NCHW=into
        )

    def input_gradient(self, g: Tensor, x: Tensor) -> Tensor:
        """Of the convolution's input, from `g` of z. Of `x` only the shape is read."""
        return handmade.input_gradient(g, self.weight, x, stride=self.stride, padding=self.padding)

    def learn(self, g: Tensor, x: Tensor, *, padding: tuple[int, int] | None = None) -> None:
        """Add the weight's gradient from `g` of z and the input `x`, or bands of them, the input's padded by hand."""
        if not self.wanted[0]:
            return
        padding = self.padding if padding is None else padding
        found = handmade.weight_gradient(g, x.to(self.dtype), self.weight, stride=self.stride, padding=padding)
        found = found.to(self._weight_dtype)
        self._weight_gradient = found if self._weight_gradient is None else self._weight_gradient.add_(found)

    def gradients(self) -> Gradients:
        """Of the three parameters, None where not wanted: see `joined`."""
        assert self._sums is not None
        scale, shift = self._sums.gradients(self.scale.dtype)
        return self._weight_gradient, scale if self.wanted[1] else None, shift if self.wanted[2] else None

"""The modules that the stages are: a residual network's stem, an encoder's layer, the decoder's block, the head."""

from __future__ import annotations

import contextlib
from typing import cast

import torch
from torch import Tensor, nn

from fullfield.model import autocast


class Stem(nn.Module):
    """7×7 convolution of stride 2, BatchNorm, ReLU: 64 channels at half resolution."""

    def __init__(self, conv1: nn.Module, bn1: nn.Module) -> None:
        super().__init__()
        self.conv1, self.bn1 = conv1, bn1
        self.relu = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        """(N, 64, H/2, W/2)."""
        return cast(Tensor, self.relu(self.bn1(self.conv1(x))))


class Layer(nn.Module):
    """Residual blocks of one resolution; the first layer pools before them.

    `momentum`: γ of `NetworkSpec`. A technique that trains with another γ sets it, so that evaluation follows.
    """

    def __init__(self, blocks: nn.Sequential, *, pool: bool, momentum: float = 0.0) -> None:
        super().__init__()
        self.pool = nn.MaxPool2d(kernel_size=3, stride=2, padding=1) if pool else nn.Identity()
        self.blocks = blocks
        self.momentum = momentum

    def forward(self, x: Tensor) -> Tensor:
        """Half of the resolution that came in."""
        return self.residual(self.pool(x))

    def residual(self, x: Tensor) -> Tensor:
        """All but the pooling. With γ, Sander et al. 2021, equation 4: v ← γv + (1 − γ)f(x), x ← x + v.

        The first block changes the form of the map, so it stays as it is; f is what a block adds to its input.
        """
        if not self.momentum:
            return cast(Tensor, self.blocks(x))
        first, *others = self.blocks
        x = first(x)
        v = torch.zeros_like(x)
        for block in others:
            v = self.momentum * v + (1 - self.momentum) * (block(x) - x)
            x = x + v
        return x


def doubled(x: Tensor) -> Tensor:
    """Twice the height and width, nearest. In the format of `x`, whose values are repeated: autocast on a card would
    write them in fp32. Where it is off it is not named: the flow to int8 does not look into it."""
    on = autocast.dtype(x.device.type) is not None
    with autocast.off(x.device.type) if on else contextlib.nullcontext():
        return nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")


class Decode(nn.Module):
    """Nearest upsampling by two, the skip beside it, two 3×3 convolutions."""

    def __init__(self, conv1: nn.Module, conv2: nn.Module) -> None:
        super().__init__()
        self.conv1, self.conv2 = conv1, conv2

    def forward(self, x: Tensor, skip: Tensor | None = None) -> Tensor:
        """Twice the resolution that came in."""
        x = doubled(x)
        if skip is not None:
            x = torch.cat([x, skip], dim=1)
        return cast(Tensor, self.conv2(self.conv1(x)))


class Head(nn.Module):
    """3×3 convolution to one channel, and sigmoid; in fp32 whatever comes in, also under autocast.

    In half precision sigmoid and the loss behind it lose what they are for (MS-SSIM collapses).
    """

    def __init__(self, conv: nn.Module) -> None:
        super().__init__()
        self.conv = conv

    def forward(self, x: Tensor) -> Tensor:
        """(N, 1, H, W) in 0…1, fp32 (fp64 stays fp64)."""
        with autocast.off(x.device.type):
            return torch.sigmoid(self.conv(x if x.dtype == torch.float64 else x.float()))

"""The network: segmentation_models_pytorch's U-Net, one channel in, one out, as a chain of named stages.

    input ─ stem ─ layer1 ─ layer2 ─ layer3 ─ layer4 ─ d1 ─ d2 ─ d3 ─ d4 ─ d5 ─ head ─ output in 0…1
              └──────┴────────┴────────┴──────── skips to d4, d3, d2, d1

It knows nothing of devices, ranks, precision or memory. Its forward is one loop over its stages, so that a stage can
be cut off, checkpointed, streamed or sharded from outside. Numerically it is smp's own forward. Sides are multiples of
32 (`GRID`); whoever calls it pads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

import segmentation_models_pytorch as smp
import torch
from torch import Tensor, nn

from fullfield.model import autocast
from fullfield.model.card import GRID, NetworkSpec
from fullfield.model.stages import STAGES

__all__ = ["GRID", "STAGES", "Network", "NetworkSpec", "build", "from_smp", "to_smp"]

_SMP_PREFIX = {
    "stem.": "encoder.",
    "layer1.blocks.": "encoder.layer1.",
    "layer2.blocks.": "encoder.layer2.",
    "layer3.blocks.": "encoder.layer3.",
    "layer4.blocks.": "encoder.layer4.",
    "d1.": "decoder.blocks.0.",
    "d2.": "decoder.blocks.1.",
    "d3.": "decoder.blocks.2.",
    "d4.": "decoder.blocks.3.",
    "d5.": "decoder.blocks.4.",
    "head.conv.": "segmentation_head.0.",
}


class Network(nn.Module):
    """The stages by name, and the loop over them. `x`: float (N, 1, H, W) in 0…1, H and W multiples of 32."""

    def __init__(self, spec: NetworkSpec, stages: Mapping[str, nn.Module]) -> None:
        super().__init__()
        self.spec = spec
        self.stages = nn.ModuleDict({name: stages[name] for name in STAGES})

    def forward(self, x: Tensor) -> Tensor:
        """(N, 1, H, W) in 0…1, fp32."""
        maps = {"input": x}
        for position, (name, stage) in enumerate(self.stages.items()):
            maps[name] = stage(*(maps[taken] for taken in STAGES[name]))
            for spent in set(maps) - {name} - _taken_after(position):
                del maps[spent]  # so that inference holds no map longer than it is needed
        return maps["head"]


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


class Decode(nn.Module):
    """Nearest upsampling by two, the skip beside it, two 3×3 convolutions."""

    def __init__(self, conv1: nn.Module, conv2: nn.Module) -> None:
        super().__init__()
        self.conv1, self.conv2 = conv1, conv2

    def forward(self, x: Tensor, skip: Tensor | None = None) -> Tensor:
        """Twice the resolution that came in."""
        x = nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")
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


def build(spec: NetworkSpec) -> Network:
    """The network with torch's and smp's random initialisation: seed torch first, or fill it from a file.

    Under `torch.device("meta")` it takes no memory.
    """
    unet = smp.Unet(spec.encoder, encoder_weights=None, in_channels=1, classes=1)
    encoder = unet.encoder
    stages: dict[str, nn.Module] = {"stem": Stem(encoder.conv1, encoder.bn1)}
    for name in ("layer1", "layer2", "layer3", "layer4"):
        stages[name] = Layer(getattr(encoder, name), pool=name == "layer1", momentum=spec.momentum)
    for number, block in enumerate(unet.decoder.blocks, start=1):
        stages[f"d{number}"] = Decode(block.conv1, block.conv2)
    stages["head"] = Head(unet.segmentation_head[0])
    return Network(spec, stages)


def to_smp(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Our state dictionary under smp's names: `smp.Unet(...).load_state_dict` takes it."""
    return {_renamed(name.removeprefix("stages."), _SMP_PREFIX): value for name, value in state.items()}


def from_smp(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """A state dictionary of smp.Unet under our names; names that are none of smp's stay as they are."""
    back = {theirs: f"stages.{ours}" for ours, theirs in _SMP_PREFIX.items() if ours != "stem."}
    back |= {"encoder.conv1.": "stages.stem.conv1.", "encoder.bn1.": "stages.stem.bn1."}
    return {_renamed(name, back): value for name, value in state.items()}


def _renamed(name: str, prefixes: Mapping[str, str]) -> str:
    for prefix, other in prefixes.items():
        if name.startswith(prefix):
            return other + name[len(prefix) :]
    return name


def _taken_after(position: int) -> set[str]:
    later: Iterable[tuple[str, ...]] = list(STAGES.values())[position + 1 :]
    return {name for taken in later for name in taken}

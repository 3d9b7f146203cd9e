"""ResNet-18: basic blocks, 2 + 2 + 2 + 2."""

from __future__ import annotations

from fullfield.model.encoders.base import Source
from fullfield.model.encoders.resnet import ResNet


class ResNet18(ResNet):
    """See the module."""

    name = "resnet18"
    title = "ResNet-18, smaller"
    full_halo = 320
    basic = True
    imagenet = Source(
        repository="smp-hub/resnet18.imagenet",
        revision="3f2325ff978283d47aa6a1d6878ca20565622683",
        bytes=44_744_608,
    )

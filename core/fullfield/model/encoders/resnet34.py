"""ResNet-34, the encoder of the paper: basic blocks, 3 + 4 + 6 + 3."""

from __future__ import annotations

from fullfield.model.encoders.base import Source
from fullfield.model.encoders.resnet import ResNet


class ResNet34(ResNet):
    """See the module."""

    name = "resnet34"
    title = "ResNet-34, as in the paper"
    full_halo = 544
    basic = True
    imagenet = Source(
        repository="smp-hub/resnet34.imagenet",
        revision="7a57b34f723329ff020b3f8bc41771163c519d0c",
        bytes=85_207_072,
    )

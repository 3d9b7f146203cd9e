"""segmentation_models_pytorch's U-Net in our stages."""

from __future__ import annotations

import segmentation_models_pytorch as smp

from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.modules import Decode, Head
from fullfield.model.network import Network
from fullfield.model.spec import NetworkSpec
from fullfield.model.stages import DECODERS, HEAD


def build(spec: NetworkSpec) -> Network:
    """See `network.build`."""
    unet = smp.Unet(spec.encoder, encoder_weights=None, in_channels=1, classes=1)
    stages = ENCODERS[spec.encoder].stages(unet.encoder, momentum=spec.momentum)
    for name, block in zip(DECODERS, unet.decoder.blocks, strict=True):
        stages[name] = Decode(block.conv1, block.conv2)
    stages[HEAD] = Head(unet.segmentation_head[0])
    return Network(spec, stages)

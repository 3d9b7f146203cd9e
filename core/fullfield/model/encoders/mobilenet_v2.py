"""MobileNetV2 (Sandler et al. 2018): inverted residuals with depthwise convolutions and ReLU6, few weights and FLOPs.

It starts from scratch or from a file: no ImageNet weights are fetched. smp cuts its features where the resolution has
halved:

    stem     features 0 … 1      layer3   features 7 … 13
    layer1   features 2 … 3      layer4   features 14 … 18
    layer2   features 4 … 6
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from fullfield.model.encoders.base import Encoder
from fullfield.model.stages import LAYERS, STEM

if TYPE_CHECKING:
    from torch import nn

    from fullfield.model.blocks import Block, Step

SIX = 6.0  # where ReLU6 ends
FEATURES = dict(zip((STEM, *LAYERS), (range(2), range(2, 4), range(4, 7), range(7, 14), range(14, 19)), strict=True))


class MobileNetV2(Encoder):
    """See the module."""

    name = "mobilenet_v2"
    title = "MobileNetV2, the smallest"
    full_halo = 352
    inference_bytes = 80  # measured from 1,024² to 1,536² on a CPU: 78
    first = "features.0.0.weight"
    classifier = ("classifier.1.weight", "classifier.1.bias")
    names: ClassVar[Mapping[str, str]] = {
        f"{stage}.blocks.{place}.": f"encoder.features.{number}."
        for stage, numbers in FEATURES.items()
        for place, number in enumerate(numbers)
    }

    def stages(self, encoder: Any, *, momentum: float) -> dict[str, nn.Module]:
        """See `Encoder`."""
        from torch import nn

        from fullfield.model.modules import Layer

        features = list(encoder.features)
        return {name: Layer(nn.Sequential(*(features[n] for n in ours)), pool=False) for name, ours in FEATURES.items()}

    def blocks(self, stage: Any) -> tuple[Block, ...]:
        """See `Encoder`."""
        return tuple(_block(one) for one in stage.blocks)


def _block(module: Any) -> Block:
    """An inverted residual: 1×1 to more channels, 3×3 on each by itself, 1×1 to few; or a convolution by itself."""
    from fullfield.model.blocks import Block, Step

    if not hasattr(module, "use_res_connect"):
        return Block(main=(_step(module),))
    *wide, conv, norm = module.conv
    main = (*map(_step, wide), Step(conv=conv, norm=norm, relu=False))
    return Block(main=main, beside=() if module.use_res_connect else None)


def _step(module: Any) -> Step:
    from fullfield.model.blocks import Step

    conv, norm, _ = module
    return Step(conv=conv, norm=norm, relu=True, ceiling=SIX)

"""ResNet-50: bottleneck blocks, 3 + 4 + 6 + 3. It starts from scratch or a file: no ImageNet weights are fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fullfield.model.encoders.resnet import ResNet, beside

if TYPE_CHECKING:
    from fullfield.model.blocks import Block


class ResNet50(ResNet):
    """See the module."""

    name = "resnet50"
    title = "ResNet-50, larger"
    full_halo = 320
    inference_bytes = 224  # measured from 1,024² to 1,536² on a CPU: 213
    momentum_bytes = 64  # as measured so: 252 in all

    def block(self, module: Any) -> Block:
        """A bottleneck: 1×1 to fewer channels, 3×3, 1×1 to four times as many (figure 5 of the paper)."""
        from fullfield.model.blocks import Block, Step

        main = (
            Step(conv=module.conv1, norm=module.bn1, relu=True),
            Step(conv=module.conv2, norm=module.bn2, relu=True),
            Step(conv=module.conv3, norm=module.bn3, relu=False),
        )
        return Block(main=main, beside=beside(module), relu=True)

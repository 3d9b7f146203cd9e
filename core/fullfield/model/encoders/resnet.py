"""Residual networks of He et al. 2016: their names, their stem with the pooling behind it, and their basic blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from fullfield.model.encoders.base import Encoder
from fullfield.model.stages import LAYERS, STEM

if TYPE_CHECKING:
    from torch import nn

    from fullfield.model.blocks import Block


class ResNet(Encoder):
    """A residual network as torchvision builds it."""

    pools = True
    even = True
    # Found with `fullfield.bench.tiles` on ResNet-34: from 1,024² to 4,288², 64 to 79 bytes (the first layer's maps).
    inference_bytes = 80
    momentum_bytes = 32  # ResNet-34 from 1,024² to 1,536² on a CPU: 107 in all
    first = "conv1.weight"
    classifier = ("fc.weight", "fc.bias")
    names: ClassVar[Mapping[str, str]] = {
        f"{STEM}.conv1.": "encoder.conv1.",
        f"{STEM}.bn1.": "encoder.bn1.",
        **{f"{name}.blocks.": f"encoder.{name}." for name in LAYERS},
    }

    def stages(self, encoder: Any, *, momentum: float) -> dict[str, nn.Module]:
        """See `Encoder`."""
        from fullfield.model.modules import Layer, Stem

        stages: dict[str, nn.Module] = {STEM: Stem(encoder.conv1, encoder.bn1)}
        for name in LAYERS:
            stages[name] = Layer(getattr(encoder, name), pool=name == LAYERS[0], momentum=momentum)
        return stages

    def blocks(self, stage: Any) -> tuple[Block, ...]:
        """See `Encoder`."""
        from fullfield.model.blocks import Block, Step
        from fullfield.model.modules import Stem

        if isinstance(stage, Stem):
            return (Block(main=(Step(conv=stage.conv1, norm=stage.bn1, relu=True),)),)  # type: ignore[arg-type]
        return tuple(self.block(one) for one in stage.blocks)

    def block(self, module: Any) -> Block:
        """A basic block: two 3×3 convolutions (figure 2 of the paper)."""
        from fullfield.model.blocks import Block, Step

        main = (
            Step(conv=module.conv1, norm=module.bn1, relu=True),
            Step(conv=module.conv2, norm=module.bn2, relu=False),
        )
        return Block(main=main, beside=beside(module), relu=True)


def beside(module: Any) -> tuple[Any, ...]:
    """The steps of a residual block's shortcut: a convolution where it changes the form of the map, else none."""
    from fullfield.model.blocks import Step

    if module.downsample is None:
        return ()
    conv, norm = module.downsample
    return (Step(conv=conv, norm=norm, relu=False),)

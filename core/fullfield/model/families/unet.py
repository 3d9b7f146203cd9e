"""The U-Net of segmentation_models_pytorch: it draws the whole picture, at the scale at which it was trained."""

from __future__ import annotations

from collections.abc import Mapping

from fullfield.model.encoders.registry import ENCODERS
from fullfield.model.families.base import Family
from fullfield.model.stages import DECODERS, HEAD, STAGES


class Unet(Family):
    """See the module."""

    name = "unet"
    title = "U-Net, as in the paper"
    module = "fullfield.model.unet"
    stages = STAGES
    encoders = tuple(ENCODERS)

    def describe(self, encoder: str) -> str:
        """With its encoder."""
        return f"U-Net {encoder}"

    def tensor_names(self, encoder: str) -> Mapping[str, str]:
        """smp's."""
        blocks = {f"{name}.": f"decoder.blocks.{number}." for number, name in enumerate(DECODERS)}
        return {**ENCODERS[encoder].names, **blocks, f"{HEAD}.conv.": "segmentation_head.0."}

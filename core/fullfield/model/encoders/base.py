"""What an encoder is: a declaration that is read without torch, and how the network's stages are made of it.

class Mine(Encoder):                       one file, and one line in `registry.py`
    name, title                            smp's name of it; for people
    full_halo                              how far an output pixel sees, in pixels of the image
    …
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from torch import nn

    from fullfield.model.blocks import Block


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a hub keeps weights of an encoder. `bytes`: of the tensors, all but a little of the file."""

    repository: str
    revision: str
    bytes: int


class Encoder(ABC):
    """An encoder of segmentation_models_pytorch. The class is its declaration.

    `full_halo`: pixels, a multiple of 32: the whole receptive field of the U-Net and the grid; exact for any weights.
    `imagenet`: where its ImageNet weights are fetched from; None: nowhere, for nobody has checked a file of them.
    `pools`: its stem is one convolution, whose map is the largest of the encoder, and the first layer begins with a
    pooling of it: bands make that map again where the decoder wants it, and never keep it. `basic`: likewise, and all
    its blocks are two convolutions (He et al. 2016), which `bands.residual` is written for. `even`: behind the first
    block of a layer every block keeps the form of its map, as momentum blocks must. `inference_bytes`: resident bytes
    per pixel of an image that is enhanced in fp32, as they grow with the pixels; `momentum_bytes`: how many more with
    momentum blocks, for the maps of the first layer that they keep. `first`: smp's name of the weight of
    the first convolution, which has three colours in ImageNet's weights. `classifier`: names of tensors in these that
    a U-Net does not have. `names`: the beginnings of its tensors' names in our state dictionaries, and smp's in their
    place.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    full_halo: ClassVar[int]
    imagenet: ClassVar[Source | None] = None
    pools: ClassVar[bool] = False
    basic: ClassVar[bool] = False
    even: ClassVar[bool] = False
    inference_bytes: ClassVar[int]
    momentum_bytes: ClassVar[int] = 0
    first: ClassVar[str]
    classifier: ClassVar[tuple[str, ...]]
    names: ClassVar[Mapping[str, str]]

    @abstractmethod
    def stages(self, encoder: Any, *, momentum: float) -> dict[str, nn.Module]:
        """The stem and the layers, of smp's encoder. `momentum`: γ of `NetworkSpec`, of an `even` encoder."""

    @abstractmethod
    def blocks(self, stage: nn.Module) -> tuple[Block, ...]:
        """What a stage that `stages` made consists of, behind its pooling."""

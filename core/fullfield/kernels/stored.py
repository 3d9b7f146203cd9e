"""Images as they are stored, and what each of their levels stands for: half of their bytes as floats.

A radiograph has at most 65,536 grey levels, and whatever makes a network's input of one is a table over these
(`fullfield.image.normalise`). So an image can lie on the device as it is stored, and who works in bands asks for the
rows of a band: the same floats, bit for bit, that the whole image would have been brought to.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

LEVELS = 1 << 16


class Stored:
    """Images (N, 1, H, W) in 0…1.

    `levels_NCHW`: uint16. `tables`: floats (N, 65536), the value of each level in each image, or (1, 65536), the same
    for all.
    """

    def __init__(self, levels_NCHW: Tensor, tables: Tensor) -> None:
        self.levels_NCHW, self.tables = levels_NCHW, tables

    @property
    def shape(self) -> torch.Size:
        """(N, 1, H, W)."""
        return self.levels_NCHW.shape

    @property
    def dtype(self) -> torch.dtype:
        """Of the values."""
        return self.tables.dtype

    @property
    def device(self) -> torch.device:
        """Where levels and tables lie."""
        return self.levels_NCHW.device

    def numel(self) -> int:
        """Pixels of all images."""
        return self.levels_NCHW.numel()

    def __len__(self) -> int:
        """Images."""
        return len(self.levels_NCHW)

    def __getitem__(self, part: Any) -> Stored:
        """Some of the images (a slice), or a part of each (... and slices), as they are stored."""
        first = part[0] if isinstance(part, tuple) else part
        images = first if isinstance(first, slice) and len(self.tables) > 1 else slice(None)
        return Stored(self.levels_NCHW[part], self.tables[images])

    def to(self, device: torch.device, *, non_blocking: bool = False) -> Stored:
        """On `device`."""
        return Stored(*(one.to(device, non_blocking=non_blocking) for one in self.tensors))

    def pin_memory(self) -> Stored:
        """In memory from which a card copies it while it computes."""
        return Stored(*(one.pin_memory() for one in self.tensors))

    @property
    def tensors(self) -> tuple[Tensor, Tensor]:
        """All that it holds."""
        return self.levels_NCHW, self.tables

    def rows(self, first: int, last: int) -> Tensor:
        """The values of rows [first, last), in the strides of the levels."""
        part = self.levels_NCHW[:, :, first:last]
        count, _, height, width = part.shape
        places = part.to(torch.int32).reshape(count, -1)  # of kernels, few take 16 bits
        if len(self.tables) > 1:
            places += torch.arange(0, LEVELS * count, LEVELS, dtype=torch.int32, device=self.device)[:, None]
        values = self.tables.reshape(-1).index_select(0, places.reshape(-1))
        beside = 1 if self.levels_NCHW.stride(1) == 1 else height * width  # of one channel strides alone tell a layout
        return values.as_strided(part.shape, (height * width, beside, width, 1))


def tensors(images: Tensor | Stored) -> tuple[Tensor, ...]:
    """All that holds `images`."""
    return images.tensors if isinstance(images, Stored) else (images,)


def rows(images: Tensor | Stored, first: int, last: int) -> Tensor:
    """The values of rows [first, last); of floats a view."""
    return images.rows(first, last) if isinstance(images, Stored) else images[:, :, first:last]


def values(images: Tensor | Stored) -> Tensor:
    """All of them: `images` itself where they are floats."""
    return images.rows(0, images.shape[2]) if isinstance(images, Stored) else images

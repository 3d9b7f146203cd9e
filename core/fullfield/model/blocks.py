"""What the blocks of an encoder are made of, as values: what engines need that run them in their own way.

    map ─ step ─ step ─ … ─┐
     └─── beside ──────────+─ relu        a step: convolution, BatchNorm, ReLU where there is one

An engine that runs such a block runs every encoder. The modules are the network's own, with their parameters. Imports
no torch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import nn


@dataclass(frozen=True, kw_only=True)
class Step:
    """`conv`: square, perhaps with groups. `norm`: BatchNorm2d, or Identity once it is folded into the convolution.

    `ceiling`: where the ReLU ends, 6 of ReLU6.
    """

    conv: nn.Conv2d
    norm: nn.Module
    relu: bool
    ceiling: float = math.inf


@dataclass(frozen=True, kw_only=True)
class Block:
    """`beside`: the steps whose map is added to that of `main`; none of them: the block's input is; None: nothing is.

    `relu`: behind the addition.
    """

    main: tuple[Step, ...]
    beside: tuple[Step, ...] | None = None
    relu: bool = False

    @property
    def channels(self) -> int:
        """Of the map that it makes."""
        return self.main[-1].conv.out_channels

    @property
    def reach(self) -> int:
        """Rows of its input, beyond those that lie where its map's do, that a row of this reads at most."""
        found, stride = 0, 1
        for step in self.main:
            found += stride * int(step.conv.padding[0])
            stride *= step.conv.stride[0]
        return found

"""Momentum residual blocks that keep the last map only, and compute the others again from it.

The package `momentumnet` (Sander et al. 2021) runs x and v backwards through the blocks. It keeps v in fixed point, two
integers of 8 bytes, so that nothing is lost on the way: 20 bytes per value with x in fp32, however many blocks. Around
it we see to what it leaves open: BatchNorm's second run normalises as its first did and updates nothing; that run has
the autocast of the first; and under autocast x and v stay in fp32, where fixed point does not overflow.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import cast

import momentumnet
import torch
from momentumnet.exact_rep_pytorch import RADIX_SCALE, TorchExactRep
from torch import Tensor, nn

from fullfield.model import autocast
from fullfield.model.network import Layer
from fullfield.recomputation import replay


def run(layer: Layer) -> Callable[[Tensor], Tensor]:
    """What computes `layer` with its γ, and keeps of its blocks after the first no map but the last."""
    first, *others = layer.blocks

    def residual(x: Tensor) -> Tensor:
        x = first(layer.pool(x))
        functions = [_Block(block, replay.passes([block]), autocast.as_now(x.device.type)) for block in others]
        chain = momentumnet.MomentumNet(functions, _as_given(layer.momentum), use_backprop=False, is_residual=False)
        return cast(Tensor, chain(x if x.dtype == torch.float64 else x.float()))

    return residual


class _Block(nn.Module):
    """A residual block for the package, which runs it without a graph first and with one in backward."""

    def __init__(
        self, block: nn.Module, passes: replay.Passes, as_before: Callable[[], AbstractContextManager[object]]
    ) -> None:
        super().__init__()
        self.block, self._passes, self._as_before = block, passes, as_before

    def forward(self, x: Tensor) -> Tensor:
        """In the precision of x."""
        first, again = self._passes
        with again() if torch.is_grad_enabled() else first(), self._as_before():
            return cast(Tensor, self.block(x)).to(x.dtype)


def _as_given(gamma: float) -> float:
    """A hair below γ: the package takes ⌊2¹⁶γ⌋ + 1 for the numerator of its fraction."""
    return gamma - 2.0**-44


def _to_fixed_point(_: TorchExactRep, x: Tensor | float) -> Tensor | int:
    return (x * RADIX_SCALE).long() if isinstance(x, Tensor) else int(x * RADIX_SCALE)


# The package asks for `type(x) is Tensor`, which fake tensors are not.
TorchExactRep.float_to_intrep = _to_fixed_point

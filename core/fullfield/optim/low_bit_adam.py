"""torchao's Adam with its moments in 8 or 4 bits, compiled where that is worth its wait."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torchao.optim import Adam4bit, Adam8bit

from fullfield.hardware import compiler

Make = Callable[[list[nn.Parameter]], torch.optim.Optimizer]


class EagerAdam8bit(Adam8bit):  # type: ignore[misc]
    """Operation by operation: the same numbers but for rounding, without a compiler."""

    def step(self, closure: Any = None) -> None:
        """See torch.optim.Optimizer."""
        with torch.compiler.set_stance("force_eager"):
            super().step(closure)


class EagerAdam4bit(Adam4bit):  # type: ignore[misc]
    """Operation by operation: the same numbers but for rounding, without a compiler."""

    def step(self, closure: Any = None) -> None:
        """See torch.optim.Optimizer."""
        with torch.compiler.set_stance("force_eager"):
            super().step(closure)


def chosen(bits: int, device: torch.device) -> Make:
    """The optimizer for a device: compiled on a card, where a hundred small kernels for each weight would take longer
    than the rest of a step; operation by operation on a CPU, and where no compiler is."""
    compiled = device.type == "cuda" and not compiler.missing()
    fast, eager = (Adam8bit, EagerAdam8bit) if bits == 8 else (Adam4bit, EagerAdam4bit)
    make: Make = fast if compiled else eager
    return make

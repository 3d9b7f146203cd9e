"""TF32 for a step, but not for its loss: MS-SSIM needs more than the ten bits of mantissa that TF32 multiplies with."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

Structure = Callable[[Tensor, Tensor], Tensor]


@contextlib.contextmanager
def tf32(allowed: bool = True) -> Iterator[None]:
    """Convolutions and products of cards in TF32, or in fp32 where it is not `allowed`, until the end."""
    before = torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32
    torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = allowed
    try:
        yield
    finally:
        torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = before


def protected(structure: Structure) -> Structure:
    """`structure` in fp32, also its gradient: that is computed with the value, because backward comes under TF32."""

    def protected_structure(prediction: Tensor, reference: Tensor) -> Tensor:
        result: Tensor = _Protected.apply(prediction, reference, structure)
        return result

    return protected_structure


class _Protected(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, prediction: Tensor, reference: Tensor, structure: Structure) -> Tensor:
        wanted = ctx.needs_input_grad[0]
        with tf32(allowed=False), torch.set_grad_enabled(wanted):
            leaf = prediction.detach().requires_grad_(wanted)
            value = structure(leaf, reference)
            if wanted:
                ctx.save_for_backward(*torch.autograd.grad(value, leaf))
        return value.detach()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        (found,) = ctx.saved_tensors
        return found * gradients[0], None, None

"""The mean absolute difference in bands of rows, with its gradient: beside the images one map, and one band.

value    mean of |x − y|
gradient sign(x − y) / number of pixels
"""

from __future__ import annotations

from typing import Any, cast

import torch
from torch import Tensor

from fullfield.kernels import rows, stored
from fullfield.kernels.stored import Stored

BAND_PIXELS = 1 << 20


def mean(prediction: Tensor, reference: Tensor | Stored) -> Tensor:
    """A scalar with a gradient to `prediction`, for one backward. Both (N, 1, H, W)."""
    return cast(Tensor, _Difference.apply(prediction, reference))


class _Difference(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, prediction: Tensor, reference: Tensor | Stored) -> Tensor:
        count, _, height, width = prediction.shape
        ctx.gradient = torch.empty_like(prediction)
        total = torch.zeros((), dtype=torch.float64, device=prediction.device)
        bands = rows.count(height, max(1, BAND_PIXELS // (count * width)))
        for number in rows.visit(bands):
            first, last = rows.band(number, height, bands)
            apart = prediction[:, :, first:last] - stored.rows(reference, first, last)
            total += apart.abs().sum(dtype=torch.float64)
            ctx.gradient[:, :, first:last].copy_(apart.sign_())
            del apart
        return (total / prediction.numel()).to(prediction.dtype)

    @staticmethod
    def backward(ctx: Any, *incoming: Tensor) -> tuple[Tensor | None, None]:
        gradient, ctx.gradient = ctx.gradient, None
        if gradient is None:
            raise RuntimeError("The gradient of the difference in bands serves one backward; compute the loss again")
        return (gradient.mul_(incoming[0] / gradient.numel()) if ctx.needs_input_grad[0] else None), None

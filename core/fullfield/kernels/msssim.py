"""1 − MS-SSIM in bands of rows: five scales, one pass, and the gradient of the prediction made on the way.

    value    1 − mean over images of Π relu(m_i)^w_i, m_i the mean of cs at scale i, of l·cs at the last
    gradient −1/N · v·w_i/m_i · ∂m_i/∂x summed over the scales; 0 for an image of which a mean is not above 0

A scale's gradient is kept without its factor, which needs the means of all scales, and gets it at the end: nothing is
computed twice. Beyond prediction and reference there are one map for the gradient, the smaller scales, and one band.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn import functional

from fullfield.hardware import compiler
from fullfield.kernels import msssim_kernel, rows
from fullfield.kernels.msssim_kernel import REACH, Kernel

WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)
LEAST_SIDE = REACH * 2 ** (len(WEIGHTS) - 1) + 1

COMPILED, UNCOMPILED = "banded", "banded-eager"
KERNELS: dict[str, Kernel] = {COMPILED: msssim_kernel.compiled, UNCOMPILED: msssim_kernel.uncompiled}
BAND_PIXELS, LEAST_ROWS = 1 << 16, 64
"""The height of a band where none is asked for: its maps fit into a core's cache, and it computes few rows twice."""


@dataclass(frozen=True, kw_only=True)
class Structure:
    """1 − MS-SSIM, computed as `variant` says in bands of at most `band_rows` rows (0: what is fast)."""

    variant: str
    band_rows: int = 0

    def __call__(self, prediction: Tensor, reference: Tensor) -> Tensor:
        """The mean over the batch: a scalar in 0…1 with a gradient to `prediction`, for one backward.

        Both (N, 1, H, W) in 0…1, fp32 or fp64, any strides. Raises ValueError for sides of 160 pixels or less, for
        unequal shapes, and where the reference requires a gradient.
        """
        if prediction.shape != reference.shape or prediction.dim() != 4 or prediction.shape[1] != 1:
            raise ValueError(f"1 − MS-SSIM needs two equal (N, 1, H, W), not {prediction.shape} and {reference.shape}")
        if min(prediction.shape[2:]) < LEAST_SIDE:
            raise ValueError(f"1 − MS-SSIM needs sides of at least {LEAST_SIDE} pixels, not {prediction.shape[2:]}")
        if reference.requires_grad:
            raise ValueError("1 − MS-SSIM in bands gives no gradient to the reference; detach it")
        band_rows = self.band_rows or max(LEAST_ROWS, BAND_PIXELS // prediction.shape[3])
        return cast(Tensor, _Structure.apply(prediction, reference, KERNELS[self.variant], band_rows))


def chosen(device: torch.device, *, band_rows: int = 0, trial: bool = True) -> tuple[Structure, str]:
    """The fastest variant that runs on `device`, and a sentence for the user where that is not the compiled one.

    `trial`: find out by compiling; else what is installed decides.
    """
    missing = compiler.missing() or (msssim_kernel.fault(device) if trial else "")
    if not missing:
        return Structure(variant=COMPILED, band_rows=band_rows), ""
    notice = f"The loss takes more time than it needs, with the same result: it could not be compiled. {missing}"
    return Structure(variant=UNCOMPILED, band_rows=band_rows), notice


class _Structure(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, prediction: Tensor, reference: Tensor, kernel: Kernel, band_rows: int) -> Tensor:
        height, width = prediction.shape[2:]
        room = _room(prediction, len(prediction), 1)
        values = [
            _image(x[0], y[0], place[0], -1.0 / len(prediction), kernel, band_rows)
            for x, y, place in zip(prediction.detach(), reference, room, strict=True)
        ]
        # No saved tensor of autograd's: nothing shall compress it, and it ends with its one use, not with the loss.
        ctx.gradient = _true_part(room, height, width)
        return (1.0 - torch.stack(values).mean()).to(prediction.dtype)

    @staticmethod
    def backward(ctx: Any, *incoming: Tensor) -> tuple[Tensor | None, None, None, None]:
        gradient, ctx.gradient = ctx.gradient, None
        if gradient is None:
            raise RuntimeError("The gradient of 1 − MS-SSIM in bands serves one backward; compute the loss again")
        return (gradient.mul_(incoming[0]) if ctx.needs_input_grad[0] else None), None, None, None


def _image(x: Tensor, y: Tensor, room: Tensor, share: float, kernel: Kernel, band_rows: int) -> Tensor:
    """MS-SSIM of one pair of (H, W), fp64. `room`, zero, gets `share` times its gradient to `x`."""
    gradients: list[tuple[Tensor, Tensor, int]] = []  # of each scale: with its room, the true part, how many pixels
    means = []
    for scale, _ in enumerate(WEIGHTS):
        if scale:
            x, y = _halved(x), _halved(y)
            room = _room(x)
        true, pixels = _true_part(room, *x.shape), (x.shape[0] - REACH) * (x.shape[1] - REACH)
        total = _scale(x, y, true, scale == len(WEIGHTS) - 1, kernel, band_rows)
        gradients.append((room, true, pixels))
        means.append(total / pixels)
    del x, y, room, true
    value = functools.reduce(torch.mul, [mean.relu() ** weight for mean, weight in zip(means, WEIGHTS, strict=True)])
    coarser = None
    for mean, weight in zip(reversed(means), reversed(WEIGHTS), strict=True):
        room, true, pixels = gradients.pop()
        room.mul_(torch.where(mean <= 0.0, 0.0, share / pixels * weight * value / mean))
        if coarser is not None:
            _spread(coarser, room)
        coarser = true
    return value


def _scale(x: Tensor, y: Tensor, gradient: Tensor, luminance: bool, kernel: Kernel, band_rows: int) -> Tensor:
    """The sum of a scale's map, fp64; its gradient to `x` is added to `gradient`. Bands overlap by `REACH` rows."""
    height = x.shape[0] - REACH
    bands = rows.count(height, band_rows)
    total = torch.zeros((), dtype=torch.float64, device=x.device)
    for number in rows.visit(bands):
        first, last = rows.band(number, height, bands)
        part = slice(first, last + REACH)
        band_total, band_gradient = kernel(x[part], y[part], luminance)
        total += band_total
        gradient[part] += band_gradient
        del band_gradient
    return total


def _halved(x: Tensor) -> Tensor:
    """The mean of 2 × 2 pixels. An odd side has a row of zeros before it, as in pytorch-msssim."""
    return functional.avg_pool2d(x[None, None], 2, padding=[side % 2 for side in x.shape])[0, 0]


def _spread(coarser: Tensor, room: Tensor) -> None:
    """Add the gradient of a halved map to that of the map itself, which lies in `room`. No temporary map."""
    for column in (0, 1):
        room[:, column::2].view(-1, 2, coarser.shape[1]).add_(coarser.unsqueeze(1), alpha=0.25)


def _room(like: Tensor, *leading: int) -> Tensor:
    """Zeros (*leading, H, W) for a map like `like`, with the row and column that pooling puts before odd sides."""
    height, width = like.shape[-2:]
    return like.new_zeros((*leading, height + height % 2, width + width % 2))


def _true_part(room: Tensor, height: int, width: int) -> Tensor:
    return room[..., room.shape[-2] - height :, room.shape[-1] - width :]

"""1 − MS-SSIM in bands of rows: five scales, one pass, and the gradient of the prediction made on the way.

    value    1 − mean over images of Π relu(m_i)^w_i, m_i the mean of cs at scale i, of l·cs at the last
    gradient −1/N · v·w_i/m_i · ∂m_i/∂x summed over the scales; 0 for an image of which a mean is not above 0

A scale's gradient is kept without its factor, which needs the means of all scales, and gets it at the end: nothing is
computed twice. Beyond prediction and reference there are one map for the gradient, the smaller scales, and one band.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import torch
from torch import Tensor
from torch.nn import functional

from fullfield.hardware import compiler
from fullfield.kernels import msssim_kernel, rows, stored
from fullfield.kernels.msssim_kernel import REACH, Kernel
from fullfield.kernels.stored import Stored

WEIGHTS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)
LEAST_SIDE = REACH * 2 ** (len(WEIGHTS) - 1) + 1

COMPILED, UNCOMPILED = "banded", "banded-eager"
KERNELS: dict[str, Kernel] = {COMPILED: msssim_kernel.compiled, UNCOMPILED: msssim_kernel.uncompiled}
BAND_PIXELS, LEAST_ROWS = 1 << 16, 64
"""The height of a band where none is asked for: its maps fit into a core's cache, and it computes few rows twice."""


class Outside(Protocol):
    """A prediction (N, 1, H, W) that is nowhere whole on the device: `kernels.away`."""

    @property
    def shape(self) -> torch.Size:
        """Of the prediction."""
        ...

    def losses(self, reference: Tensor | Stored, kernel: Kernel, band_rows: int, *, l1: bool) -> tuple[Tensor, Tensor]:
        """1 − MS-SSIM and the mean absolute difference, 0 without `l1`."""
        ...


@dataclass(frozen=True, kw_only=True)
class Structure:
    """1 − MS-SSIM, computed as `variant` says in bands of at most `band_rows` rows (0: what is fast)."""

    variant: str
    band_rows: int = 0

    def __call__(self, prediction: Tensor | Outside, reference: Tensor | Stored) -> Tensor:
        """The mean over the batch: a scalar in 0…1 with a gradient to `prediction`, for one backward.

        Both (N, 1, H, W) in 0…1, fp32 or fp64, any strides; the reference may be as it is stored. Raises
        ValueError for sides of 160 pixels or less, for unequal shapes, and where the reference requires a gradient.
        """
        if not isinstance(prediction, Tensor):
            return self.both(prediction, reference, l1=False)[0]
        check(prediction, reference, prediction.shape[2:])
        return cast(
            Tensor, _Structure.apply(prediction, reference, KERNELS[self.variant], self.rows_of_band(prediction))
        )

    def both(self, prediction: Outside, reference: Tensor | Stored, *, l1: bool) -> tuple[Tensor, Tensor]:
        """It, and the mean absolute difference (0 without `l1`), of a prediction that lies outside of the device."""
        return prediction.losses(reference, KERNELS[self.variant], self.rows_of_band(prediction), l1=l1)

    def rows_of_band(self, prediction: Tensor | Outside) -> int:
        """At most so many."""
        return self.band_rows or max(LEAST_ROWS, BAND_PIXELS // prediction.shape[3])


def chosen(device: torch.device, *, band_rows: int = 0, trial: bool = True) -> tuple[Structure, str]:
    """The fastest variant that runs on `device`, and a sentence for the user where that is not the compiled one.

    `trial`: find out by compiling; else what is installed decides.
    """
    missing = compiler.missing() or (msssim_kernel.fault(device) if trial else "")
    if not missing:
        return Structure(variant=COMPILED, band_rows=band_rows), ""
    notice = f"The loss takes more time than it needs, with the same result: it could not be compiled. {missing}"
    return Structure(variant=UNCOMPILED, band_rows=band_rows), notice


def check(prediction: Tensor, reference: Tensor | Stored, sides: Sequence[int]) -> None:
    """Raises ValueError where 1 − MS-SSIM of images with such `sides` cannot be computed of them."""
    if prediction.shape != reference.shape or prediction.dim() != 4 or prediction.shape[1] != 1:
        raise ValueError(f"1 − MS-SSIM needs two equal (N, 1, H, W), not {prediction.shape} and {reference.shape}")
    if min(sides) < LEAST_SIDE:
        raise ValueError(f"1 − MS-SSIM needs sides of at least {LEAST_SIDE} pixels, not {tuple(sides)}")
    if isinstance(reference, Tensor) and reference.requires_grad:
        raise ValueError("1 − MS-SSIM in bands gives no gradient to the reference; detach it")


class Once(torch.autograd.Function):
    """A loss whose forward, of four inputs, leaves the first one's gradient as `ctx.gradient`: for one backward."""

    @staticmethod
    def backward(ctx: Any, *incoming: Tensor) -> tuple[Tensor | None, None, None, None]:
        gradient, ctx.gradient = ctx.gradient, None
        if gradient is None:
            raise RuntimeError("The gradient of 1 − MS-SSIM in bands serves one backward; compute the loss again")
        return (gradient.mul_(incoming[0]) if ctx.needs_input_grad[0] else None), None, None, None


class _Structure(Once):
    @staticmethod
    def forward(ctx: Any, prediction: Tensor, reference: Tensor | Stored, kernel: Kernel, band_rows: int) -> Tensor:
        height, width = prediction.shape[2:]
        room = _room(prediction, len(prediction), 1)
        share = -1.0 / len(prediction)
        values = [
            _image(x[0], reference[place : place + 1], room[place, 0], share, kernel, band_rows)
            for place, x in enumerate(prediction.detach())
        ]
        # No saved tensor of autograd's: nothing shall compress it, and it ends with its one use, not with the loss.
        ctx.gradient = _true_part(room, height, width)
        return (1.0 - torch.stack(values).mean()).to(prediction.dtype)


@dataclass(frozen=True, kw_only=True, eq=False)
class Scale:
    """One scale of one pair: the mean of its map of so many `pixels`, fp64, and its gradient without a factor: `true`
    in its `room`."""

    mean: Tensor
    pixels: int
    room: Tensor
    true: Tensor


def _image(x: Tensor, reference: Tensor | Stored, room: Tensor, share: float, kernel: Kernel, band_rows: int) -> Tensor:
    """MS-SSIM of one pair, fp64: (H, W), and the reference (1, 1, H, W). `room`, zero, gets `share` times its gradient
    to `x`."""
    y: Tensor | Stored = reference if isinstance(reference, Stored) else reference[0, 0]
    found = scales(x, y, kernel, band_rows, room=room)
    value, factors = weighed(share, [each.mean for each in found], [each.pixels for each in found])
    joined(found, factors)
    return value


def scales(
    x: Tensor,
    y: Tensor | Stored,
    kernel: Kernel,
    band_rows: int,
    *,
    room: Tensor | None = None,
    first: int = 0,
) -> list[Scale]:
    """The scales of a pair of (H, W), which lies at scale `first`, and all coarser ones. `room`: for the gradient at
    the first of them, zero."""
    found = []
    for scale in range(first, len(WEIGHTS)):
        if scale > first:
            x, y = mean_of_four(x), halved(y, band_rows) if isinstance(y, Stored) else mean_of_four(y)
            room = None
        room = _room(x) if room is None else room
        true, pixels = _true_part(room, *x.shape), (x.shape[0] - REACH) * (x.shape[1] - REACH)
        total = _scale(x, y, true, scale == len(WEIGHTS) - 1, kernel, band_rows)
        found.append(Scale(mean=total / pixels, pixels=pixels, room=room, true=true))
    return found


def weighed(share: float, means: Sequence[Tensor], pixels: Sequence[int]) -> tuple[Tensor, list[Tensor]]:
    """MS-SSIM from the means of all scales, and the factor of each scale's gradient in `share` times its own."""
    value = functools.reduce(torch.mul, [mean.relu() ** weight for mean, weight in zip(means, WEIGHTS, strict=True)])
    factors = [
        torch.where(mean <= 0.0, 0.0, share / count * weight * value / mean)
        for mean, count, weight in zip(means, pixels, WEIGHTS, strict=True)
    ]
    return value, factors


def joined(found: list[Scale], factors: Sequence[Tensor]) -> Tensor:
    """The gradients of scales with their factors, from the coarsest on: that of the first of them, with all of what
    the others give it. `found` is used up, so a coarser one goes as soon as it has given."""
    coarser = None
    for factor in reversed(factors):
        scale = found.pop()
        scale.room.mul_(factor)
        if coarser is not None:
            spread(coarser, scale.room)
        coarser = scale.true
    assert coarser is not None
    return coarser


def _scale(x: Tensor, y: Tensor | Stored, gradient: Tensor, luminance: bool, kernel: Kernel, band_rows: int) -> Tensor:
    """The sum of a scale's map, fp64; its gradient to `x` is added to `gradient`. Bands overlap by `REACH` rows."""
    height = x.shape[0] - REACH
    bands = rows.count(height, band_rows)
    total = torch.zeros((), dtype=torch.float64, device=x.device)
    for number in rows.visit(bands):
        first, last = rows.band(number, height, bands)
        part = slice(first, last + REACH)
        beside = y.rows(first, last + REACH)[0, 0] if isinstance(y, Stored) else y[part]
        band_total, band_gradient = kernel(x[part], beside, luminance)
        total += band_total
        gradient[part] += band_gradient
        del band_gradient, beside
    return total


def mean_of_four(x: Tensor) -> Tensor:
    """The mean of 2 × 2 pixels. An odd side has a row of zeros before it, as in pytorch-msssim."""
    return functional.avg_pool2d(x[None, None], 2, padding=[side % 2 for side in x.shape])[0, 0]


def halved(y: Tensor | Stored, band_rows: int) -> Tensor:
    """Likewise of an image (1, 1, H, W), which may be as it is stored, band by band."""
    height, width = (side + side % 2 for side in y.shape[2:])
    found = torch.empty(height // 2, width // 2, dtype=y.dtype, device=y.device)
    bands = rows.count(height // 2, band_rows)
    for number in rows.visit(bands):
        first, last = rows.band(number, height // 2, bands)
        found[first:last] = mean_of_four(stored.rows(y, *under(first, last, y.shape[2]))[0, 0])
    return found


def under(first: int, last: int, height: int) -> tuple[int, int]:
    """The rows of an image that rows [first, last) of the halved one are made of. Only of the first band, and of an odd
    height, they are odd in number: then the row of zeros is before them."""
    return max(0, 2 * first - height % 2), 2 * last - height % 2


def spread(coarser: Tensor, room: Tensor) -> None:
    """Add the gradient of a halved map to that of the map itself, which lies in `room`. No temporary map."""
    for column in (0, 1):
        room[:, column::2].view(-1, 2, coarser.shape[1]).add_(coarser.unsqueeze(1), alpha=0.25)


def _room(like: Tensor, *leading: int) -> Tensor:
    """Zeros (*leading, H, W) for a map like `like`, with the row and column that pooling puts before odd sides."""
    height, width = like.shape[-2:]
    return like.new_zeros((*leading, height + height % 2, width + width % 2))


def _true_part(room: Tensor, height: int, width: int) -> Tensor:
    return room[..., room.shape[-2] - height :, room.shape[-1] - width :]

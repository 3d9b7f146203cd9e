"""The band kernel of MS-SSIM: one scale over a band of rows, the sum of its map, and the sum's gradient by hand.

With G the Gaussian window of 11 × 11 pixels and σ = 1.5, for a prediction x and a reference y (Wang et al. 2003):

    μx = Gx, μy = Gy, s = G(x² + y²), p = G(xy)               four blurs
    cs = A/B,  A = 2(p − μx·μy) + C2,  B = s − μx² − μy² + C2  contrast and structure
    l  = (2·μx·μy + C1) / (μx² + μy² + C1)                     luminance, at the coarsest scale alone
    ∂Σ/∂x = Gᵀ(∂Σ/∂μx) + 2x·Gᵀ(∂Σ/∂s) + y·Gᵀ(∂Σ/∂p)           three blurs back

A blur is a sum of eleven shifted maps along each axis. Where a compiler is, the function is compiled, and each of its
loops is one pass; elsewhere each term is one pass over a band that fits into the cache. It is one function.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from subprocess import SubprocessError
from typing import cast

import torch
from torch import Tensor

from fullfield import log
from fullfield.hardware import devices
from fullfield.kernels.traced import traced

REACH = 10
"""How many rows and columns the map of a scale is smaller than the images."""

C1, C2 = 0.01**2, 0.03**2
WORKSPACE = 28
"""Maps of a band's size that the compiled kernel takes beside its output, all before it starts: counted in a trace."""

WORTH_COMPILING = 1 << 13
"""Pixels of a band. Below about half of it torch.compile would make a second kernel, for bands that take no time."""

Kernel = Callable[..., tuple[Tensor, Tensor]]
"""(x, y, luminance) -> the sum over the map of cs, or of l·cs, and its gradient to x; x, y: (rows, columns)."""


def _window() -> list[float]:
    """The taps of one axis, in fp32 as pytorch-msssim makes them."""
    taps = torch.exp(-((torch.arange(REACH + 1, dtype=torch.float32) - REACH // 2) ** 2) / (2 * 1.5**2))
    return cast(list[float], (taps / taps.sum()).tolist())


WINDOW = _window()
TAPS = tuple(sorted(enumerate(WINDOW), key=lambda tap: tap[1]))
"""(place, weight), the smallest weight first: so their sum rounds least."""


def uncompiled(x: Tensor, y: Tensor, luminance: bool) -> tuple[Tensor, Tensor]:
    """See `Kernel`; operation by operation, in place where that is possible."""
    total, derivatives = _derivatives(_blurred(torch.stack((x, y, torch.addcmul(x * x, y, y), x * y))), luminance)
    to_mean, to_square, to_product = _blurred_back(derivatives)
    return total, to_mean.addcmul_(x, to_square, value=2.0).addcmul_(y, to_product)


def compiled(x: Tensor, y: Tensor, luminance: bool) -> tuple[Tensor, Tensor]:
    """See `Kernel`; compiled at its first call, for all sizes but the small ones of the coarse scales.

    A trace sees what the compiled code takes, not what it computes.
    """
    if traced(x):
        workspace = x.new_empty((WORKSPACE, *x.shape))
        del workspace
        return x.new_empty(()), torch.empty_like(x)
    if luminance or x.numel() < WORTH_COMPILING:
        return uncompiled(x, y, luminance)
    x, y = x.contiguous(), y.contiguous()
    for image in (x, y):  # not `dynamic=True`, which makes a variable of every weight too: ten times the compilation
        torch._dynamo.maybe_mark_dynamic(image, (0, 1))
    return _compiled()(x, y, luminance)


def fault(device: torch.device) -> str:
    """Compile now, once for all sizes; why that fails on `device`, a sentence, or "".

    The sides of the trial differ, for equal ones would be taken for a rule. It computes as a step will, or that would
    have it compiled anew. A second process finds it on the disk.
    """
    x = torch.linspace(0.0, 1.0, 74 * 530, device=device).view(74, 530)
    try:
        with torch.no_grad(), devices.computing_alike(device.type):
            compiled(x, x.square(), False)
    except (RuntimeError, MemoryError, OSError, ImportError, SubprocessError) as error:
        if devices.is_out_of_memory(error):
            return "The compiler ran out of memory."
        reported = str(error).strip().partition("\n")[0] or type(error).__name__
        return f"The compiler says: {log.redact(reported).rstrip('.')}."
    return ""


@functools.cache
def _compiled() -> Kernel:
    return cast(Kernel, torch.compile(uncompiled, fullgraph=True))


def _derivatives(moments: Tensor, luminance: bool) -> tuple[Tensor, Tensor]:
    """The sum of the map, and its derivatives by μx, s and p, stacked."""
    mean_x, mean_y, square, product = moments
    crossed, squares = mean_x * mean_y, torch.addcmul(mean_x * mean_x, mean_y, mean_y)
    inverse = (square - squares).add_(C2).reciprocal_()
    cs = (product - crossed).mul_(2.0).add_(C2).mul_(inverse)
    to_mean = (cs * mean_x).sub_(mean_y).mul_(inverse).mul_(2.0)
    if not luminance:
        return cs.sum(), torch.stack((to_mean, (cs * inverse).neg_(), inverse.mul_(2.0)))
    inverse_l = squares.add_(C1).reciprocal_()
    l = crossed.mul_(2.0).add_(C1).mul_(inverse_l)  # noqa: E741 - the paper's symbol
    ssim = l * cs
    to_mean.mul_(l).add_(torch.addcmul(mean_y, l, mean_x, value=-1.0).mul_(inverse_l).mul_(cs), alpha=2.0)
    return ssim.sum(), torch.stack((to_mean, (ssim * inverse).neg_(), inverse.mul_(l).mul_(2.0)))


def _blurred(maps: Tensor) -> Tensor:
    """Every map blurred along both axes, which makes them `REACH` shorter. Rows second: then no row is 2^n long."""
    return _along(_along(maps, -1), -2)


def _blurred_back(maps: Tensor) -> Tensor:
    """The adjoint of `_blurred`. The window is symmetric, so it is the same blur of a map between zeros."""
    for axis in (-2, -1):
        shape = [*maps.shape]
        shape[axis] = REACH
        zeros = maps.new_zeros(shape)
        maps = _along(torch.cat((zeros, maps, zeros), axis), axis)  # compiled, `pad` would be asked at every tap
    return maps


def _along(maps: Tensor, axis: int) -> Tensor:
    length = maps.shape[axis] - REACH
    (first, weight), *others = TAPS
    blurred = maps.narrow(axis, first, length) * weight
    for place, weight in others:
        blurred.add_(maps.narrow(axis, place, length), alpha=weight)
    return blurred

"""BatchNorm by hand (Ioffe & Szegedy 2015): statistics once, normalising as often as needed, backward in place.

Whoever computes a map a second time must normalise it with the statistics of the first time and leave the running
ones alone; and whoever sees a map in bands finds its statistics band by band (`moments`, `merged`). Backward never
makes a map of its own: two sums (`sums`), then the gradient of the output becomes that of the input in place
(`backward_`), both in row chunks. With x̂ = (z − mean)·invstd, g the gradient behind the ReLU, n values per channel:

    ∂weight = Σ g·x̂      ∂bias = Σ g      ∂z = weight·invstd·(g − Σg/n − x̂·Σ(g·x̂)/n)

In eval mode the statistics are constants, and ∂z = weight·invstd·g.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from fullfield.kernels import rows

CHUNK = 2**20  # values of a map that backward looks at in one go: large enough for a device, 4 MiB a temporary in fp32


@dataclass(frozen=True, kw_only=True)
class Moments:
    """Of `count` values per channel: their mean and their summed squared deviations from it, (C,) in fp64."""

    count: int
    mean_C: Tensor
    deviations_C: Tensor


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """What a map is normalised with: (C,) in fp32, or fp64 for fp64 maps. `var` is the biased one.

    `count`: values per channel that they are of. `fixed`: running statistics, which no gradient goes through.
    """

    mean_C: Tensor
    var_C: Tensor
    eps: float
    count: int
    fixed: bool

    @property
    def invstd_C(self) -> Tensor:
        """1/√(var + ε)."""
        return torch.rsqrt(self.var_C + self.eps)


@dataclass(frozen=True, kw_only=True)
class Sums:
    """The two sums of backward, (C,) in fp64: Σ g·x̂ is the gradient of the weight, Σ g that of the bias."""

    weight_C: Tensor
    bias_C: Tensor

    def plus(self, other: Sums) -> Sums:
        """Of both sets of rows."""
        return Sums(weight_C=self.weight_C + other.weight_C, bias_C=self.bias_C + other.bias_C)


def wants_batch(bn: nn.BatchNorm2d) -> bool:
    """Whether it normalises with the statistics of the batch: in training mode, or where it keeps no running ones."""
    return bn.training or bn.running_mean is None


@torch.no_grad()
def measured(bn: nn.BatchNorm2d, z_NCHW: Tensor) -> Statistics:
    """What `bn` normalises `z` with, and its running statistics updated as `bn(z)` would: call it once per step.

    Raises ValueError for a single value per channel in training, as PyTorch does.
    """
    if not wants_batch(bn):
        return running(bn, z_NCHW.dtype)
    found = moments(z_NCHW)
    update_running(bn, found)
    return of_batch(bn, found, z_NCHW.dtype)


@torch.no_grad()
def moments(z_NCHW: Tensor) -> Moments:
    """Of a map or of a band of it."""
    found: Moments | None = None
    half = z_NCHW.dtype in (torch.bfloat16, torch.float16)
    for chunk in chunks(z_NCHW) if half else (slice(None),):
        part = z_NCHW[:, :, chunk]
        mean, var = torch.batch_norm_update_stats(part.float() if half else part, None, None, 0.0)
        count = part.numel() // part.shape[1]
        new = Moments(count=count, mean_C=mean.double(), deviations_C=var.double() * count)
        found = new if found is None else merged(found, new)
    assert found is not None
    return found


def merged(one: Moments, other: Moments) -> Moments:
    """Of both sets of values: Chan, Golub, LeVeque 1983, equations 2.1."""
    count = one.count + other.count
    apart = other.mean_C - one.mean_C
    return Moments(
        count=count,
        mean_C=one.mean_C + apart * (other.count / count),
        deviations_C=one.deviations_C + other.deviations_C + apart**2 * (one.count * other.count / count),
    )


def of_batch(bn: nn.BatchNorm2d, found: Moments, dtype: torch.dtype) -> Statistics:
    """The statistics of a batch for maps of `dtype`. Raises ValueError for a single value per channel in training."""
    if bn.training and found.count <= 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got {found.count}")
    to = _precise(dtype)
    var = (found.deviations_C / found.count).to(to)
    return Statistics(mean_C=found.mean_C.to(to), var_C=var, eps=bn.eps, count=found.count, fixed=False)


def running(bn: nn.BatchNorm2d, dtype: torch.dtype) -> Statistics:
    """The running statistics for maps of `dtype`, as they are now."""
    assert bn.running_mean is not None and bn.running_var is not None
    to = _precise(dtype)
    mean, var = bn.running_mean.to(to, copy=True), bn.running_var.to(to, copy=True)
    return Statistics(mean_C=mean, var_C=var, eps=bn.eps, count=0, fixed=True)


@torch.no_grad()
def update_running(bn: nn.BatchNorm2d, found: Moments) -> None:
    """Running statistics and the count of batches, as `bn` itself does after a batch; nothing in eval mode."""
    if not bn.training or bn.running_mean is None:
        return
    assert bn.running_var is not None and bn.num_batches_tracked is not None
    bn.num_batches_tracked.add_(1)
    unbiased = found.deviations_C / max(1, found.count - 1)
    for buffer, new in ((bn.running_mean, found.mean_C), (bn.running_var, unbiased)):
        new = new.to(buffer.dtype)
        if bn.momentum is None:  # the mean of all batches so far
            buffer.lerp_(new, 1.0 / bn.num_batches_tracked.to(buffer.dtype))
        else:
            buffer.mul_(1 - bn.momentum).add_(new, alpha=bn.momentum)


@torch.no_grad()
def normalised(
    z_NCHW: Tensor,
    weight_C: Tensor,
    bias_C: Tensor,
    statistics: Statistics,
    *,
    relu: bool,
    ceiling: float = math.inf,
) -> Tensor:
    """A new map: weight·x̂ + bias in the dtype of `z`, then ReLU where there is one, which ends at `ceiling`."""
    y = torch.nn.functional.batch_norm(
        z_NCHW, statistics.mean_C, statistics.var_C, weight_C, bias_C, eps=statistics.eps
    )
    if not relu:
        return y
    return y.relu_() if ceiling == math.inf else y.clamp_(0, ceiling)


@torch.no_grad()
def sums(
    z_NCHW: Tensor,
    g_NCHW: Tensor,
    weight_C: Tensor,
    bias_C: Tensor,
    statistics: Statistics,
    *,
    relu: bool,
    ceiling: float = math.inf,
) -> Sums:
    """Of a map or of a band of it. `g`: gradient of the output (behind the ReLU where there is one); not changed."""
    found: Sums | None = None
    mean, invstd = statistics.mean_C, statistics.invstd_C
    for chunk in chunks(z_NCHW):
        z = z_NCHW[:, :, chunk]
        g = _masked(z, g_NCHW[:, :, chunk], weight_C, bias_C, statistics, relu, ceiling)
        _, weight, bias = torch.ops.aten.native_batch_norm_backward(
            g, z, weight_C, None, None, mean, invstd, True, 0.0, [False, True, True]
        )
        new = Sums(weight_C=weight.double(), bias_C=bias.double())
        found = new if found is None else found.plus(new)
    assert found is not None
    return found


@torch.no_grad()
def backward_(
    z_NCHW: Tensor,
    g_NCHW: Tensor,
    weight_C: Tensor,
    bias_C: Tensor,
    statistics: Statistics,
    found: Sums,
    *,
    relu: bool,
    ceiling: float = math.inf,
    into_NCHW: Tensor | None = None,
) -> Tensor:
    """Make of `g`, the gradient of the output, that of the input, in place; returns `g`.

    `found`: the sums over the whole map (not read where the statistics are fixed). `into`: a map to be written over
    instead of `g`, perhaps `z` itself. The one that is written over must be the caller's own.
    """
    target_NCHW = g_NCHW if into_NCHW is None else into_NCHW
    scale = _over_map(weight_C * statistics.invstd_C)
    for chunk in chunks(z_NCHW):
        z = z_NCHW[:, :, chunk]
        g = _masked(z, g_NCHW[:, :, chunk], weight_C, bias_C, statistics, relu, ceiling)
        if statistics.fixed:
            new = g * scale
        else:
            to = statistics.mean_C.dtype
            level = _over_map((found.bias_C / statistics.count).to(to))
            slope = _over_map((found.weight_C / statistics.count).to(to) * statistics.invstd_C)
            apart = z - _over_map(statistics.mean_C)
            new = torch.sub(g, level).addcmul_(apart, slope, value=-1).mul_(scale)
            del apart
        target_NCHW[:, :, chunk].copy_(new)
        del g, new
    return target_NCHW


def chunks(map_NCHW: Tensor) -> Iterator[slice]:
    """Rows of a map in slices of about `CHUNK` values."""
    batch, channels, height, width = map_NCHW.shape
    bands = rows.count(height, max(1, CHUNK // (batch * channels * width)))
    for number in range(1 if rows.sampled() else bands):  # all take the same memory, and none takes FLOPs that count
        yield slice(*rows.band(number, height, bands))


def _masked(
    z: Tensor, g: Tensor, weight_C: Tensor, bias_C: Tensor, statistics: Statistics, relu: bool, ceiling: float
) -> Tensor:
    """`g` where the ReLU let the value through, else 0; `g` itself without a ReLU."""
    if not relu:
        return g
    y = normalised(z, weight_C, bias_C, statistics, relu=False)
    if ceiling < math.inf:
        return torch.ops.aten.hardtanh_backward(g, y, 0, ceiling)  # type: ignore[no-any-return]
    return torch.ops.aten.threshold_backward(g, y, 0)  # type: ignore[no-any-return]


def _precise(dtype: torch.dtype) -> torch.dtype:
    """What statistics of maps of `dtype` are kept in."""
    return torch.float64 if dtype == torch.float64 else torch.float32


def _over_map(values_C: Tensor) -> Tensor:
    return values_C.view(1, -1, 1, 1)

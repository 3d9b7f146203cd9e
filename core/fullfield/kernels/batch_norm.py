"""BatchNorm by hand (Ioffe & Szegedy 2015), forward: statistics once, normalising as often as needed.

Whoever computes a map a second time must normalise it with the statistics of the first time and leave the running
ones alone; and code that sees a map in bands finds its statistics band by band (`moments`, `merged`). Every operation
starts a kernel, however few values it is for: so what is found of bands is put together once, when all of it is there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn

from fullfield.distribution.joint import Joint
from fullfield.distribution.team import ALONE, Team
from fullfield.kernels import rows

CHUNK = 2**20  # values of a map that backward looks at in one go: large enough for a device, 4 MiB a temporary in fp32


@dataclass(frozen=True, kw_only=True)
class Moments:
    """Of some rows of a map, one entry for each band that was looked at: how many values a channel has in it, their
    mean and their mean squared deviation from it, (C,)."""

    counts: tuple[int, ...]
    means: tuple[Tensor, ...]
    vars: tuple[Tensor, ...]

    @property
    def count(self) -> int:
        """Values per channel."""
        return sum(self.counts)

    @cached_property
    def whole(self) -> tuple[Tensor, Tensor]:
        """Mean and variance of all of them, in fp64 where they come from several bands: Chan, Golub, LeVeque 1983."""
        if len(self.counts) == 1:
            return self.means[0], self.vars[0]
        means, within = torch.stack(self.means).double(), torch.stack(self.vars).double()
        shares = torch.tensor(self.counts, dtype=means.dtype, device=means.device)[:, None] / self.count
        mean = (shares * means).sum(0)  # no product of matrices: cuBLAS would keep 32 MiB for it from then on
        apart = means - mean
        return mean, (shares * within.addcmul_(apart, apart)).sum(0)


@dataclass(frozen=True, kw_only=True)
class Statistics:
    """What a map is normalised with: (C,) in fp32, or fp64 for fp64 maps. `var` is the biased one.

    `count`: values per channel that they are of. `fixed`: running statistics, which no gradient goes through. `joint`:
    those who have images that they are of, where that is not one rank alone; `present`: whether this one has any.
    """

    mean_C: Tensor
    var_C: Tensor
    eps: float
    count: int
    fixed: bool
    joint: Joint | None = None
    present: bool = True

    @cached_property
    def invstd_C(self) -> Tensor:
        """1/√(var + ε)."""
        return torch.rsqrt(self.var_C + self.eps)


def wants_batch(bn: nn.BatchNorm2d) -> bool:
    """Whether it normalises with the statistics of the batch: in training mode, or where it keeps no running ones."""
    return bn.training or bn.running_mean is None


@torch.no_grad()
def measured(
    bn: nn.BatchNorm2d, z_NCHW: Tensor, *, updates: bool = True, team: Team = ALONE, height: int = 0
) -> Statistics:
    """What `bn` normalises `z` with, and its running statistics updated as `bn(z)` would where `updates`: do that once
    per step. `z`: of a team of several, this rank's rows of a map of `height` rows.

    Raises ValueError for a single value per channel in training, as PyTorch does.
    """
    if not wants_batch(bn):
        return running(bn, z_NCHW.dtype)
    as_bn = updates and bn.training and bn.running_mean is not None and bn.momentum is not None
    if not as_bn or _is_half(z_NCHW) or team.size > 1 or counted_with(bn):
        (found,) = of_all([bn], [moments(z_NCHW)], [height], team)
        known = of_batch(bn, found, z_NCHW.dtype)
        if updates:
            update_running(bn, known)
        return known
    count = _count(bn, z_NCHW.numel() // z_NCHW.shape[1])
    assert bn.running_mean is not None and bn.momentum is not None and bn.num_batches_tracked is not None
    bn.num_batches_tracked.add_(1)
    mean, var = torch.batch_norm_update_stats(z_NCHW, bn.running_mean, bn.running_var, bn.momentum)
    return Statistics(mean_C=mean, var_C=var, eps=bn.eps, count=count, fixed=False)


@torch.no_grad()
def moments(z_NCHW: Tensor) -> Moments:
    """Of a map or of a band of it."""
    found: Moments | None = None
    half = _is_half(z_NCHW)
    for chunk in chunks(z_NCHW) if half else (slice(None),):
        part = z_NCHW[:, :, chunk]
        mean, var = torch.batch_norm_update_stats(part.float() if half else part, None, None, 0.0)
        new = Moments(counts=(part.numel() // part.shape[1],), means=(mean,), vars=(var,))
        found = new if found is None else merged(found, new)
    assert found is not None
    return found


def merged(one: Moments, other: Moments) -> Moments:
    """Of both sets of values."""
    return Moments(counts=one.counts + other.counts, means=one.means + other.means, vars=one.vars + other.vars)


def counted_with(bn: nn.BatchNorm2d) -> Joint | None:
    """Those whose images count together with those of this rank, where that is not one alone (`kernels.joint_norm`)."""
    return getattr(bn, "joint", None)


def of_all(
    bns: Sequence[nn.BatchNorm2d], found: Sequence[Moments], heights: Sequence[int], team: Team
) -> list[Moments]:
    """Of the maps before `bns`, of such `heights`: of all rows, and of all images that count together, where `found`
    are of this rank's rows of its images. One message for all of them, or two; merged in the order of ranks, so with
    the same bits on each."""
    found = _of_rows(found, heights, team)
    joint = counted_with(bns[0])
    return found if joint is None else _of_images(found, joint)


def _of_images(found: Sequence[Moments], joint: Joint) -> list[Moments]:
    own = max(1, joint.images[joint.team.rank])
    return _gathered(found, [[each.count // own * count for count in joint.images] for each in found], joint.team)


def _of_rows(found: Sequence[Moments], heights: Sequence[int], team: Team) -> list[Moments]:
    if team.size == 1:
        return list(found)
    rows_of = [[last - first for first, last in team.shares(height)] for height in heights]
    counts = [
        [each.count * count // rows[team.rank] for count in rows] for each, rows in zip(found, rows_of, strict=True)
    ]
    return _gathered(found, counts, team)


def _gathered(found: Sequence[Moments], counts: Sequence[Sequence[int]], team: Team) -> list[Moments]:
    """Of all ranks, which have so many values each, in one message."""
    parts = [part.double() for each in found for part in each.whole]
    every = [torch.split(one, [part.numel() for part in parts]) for one in team.gather(torch.cat(parts))]
    return [
        Moments(
            counts=tuple(of_ranks),
            means=tuple(one[2 * place] for one in every),
            vars=tuple(one[2 * place + 1] for one in every),
        )
        for place, of_ranks in enumerate(counts)
    ]


def of_batch(bn: nn.BatchNorm2d, found: Moments, dtype: torch.dtype) -> Statistics:
    """The statistics of a batch for maps of `dtype`. Raises ValueError for a single value per channel in training."""
    count, to = _count(bn, found.count), _precise(dtype)
    mean, var = found.whole
    joint = counted_with(bn)
    present = joint is None or joint.present
    return Statistics(
        mean_C=mean.to(to), var_C=var.to(to), eps=bn.eps, count=count, fixed=False, joint=joint, present=present
    )


def running(bn: nn.BatchNorm2d, dtype: torch.dtype) -> Statistics:
    """The running statistics for maps of `dtype`, as they are now."""
    assert bn.running_mean is not None and bn.running_var is not None
    to = _precise(dtype)
    mean, var = bn.running_mean.to(to, copy=True), bn.running_var.to(to, copy=True)
    return Statistics(mean_C=mean, var_C=var, eps=bn.eps, count=0, fixed=True)


@torch.no_grad()
def update_running(bn: nn.BatchNorm2d, found: Statistics) -> None:
    """Running statistics and the count of batches, as `bn` itself does after a batch; nothing in eval mode."""
    if not bn.training or bn.running_mean is None:
        return
    assert bn.running_var is not None and bn.num_batches_tracked is not None
    bn.num_batches_tracked.add_(1)
    unbiased = found.count / max(1, found.count - 1)
    for buffer, new, factor in ((bn.running_mean, found.mean_C, 1.0), (bn.running_var, found.var_C, unbiased)):
        new = new.to(buffer.dtype)
        if bn.momentum is None:  # the mean of all batches so far
            buffer.lerp_(new * factor, 1.0 / bn.num_batches_tracked.to(buffer.dtype))
        else:
            buffer.mul_(1 - bn.momentum).add_(new, alpha=bn.momentum * factor)


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


def chunks(map_NCHW: Tensor) -> Iterator[slice]:
    """Rows of a map in slices of about `CHUNK` values."""
    bands = chunk_count(map_NCHW)
    for number in range(1 if rows.sampled() else bands):  # all take the same memory, and none takes FLOPs that count
        yield slice(*rows.band(number, map_NCHW.shape[2], bands))


def chunk_count(map_NCHW: Tensor) -> int:
    """How many; a band with a few rows beside it is no more of them than the band itself."""
    return min(map_NCHW.shape[2], max(1, round(map_NCHW.numel() / CHUNK)))


def _precise(dtype: torch.dtype) -> torch.dtype:
    """What statistics of maps of `dtype` are kept in."""
    return torch.float64 if dtype == torch.float64 else torch.float32


def _is_half(map_NCHW: Tensor) -> bool:
    return map_NCHW.dtype in (torch.bfloat16, torch.float16)


def _count(bn: nn.BatchNorm2d, count: int) -> int:
    """`count` values per channel. Raises ValueError for a single one in training."""
    if bn.training and count <= 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got {count}")
    return count

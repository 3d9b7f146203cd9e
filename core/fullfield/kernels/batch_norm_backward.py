"""BatchNorm by hand, backward: two sums (`sums`), then the gradient of the output becomes that of the input.

Both in row chunks, and in place, but where a chunk is the whole map. With x̂ = (z − mean)·invstd, g the gradient behind
the ReLU, n values per channel:

    ∂weight = Σ g·x̂      ∂bias = Σ g      ∂z = weight·invstd·(g − Σg/n − x̂·Σ(g·x̂)/n)

That is a line in g and z, whose three coefficients per channel are computed once for all bands (`line`). In eval mode
the statistics are constants, and ∂z = weight·invstd·g.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from fullfield.distribution.joint import Joint
from fullfield.distribution.team import ALONE, Team
from fullfield.kernels.batch_norm import Statistics, chunk_count, chunks, normalised


@dataclass(frozen=True, kw_only=True)
class Sums:
    """The two sums of backward, one entry (C,) for each band that was looked at."""

    weights: tuple[Tensor, ...]
    biases: tuple[Tensor, ...]

    def plus(self, other: Sums) -> Sums:
        """Of both sets of rows."""
        return Sums(weights=self.weights + other.weights, biases=self.biases + other.biases)

    @property
    def weight_C(self) -> Tensor:
        """Σ g·x̂, the gradient of the weight; in fp64 where it comes from several bands."""
        return self._totals[0]

    @property
    def bias_C(self) -> Tensor:
        """Σ g, the gradient of the bias, likewise."""
        return self._totals[1]

    def gradients(self, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """Of weight and bias, (C,) each, in the `dtype` of these parameters."""
        both = self._totals
        if isinstance(both, Tensor):
            both = both.to(dtype)
        return both[0].to(dtype), both[1].to(dtype)

    @cached_property
    def _totals(self) -> Tensor | tuple[Tensor, Tensor]:
        """Of all bands together, (2, C): each operation would start a kernel for the weight and one for the bias."""
        if len(self.weights) == 1:
            return self.weights[0], self.biases[0]
        parts = torch.stack((*self.weights, *self.biases))
        return parts.view(2, len(self.weights), -1).sum(1, dtype=torch.float64)


@dataclass(frozen=True, kw_only=True)
class Line:
    """∂z = scale·g + slope·z + level, each (1, C, 1, 1). Without `slope` and `level` where the statistics are fixed."""

    scale: Tensor
    slope: Tensor | None = None
    level: Tensor | None = None


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
    for chunk in chunks(z_NCHW):
        z = z_NCHW[:, :, chunk]
        g = _masked(z, g_NCHW[:, :, chunk], weight_C, bias_C, statistics, relu, ceiling)
        _, weight, bias = _backward(g, z, weight_C, statistics, [False, True, True])
        new = Sums(weights=(weight,), biases=(bias,))
        found = new if found is None else found.plus(new)
    assert found is not None
    return found


def of_all(found: Sequence[Sums], joint: Joint | None, team: Team) -> list[Sums]:
    """Over all rows of all images that count together, where those `found` are over this rank's rows of its images. One
    message for all of them, or two. `joint`: of what they are normalised with."""
    totals = list(found)
    for ranks in (team, ALONE if joint is None else joint.team):
        if ranks.size > 1:
            summed = ranks.sum([one.double() for each in totals for one in (each.weight_C, each.bias_C)])
            totals = [Sums(weights=(w,), biases=(b,)) for w, b in zip(summed[::2], summed[1::2], strict=True)]
    return totals


def line(weight_C: Tensor, statistics: Statistics, found: Sums) -> Line:
    """What `backward_` goes by. `found`: over all values that the statistics are of; not read where those are fixed or
    where none of them came from here."""
    scale = weight_C * statistics.invstd_C
    if statistics.fixed or not statistics.present:
        return Line(scale=_over_map(scale))
    to, each = statistics.mean_C.dtype, scale * (-1.0 / statistics.count)
    slope = each * statistics.invstd_C * found.weight_C
    level = torch.addcmul(each * found.bias_C, slope, statistics.mean_C, value=-1)
    return Line(scale=_over_map(scale), slope=_over_map(slope.to(to)), level=_over_map(level.to(to)))


@torch.no_grad()
def backward_(
    z_NCHW: Tensor,
    g_NCHW: Tensor,
    weight_C: Tensor,
    bias_C: Tensor,
    statistics: Statistics,
    along: Line,
    *,
    relu: bool,
    ceiling: float = math.inf,
    into_NCHW: Tensor | None = None,
) -> Tensor:
    """Make of `g`, the gradient of the output, that of the input, in place; returns `g`.

    `into`: a map to be written over instead of `g`, perhaps `z` itself. The one that is written over must be the
    caller's own.
    """
    target_NCHW = g_NCHW if into_NCHW is None else into_NCHW
    for chunk in chunks(z_NCHW):
        z, target = z_NCHW[:, :, chunk], target_NCHW[:, :, chunk]
        g = _masked(z, g_NCHW[:, :, chunk], weight_C, bias_C, statistics, relu, ceiling)
        if along.slope is None or along.level is None:
            torch.mul(g, along.scale, out=target)
        else:
            new = torch.addcmul(along.level, z, along.slope)
            torch.addcmul(new, g, along.scale, out=target)
            del new
        del g
    return target_NCHW


@torch.no_grad()
def both(
    z_NCHW: Tensor,
    g_NCHW: Tensor,
    weight_C: Tensor,
    bias_C: Tensor,
    statistics: Statistics,
    *,
    relu: bool,
    ceiling: float = math.inf,
    into_NCHW: Tensor | None = None,
    team: Team = ALONE,
) -> tuple[Tensor, Sums]:
    """`backward_` and the sums over a whole map, where nothing has found them before. Of a team of several, all are of
    this rank's rows, and the sums of the others go into the gradient; so do those of images that count together.

    A map of one chunk goes back at once, to a new map of that size which is copied into the other.
    """
    target_NCHW = g_NCHW if into_NCHW is None else into_NCHW
    if statistics.fixed or chunk_count(z_NCHW) > 1 or team.size > 1 or statistics.joint is not None:
        found = sums(z_NCHW, g_NCHW, weight_C, bias_C, statistics, relu=relu, ceiling=ceiling)
        along = line(weight_C, statistics, found if statistics.fixed else of_all([found], statistics.joint, team)[0])
        new = backward_(
            z_NCHW, g_NCHW, weight_C, bias_C, statistics, along, relu=relu, ceiling=ceiling, into_NCHW=target_NCHW
        )
        return new, found
    g = _masked(z_NCHW, g_NCHW, weight_C, bias_C, statistics, relu, ceiling)
    new, weight, bias = _backward(g, z_NCHW, weight_C, statistics, [True, True, True])
    del g
    return target_NCHW.copy_(new), Sums(weights=(weight,), biases=(bias,))


def _backward(
    g: Tensor, z: Tensor, weight_C: Tensor, statistics: Statistics, wanted: list[bool]
) -> tuple[Tensor, Tensor, Tensor]:
    """Of the normalised map's gradient `g`: those of `z`, weight and bias, as `wanted`."""
    mean, invstd = statistics.mean_C, statistics.invstd_C
    return torch.ops.aten.native_batch_norm_backward(  # type: ignore[no-any-return]
        g, z, weight_C, None, None, mean, invstd, True, 0.0, wanted
    )


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


def _over_map(values_C: Tensor) -> Tensor:
    return values_C.view(1, -1, 1, 1)

"""A decoder block by hand: neither the upsampled nor the concatenated map ever exists whole.

    u = [upsampled(x), skip]   z1 = conv1(u)   y1 = relu(bn1(z1))   z2 = conv2(y1)   out = relu(bn2(z2))

Bands of u and y1 are made as the convolutions read them; each band reads its neighbours' rows from whole maps, so no
halo is computed twice. What is kept beside x and the skip, and what backward holds of the block's size, is a `Keep`.

The skip may be the image instead: then the stem's rows are computed again wherever they are read. With a head the
output is the prediction, and the map in front of the head does not exist whole either.

Of a team of several a rank has its rows of all maps (`halo.Divided`), and bands of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable
from torch.nn import functional

from fullfield.bands import halo, handmade, second
from fullfield.bands.halo import Divided
from fullfield.bands.head import Head
from fullfield.bands.normed import PARAMETERS, Normed, Pair, joined, parameters
from fullfield.bands.skips import MapSkip, NoSkip, Skip, StemSkip
from fullfield.distribution.share import Span
from fullfield.distribution.team import ALONE, Team
from fullfield.kernels import batch_norm_backward
from fullfield.kernels.batch_norm import Statistics
from fullfield.kernels.stored import Stored


class Keep(StrEnum):
    """What becomes of the convolutions' outputs. Each way needs less memory than the one before, and more FLOPs."""

    CONVOLVED = "convolved"  # z1 and z2 are kept: no convolution runs twice
    NOTHING = "nothing"  # backward computes both again, and holds three maps: z1, z2 and the gradient
    LEAST = "least"  # backward computes z1 again, and z2 twice, in bands; it holds two: z1 and the gradient


def run(
    block: nn.Module,
    x_NCHW: Tensor,
    skip_NCHW: Tensor | Stored | None = None,
    *,
    rows: int,
    keep: Keep,
    stem: nn.Module | None = None,
    head: nn.Module | None = None,
    team: Team = ALONE,
) -> Tensor:
    """`block` (a `Decode`) in bands of at most `rows` rows of its output.

    `stem`: it makes the skip of the image that `skip` is then; its running statistics are left alone. `head`: it
    follows the block, whose outputs of convolutions must then be kept. `team`: those who have rows of all these maps;
    given and made are this rank's.
    """
    pairs = [_pair(cast(nn.Sequential, part)) for part in (block.conv1, block.conv2)]
    if stem is not None:
        pairs.append(Pair(cast(nn.Conv2d, stem.conv1), cast(nn.BatchNorm2d, stem.bn1)))
    convolution = None if head is None else cast(nn.Conv2d, head.conv)
    last = [] if convolution is None else [convolution.weight, convolution.bias]
    how = _How(pairs=pairs, rows=rows, keep=keep, stem=stem is not None, head=head is not None, team=team)
    return cast(Tensor, _Decode.apply(how, x_NCHW, skip_NCHW, *parameters(pairs), *last))


@dataclass(frozen=True, kw_only=True)
class _How:
    """`pairs`: of the block's two convolutions, and of the stem where the skip is the image."""

    pairs: Sequence[Pair]
    rows: int
    keep: Keep
    stem: bool
    head: bool
    team: Team


class _Decode(Function):
    @staticmethod
    def forward(ctx: Any, how: _How, x: Tensor, skip: Tensor | Stored | None, *flat: Tensor) -> Tensor:
        ctx.how, ctx.dtype = how, handmade.working_dtype(x)
        ctx.heights = how.team.heights([one.shape[2] for one in (x, skip) if one is not None])
        with handmade.by_hand(x):
            block = _Block(how, ctx.heights, x, skip, flat, ctx.dtype)
            if isinstance(block.skip, StemSkip):
                block.skip.measure(block.bands())
            out, ctx.kept = block.forward()
        ctx.statistics = [step.statistics for step in block.steps]
        ctx.image = skip if isinstance(skip, Stored) else None
        saved = None if isinstance(skip, Stored) else skip
        ctx.save_for_backward(x, saved, out if how.head else None, *flat)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> tuple[Any, ...]:
        g = handmade.private(g)
        x, skip, out, *flat = ctx.saved_tensors
        kept, ctx.kept = handmade.once(ctx.kept), None
        _, wants_x, wants_skip, *wanted = ctx.needs_input_grad
        with handmade.by_hand(x):
            beside = skip if ctx.image is None else ctx.image
            block = _Block(
                ctx.how, ctx.heights, x, beside, flat, ctx.dtype, ctx.statistics, wanted, wants_skip=wants_skip
            )
            found = block.backward(kept, g, out, wants_x=wants_x)
        gradients = [one for step in block.steps for one in step.gradients()]
        gradients += block.head.gradients if block.head else ()
        return None, found, block.skip.gradient, *joined(gradients, ctx.how.team)


class _Block:
    """The block in one step. `steps`: the pairs of `how`, with their parameters, which lie in `flat`."""

    def __init__(
        self,
        how: _How,
        heights: Sequence[int],
        x: Tensor,
        skip: Tensor | Stored | None,
        flat: Sequence[Tensor],
        dtype: torch.dtype,
        statistics: Sequence[Statistics] | None = None,
        wanted: Sequence[bool] | None = None,
        *,
        wants_skip: bool = False,
    ) -> None:
        wanted = [True] * len(flat) if wanted is None else wanted
        places = [slice(PARAMETERS * number, PARAMETERS * (number + 1)) for number in range(len(how.pairs))]
        known = [None] * len(places) if statistics is None else statistics
        self.steps = [
            Normed(pair, flat[place], dtype, each, wanted[place], how.team)
            for pair, place, each in zip(how.pairs, places, known)
        ]
        self.one, self.two = self.steps[:2]
        self.head = Head(*flat[-2:], rows=how.rows, wanted=wanted[-2:]) if how.head else None
        self.skip: Skip = NoSkip()
        if skip is not None:
            beside = Divided(skip, heights[1], how.team)
            self.skip = StemSkip(beside, self.steps[2]) if how.stem else MapSkip(beside, wanted=wants_skip)
        self.dtype, self.rows, self.team = dtype, how.rows, how.team
        self.keep, self.least = how.keep is Keep.CONVOLVED, how.keep is Keep.LEAST
        self.height, self.width = 2 * heights[0], 2 * x.shape[3]
        self.x = Divided(x, heights[0], how.team).pull(self._made_of, of=self.height)

    def bands(self) -> Iterator[Span]:
        """A pass over the rank's rows of the output, in pairs of rows."""
        return halo.bands(self.team.own(self.height), self.rows, grain=2)

    def forward(self) -> tuple[Tensor, list[Tensor]]:
        """The output, and what is kept. Finds the statistics of the block's own two."""
        z1 = self._first()
        self.one.measure(z1.map, self.height)
        z2 = second.convolved(self.one, self.two, z1.pull(), self.bands(), over=not self.keep)
        self.two.measure(z2.map, self.height)
        if self.head is not None:
            out = self.head.forward(partial(self._after, z2.pull()), z2)
        else:
            out = self.two.normalise(z2.map, relu=True) if self.keep else self.two.normalise_(z2.map, relu=True)
        return out, [z1.map, z2.map] if self.keep else []

    def backward(self, kept: list[Tensor], g: Tensor, out: Tensor | None, *, wants_x: bool) -> Tensor | None:
        """The gradient of x from `g` of the output, over which it writes, as over what is kept."""
        z1, z2 = (self._divided(one) for one in kept) if kept else (self._first(), None)
        kept.clear()
        z1.pull()
        if self.head is not None:
            assert z2 is not None and out is not None
            g = self.head.backward(partial(self._after, z2.pull()), z2, out, g)
        behind = self._divided(g)
        if self.least:
            self._convolved_gradient_(z1, behind)
        else:
            z2 = second.convolved(self.one, self.two, z1, self.bands()) if z2 is None else z2
            self.two.convolved_gradient_(z2.map, g, relu=True)
        del z2
        second.back_(self.one, self.two, z1, behind.pull(), self.bands())
        self.one.convolved_gradient_(z1.map, g, relu=True)
        del z1
        return self._over_first(behind.pull(self._spread), wants_x=wants_x)

    def _divided(self, map_NCHW: Tensor) -> Divided:
        """A map as high as the output."""
        return Divided(map_NCHW, self.height, self.team)

    def _first(self) -> Divided:
        """z1."""
        first, last = self.team.own(self.height)
        z1 = self._divided(halo.like(self.x.map, self.one.weight.shape[0], last - first, self.width, self.dtype))
        for first, last in self.bands():
            z1.mine(first, last).copy_(self.one.convolve(self._read(first, last), padding=halo.BESIDE))
        return z1

    def _read(self, first: int, last: int) -> Tensor:
        """u at rows [first − 1, last + 1), with zeros outside of the map."""
        low, high = max(0, first - 1), min(self.height, last + 1)
        channels = self.x.map.shape[1]
        u = halo.like(self.x.map, channels + self.skip.channels, last - first + 2, self.width, self.dtype)
        if low == first:
            u[:, :, :1].zero_()
        if high == last:
            u[:, :, -1:].zero_()
        inside = u[:, :, low - first + 1 : high - first + 1]
        x = self.x.rows(low // 2, (high + 1) // 2)
        inside[:, :channels].copy_(functional.interpolate(x, scale_factor=2.0)[:, :, low % 2 :][:, :, : high - low])
        if self.skip.channels:
            inside[:, channels:].copy_(self.skip.rows(low, high))
        return u

    def _made_of(self, lo: int, hi: int) -> Span:
        """The rows of x that are read for rows [lo, hi) of the output, and one row of u more on each side."""
        return (lo - 1) // 2, hi // 2 + 1

    def _spread(self, lo: int, hi: int) -> Span:
        """The rows of z1 at which a gradient is needed for those of u at rows [lo, hi) and at x's, which are pairs."""
        return lo // 2 * 2 - 1, hi + 1

    def _after(self, z2: Divided, first: int, last: int) -> Tensor:
        """The block's output around rows [first, last)."""
        return self.two.normalise(z2.around(first, last), relu=True)

    def _convolved_gradient_(self, z1: Divided, g: Divided) -> None:
        """`g` of the output becomes that of z2, in place, while z2 is there in bands alone."""
        two, found = self.two, None
        for first, last in self.bands():
            z2 = second.rows(self.one, two, z1, first, last)
            new = batch_norm_backward.sums(z2, g.mine(first, last), two.scale, two.shift, two.statistics, relu=True)
            found = new if found is None else found.plus(new)
        assert found is not None
        two.take(found)
        for first, last in self.bands():
            z2 = second.rows(self.one, two, z1, first, last)
            two.finish_(z2, g.mine(first, last), relu=True)

    def _over_first(self, g: Divided, *, wants_x: bool) -> Tensor | None:
        """The gradient of x from `g` of z1; conv1 learns, and the skip takes its own."""
        channels = self.x.map.shape[1]
        up, skip = halo.turned(self.one.weight[:, :channels]), halo.turned(self.one.weight[:, channels:])

        def of_skip(first: int, last: int) -> Tensor:
            return functional.conv2d(g.padded(first - 1, last + 1), skip, padding=halo.BESIDE)

        found = self.x.alike(torch.empty_like(self.x.map)) if wants_x else None
        for first, last in self.bands():
            self.one.learn(g.mine(first, last).contiguous(), self._read(first, last), padding=halo.BESIDE)
            if found is not None:
                low, high = first // 2, last // 2  # also where a rank's rows begin or end within a pair
                twice = functional.conv2d(g.padded(2 * low - 1, 2 * high + 1), up, padding=halo.BESIDE)
                found.mine(low, high).copy_(functional.avg_pool2d(twice, 2, divisor_override=1))
                del twice
            self.skip.back(first, last, of_skip)
        self.skip.finish(self.bands, of_skip)
        return None if found is None else found.map


def _pair(sequence: nn.Sequential) -> Pair:
    """Of a convolution with BatchNorm and ReLU behind it."""
    conv, bn, *_ = sequence
    return Pair(cast(nn.Conv2d, conv), cast(nn.BatchNorm2d, bn))

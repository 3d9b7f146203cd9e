"""1 − MS-SSIM of images whose rows are divided among ranks: what `kernels.msssim` computes of whole ones.

A scale's rows belong to the ranks that their pixels come from, so nothing moves but what is read beyond one's own:

    down     at each scale ten rows below for its map, and one above where two ranks share a pixel of the next scale
    give     what the map of a rank's rows means for the gradient at rows that are others'
    means    five sums an image, once, when all scales are there
    up       a row of the coarser scale's gradient, where two ranks share a pixel of it
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn import functional

from fullfield.distribution import share
from fullfield.distribution.share import Span
from fullfield.distribution.team import Team
from fullfield.kernels import msssim, rows, stored
from fullfield.kernels.msssim import KERNELS, WEIGHTS, Structure
from fullfield.kernels.msssim_kernel import REACH, Kernel
from fullfield.kernels.shares import Read, Share
from fullfield.kernels.stored import Stored


@dataclass(frozen=True, kw_only=True)
class SharedStructure:
    """What `of` computes of whole images, of a rank's rows of them."""

    of: Structure
    team: Team

    def __call__(self, prediction: Tensor, reference: Tensor | Stored) -> Tensor:
        """The mean over the batch, the same on every rank, with a gradient to this rank's rows of the prediction.

        Both (N, 1, rows, W): the rows that this rank has of images, and it may have none; in the order of ranks they
        are all rows. Else as in `msssim.Structure`.
        """
        if prediction.dim() != 4:
            raise ValueError(f"1 − MS-SSIM needs (N, 1, H, W), not {prediction.shape}")
        (have,) = self.team.divided([prediction.shape[2]])
        height, width = have[-1][1], prediction.shape[3]
        msssim.check(prediction, reference, (height, width))
        image = _Image(self.team, KERNELS[self.of.variant], self.of.rows_of_band(prediction), -1.0 / len(prediction))
        return cast(Tensor, _Structure.apply(prediction, reference, image, have))


class _Structure(msssim.Once):
    @staticmethod
    def forward(
        ctx: Any, prediction: Tensor, reference: Tensor | Stored, image: _Image, have: Sequence[Span]
    ) -> Tensor:
        x = prediction.detach()
        parts = [slice(place, place + 1) for place in range(len(x))]
        found = [image.run(x[part], reference[part], have) for part in parts]
        ctx.gradient = found[0][1] if len(found) == 1 else torch.cat([gradient for _, gradient in found])
        return (1.0 - torch.stack([value for value, _ in found]).mean()).to(prediction.dtype)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Scale:
    """One scale of one pair, of which each rank has the rows `have`, and of the next scale those in `next`.

    `true`: the gradient at this rank's rows, (rows, width), without a factor; it lies in a `room` of all rows and
    columns that some of the next scale's are made of.
    """

    have: Sequence[Span]
    next: Sequence[Span]
    width: int
    room: Tensor
    true: Tensor

    @property
    def height(self) -> int:
        return self.have[-1][1]

    @property
    def pixels(self) -> int:
        """Of its map."""
        return (self.height - REACH) * (self.width - REACH)

    def wanted(self) -> list[Span | None]:
        """The rows that each rank reads: for the rows of the map that begin with its own, and for its rows of the next
        scale."""
        found: list[Span | None] = []
        for (lo, hi), (first, last) in zip(self.have, self.next, strict=True):
            spans = [(lo, min(hi, self.height - REACH) + REACH)] if lo < min(hi, self.height - REACH) else []
            spans += [msssim.under(first, last, self.height)] if first < last else []
            found.append((min(span[0] for span in spans), max(span[1] for span in spans)) if spans else None)
        return found

    def beyond(self) -> list[Span | None]:
        """The rows of others at which each rank finds a part of the gradient."""
        spans = ((hi, min(hi, self.height - REACH) + REACH, lo) for lo, hi in self.have)
        return [(hi, end) if hi < end and lo < min(hi, self.height - REACH) else None for hi, end, lo in spans]

    def made_of(self) -> list[Span | None]:
        """The rows of the next scale that each rank's rows go into."""
        odd = self.height % 2
        return [((lo + odd) // 2, (hi + odd + 1) // 2) if lo < hi else None for lo, hi in self.have]


def _scale(like: Tensor, rank: int, have: Sequence[Span], width: int) -> _Scale:
    (lo, hi), height = have[rank], have[-1][1]
    odd = height % 2
    first = (lo + odd) // 2
    count = 2 * ((hi + odd + 1) // 2 - first) if lo < hi else 0
    room = like.new_zeros(count, width + width % 2)
    above = lo - (2 * first - odd) if count else 0
    halves = [((first + odd) // 2, (last + odd) // 2) for first, last in have]
    true = room[above : above + hi - lo, width % 2 :]
    return _Scale(have=have, next=halves, width=width, room=room, true=true)


def _rows_of(values: Tensor, lo: int) -> Read:
    """Of a map of which `values` are the rows from `lo` on."""
    return lambda first, last: values[:, :, first - lo : last - lo]


@dataclass(frozen=True)
class _Image:
    """What this rank does to one pair, of which it gives `share` times the gradient of MS-SSIM."""

    team: Team
    kernel: Kernel
    band_rows: int
    share: float

    def run(self, x: Tensor, y: Tensor | Stored, have: Sequence[Span]) -> tuple[Tensor, Tensor]:
        """MS-SSIM, fp64, and the gradient at this rank's rows of `x`, (1, 1, rows, W)."""
        rank, width = self.team.rank, x.shape[3]
        lo = have[rank][0]

        def finest(first: int, last: int) -> Tensor:
            beside = stored.rows(y, first - lo, last - lo).to(x.dtype)
            return torch.cat([x[:, :, first - lo : last - lo], beside], dim=1)

        read: Read = finest
        found: list[_Scale] = []
        totals: list[Tensor] = []
        while len(found) < len(WEIGHTS):
            found.append(scale := _scale(x, rank, have, width))
            pairs = Share(self.team, read, have, scale.wanted())
            totals.append(self._map(scale, pairs, luminance=len(found) == len(WEIGHTS)))
            if len(found) < len(WEIGHTS):
                have, width = scale.next, (width + width % 2) // 2
                read = _rows_of(self._halved(scale, pairs, x), have[rank][0])
        (sums,) = self.team.sum([torch.stack(totals)])
        pixels = [each.pixels for each in found]
        means = [total / count for total, count in zip(sums, pixels, strict=True)]
        value, factors = msssim.weighed(self.share, means, pixels)
        return value, self._joined(found, factors)[None, None]

    def _map(self, scale: _Scale, pairs: Share, *, luminance: bool) -> Tensor:
        """The sum of the rows of the map that begin with this rank's; its gradient is added to that of all ranks."""
        rank, true, beyond = self.team.rank, scale.true, scale.beyond()
        lo, hi = scale.have[rank]
        end = max(lo, min(hi, scale.height - REACH))
        total = torch.zeros((), dtype=torch.float64, device=true.device)
        over = true.new_zeros(REACH, scale.width)  # of the rows behind this rank's
        bands = rows.count(end - lo, self.band_rows)
        for number in rows.visit(bands if lo < end else 0):
            first, last = (lo + edge for edge in rows.band(number, end - lo, bands))
            pair = pairs.rows(first, last + REACH)[0]
            band_total, gradient = self.kernel(pair[0], pair[1], luminance)
            total += band_total
            inner = min(last + REACH, hi)
            true[first - lo : inner - lo] += gradient[: inner - first]
            over[: last + REACH - inner] += gradient[inner - first :]
            del pair, gradient
        give = {
            peer: over[first - hi : last - hi] for peer, (first, last) in share.given(beyond, scale.have, rank).items()
        }
        places = share.taken(beyond, scale.have, rank)
        take = {peer: true.new_empty(last - first, scale.width) for peer, (first, last) in places.items()}
        self.team.exchange(give, take)
        for peer, (first, last) in places.items():
            true[first - lo : last - lo] += take[peer]
        return total

    def _halved(self, scale: _Scale, pairs: Share, like: Tensor) -> Tensor:
        """This rank's rows of the next scale of both images: see `msssim.mean_of_four`."""
        lo, hi = scale.next[self.team.rank]
        found = like.new_empty(1, 2, hi - lo, (scale.width + scale.width % 2) // 2)
        bands = rows.count(hi - lo, self.band_rows)
        for number in rows.visit(bands if lo < hi else 0):
            first, last = (lo + edge for edge in rows.band(number, hi - lo, bands))
            pair = pairs.rows(*msssim.under(first, last, scale.height))
            odd = [side % 2 for side in pair.shape[2:]]
            found[:, :, first - lo : last - lo] = functional.avg_pool2d(pair, 2, padding=odd)
        return found

    def _joined(self, found: list[_Scale], factors: Sequence[Tensor]) -> Tensor:
        """The gradient at the finest scale, with all that the others give it: see `msssim.joined`."""
        coarser: _Scale | None = None
        for factor in reversed(factors):
            scale = found.pop()
            scale.room.mul_(factor)
            if coarser is not None:
                read = _rows_of(coarser.true[None, None], coarser.have[self.team.rank][0])
                spans = scale.made_of()
                given, own = Share(self.team, read, coarser.have, spans), spans[self.team.rank]
                if own is not None:
                    msssim.spread(given.rows(*own)[0, 0], scale.room)
            coarser = scale
        assert coarser is not None
        return coarser.true

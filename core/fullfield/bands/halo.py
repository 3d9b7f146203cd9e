"""Rows of a map with the rows beside them, for convolutions that are run band by band over whole maps.

A 3×3 convolution of rows [first, last) reads one row more above and below. At the edges of the map those are zeros;
left and right the kernels pad. Of a team of several a rank has some rows of every map, and pulls those beside them that
others have before a pass reads them: `Divided`, the one place that knows whose rows are whose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch
from torch import Tensor
from torch.nn import functional

from fullfield.distribution.share import Span
from fullfield.distribution.team import Team
from fullfield.kernels import rows, stored
from fullfield.kernels.shares import Read, Share
from fullfield.kernels.stored import Stored

BESIDE = (0, 1)  # padding of a 3×3 convolution whose rows are padded by hand
Reads = Callable[[int, int], Span]
"""The rows of a map that a rank reads whose own rows of a map are [lo, hi); they may lie outside of it."""


def bands(own: Span, band_rows: int, *, grain: int = 1) -> Iterator[Span]:
    """Rows [first, last) of every band of one pass over the rows `own`, multiples of `grain` between the bands."""
    lo, hi = own
    start, stop = lo // grain, hi // grain
    count = min(rows.count(hi - lo, band_rows), max(1, stop - start))
    for number in rows.visit(count):
        first, last = (grain * (start + edge) for edge in rows.band(number, stop - start, count))
        yield first if number else lo, last if number < count - 1 else hi


def beside(lo: int, hi: int) -> Span:
    """One row more above and below."""
    return lo - 1, hi + 1


class Divided:
    """A map (N, C, H, W) of which this rank has rows, from first to last all of them where it is alone.

    Rows are numbered as in the whole map. `values`: those that the rank has, `own` of the map's `height`.
    """

    def __init__(self, values: Tensor | Stored, height: int, team: Team) -> None:
        """Raises ValueError where the map has fewer rows than there are ranks."""
        self.values, self.height, self.team = values, height, team
        self.own = team.shares(height)[team.rank]
        self._share: Share | None = None

    @property
    def map(self) -> Tensor:
        """The rows that the rank has, of a map that is no image as it is stored."""
        assert isinstance(self.values, Tensor)
        return self.values

    def pull(self, reads: Reads = beside, *, of: int = 0) -> Divided:
        """Have the rows of others that `reads` names, as they are now; all ranks do so together. Returns itself.

        `of`: the height of the map whose rows `reads` is given, this one's where none is named.
        """
        found = [reads(*own) for own in self.team.shares(of or self.height)]
        want = [(max(0, first), min(self.height, last)) for first, last in found]
        self._share = Share(self.team, _read(self.values, self.own[0]), self.team.shares(self.height), want)
        return self

    def alike(self, values: Tensor) -> Divided:
        """Another map, as high as this one."""
        return Divided(values, self.height, self.team)

    def mine(self, first: int, last: int) -> Tensor:
        """Rows [first, last) of the rank's own, a view."""
        return self.map[:, :, first - self.own[0] : last - self.own[0]]

    def rows(self, first: int, last: int) -> Tensor:
        """Rows [first, last), which lie inside of the map; those of others have been pulled."""
        assert self._share is not None
        return self._share.rows(first, last)

    def padded(self, first: int, last: int) -> Tensor:
        """Rows [first, last), zeros where there are none."""
        inside = self.rows(max(0, first), min(self.height, last))
        return _framed(inside, max(0, -first), max(0, last - self.height))

    def around(self, first: int, last: int) -> Tensor:
        """Rows [first − 1, last + 1) without those that lie outside of the map."""
        return self.rows(max(0, first - 1), min(self.height, last + 1))


def edged(band_NCHW: Tensor, first: int, last: int, height: int) -> Tensor:
    """What `around` gave, with zeros for what lies outside of the map."""
    return _framed(band_NCHW, int(first == 0), int(last == height))


class Rolling:
    """A map that is written over from the top, while each band reads one row above it as it was before."""

    def __init__(self, of: Divided) -> None:
        """`of`: with the rows of others beside it."""
        first, _ = of.own
        self.of = of
        self._above = of.rows(max(0, first - 1), first) if first else of.map[:, :, :0]

    def around(self, first: int, last: int) -> Tensor:
        """As `Divided.around` gives it, of the old rows, as a copy. Call it once for each band, in order."""
        below = self.of.rows(first, min(self.of.height, last + 1))
        old = torch.cat([self._above, below], 2) if first else below.clone()
        if last < self.of.own[1]:
            self._above = self.of.mine(last - 1, last).clone()
        return old


def like(map_NCHW: Tensor, channels: int, height: int, width: int, dtype: torch.dtype) -> Tensor:
    """Room for a map of the same images in the same layout."""
    last = torch.channels_last
    layout = last if map_NCHW.is_contiguous(memory_format=last) and not map_NCHW.is_contiguous() else None
    shape = (map_NCHW.shape[0], channels, height, width)
    return torch.empty(shape, dtype=dtype, device=map_NCHW.device, memory_format=layout or torch.contiguous_format)


def turned(weight: Tensor) -> Tensor:
    """The weights with which a convolution of the output's gradient gives that of the input."""
    return weight.transpose(0, 1).flip(2, 3).contiguous()


def fitted(values_NCHW: Tensor, have: Span, want: Span) -> Tensor:
    """Rows `want` of values at rows `have`: a view, or with zeros where there are none."""
    first, last = max(have[0], want[0]), min(have[1], want[1])
    inner = values_NCHW[:, :, first - have[0] : last - have[0]]
    if (first, last) == want:
        return inner
    return functional.pad(inner, (0, 0, first - want[0], want[1] - last))


def _read(values: Tensor | Stored, lo: int) -> Read:
    """Reads by numbers of the whole map. (No method: it would be a circle, and maps would outlive their last use.)"""
    return lambda first, last: stored.rows(values, first - lo, last - lo)


def _framed(band: Tensor, above: int, below: int) -> Tensor:
    return functional.pad(band, (0, 0, above, below)) if above or below else band

"""Where a decoder block's skip comes from, row by row, and where the skip's gradient goes.

It is a map, or the stem's output, of which only the image is kept: then its rows are computed again wherever they are
read, and the stem's BatchNorm goes back in two passes over the bands, one for its sums and one for the weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import torch
from torch import Tensor

from fullfield.bands.halo import Divided, beside
from fullfield.bands.normed import Normed
from fullfield.kernels import batch_norm, batch_norm_backward
from fullfield.kernels.batch_norm import Moments
from fullfield.kernels.batch_norm_backward import Sums

GradientOf = Callable[[int, int], Tensor]
"""Rows [first, last) of the skip's gradient."""
BandsOf = Callable[[], Iterator[tuple[int, int]]]
"""The bands of a new pass."""


class Skip(Protocol):
    """`channels` of the skip."""

    channels: int

    @property
    def gradient(self) -> Tensor | None:
        """Of the tensor that it comes from; None where it takes none."""

    def rows(self, first: int, last: int) -> Tensor:
        """Rows [first, last), which lie inside of the map."""

    def back(self, first: int, last: int, gradient_of: GradientOf) -> None:
        """Take the gradient of rows [first, last). Called once for each band."""

    def finish(self, bands: BandsOf, gradient_of: GradientOf) -> None:
        """All bands have been taken."""


class NoSkip:
    """A block without a skip."""

    channels = 0
    gradient: Tensor | None = None

    def rows(self, first: int, last: int) -> Tensor:
        """Never asked for."""
        raise AssertionError("a block without a skip asks for its rows")

    def back(self, first: int, last: int, gradient_of: GradientOf) -> None:
        """Nothing."""

    def finish(self, bands: BandsOf, gradient_of: GradientOf) -> None:
        """Nothing."""


class MapSkip:
    """A skip that is there. `wanted`: it takes a gradient."""

    def __init__(self, skip: Divided, *, wanted: bool) -> None:
        self.skip, self.wanted = skip.pull(), wanted
        self.channels = skip.map.shape[1]
        self._found: Divided | None = None

    @property
    def gradient(self) -> Tensor | None:
        """See Skip."""
        return None if self._found is None else self._found.map

    def rows(self, first: int, last: int) -> Tensor:
        """A view."""
        return self.skip.rows(first, last)

    def back(self, first: int, last: int, gradient_of: GradientOf) -> None:
        """Into the gradient, which is made with its first rows."""
        if self.wanted:
            if self._found is None:
                self._found = self.skip.alike(torch.empty_like(self.skip.map))
            self._found.mine(first, last).copy_(gradient_of(first, last))

    def finish(self, bands: BandsOf, gradient_of: GradientOf) -> None:
        """Nothing is left to do."""


class StemSkip:
    """relu(bn1(conv1(image))), the image (N, 1, 2H, 2W) being all that is kept. No gradient goes to the image."""

    gradient: Tensor | None = None

    def __init__(self, image: Divided, stem: Normed) -> None:
        self.stem, self.channels = stem, stem.weight.shape[0]
        self.height = stem.window.height(image.height)
        self.image = image.pull(lambda lo, hi: stem.window.sees(beside(lo, hi)), of=self.height)
        self._sums: Sums | None = None

    def measure(self, bands: Iterator[tuple[int, int]]) -> None:
        """Find the statistics; the part that the stem belongs to updates the running ones."""
        bn, dtype = self.stem.bn, self.stem.dtype
        if not batch_norm.wants_batch(bn):
            self.stem.know(batch_norm.running(bn, dtype))
            return
        found: Moments | None = None
        for first, last in bands:
            new = batch_norm.moments(self._convolved(first, last))
            found = new if found is None else batch_norm.merged(found, new)
        assert found is not None
        (whole,) = batch_norm.of_all([bn], [found], [self.height], self.stem.team)
        self.stem.know(batch_norm.of_batch(bn, whole, dtype))

    def rows(self, first: int, last: int) -> Tensor:
        """Computed again."""
        return self.stem.normalise(self._convolved(first, last), relu=True)

    def back(self, first: int, last: int, gradient_of: GradientOf) -> None:
        """Into the sums of BatchNorm's backward."""
        stem, z = self.stem, self._convolved(first, last)
        g = gradient_of(first, last)
        new = batch_norm_backward.sums(z, g, stem.scale, stem.shift, stem.statistics, relu=True)
        self._sums = new if self._sums is None else self._sums.plus(new)

    def finish(self, bands: BandsOf, gradient_of: GradientOf) -> None:
        """The gradients of the stem's parameters, with the sums over all rows."""
        assert self._sums is not None
        self.stem.take(self._sums)
        for first, last in bands():
            g = self.stem.finish_(self._convolved(first, last), gradient_of(first, last), relu=True)
            self.stem.learn(g, self._read(first, last), padding=self._beside)

    def _convolved(self, first: int, last: int) -> Tensor:
        return self.stem.convolve(self._read(first, last), padding=self._beside)

    def _read(self, first: int, last: int) -> Tensor:
        """The image's rows that rows [first, last) are made of, padded above and below."""
        return self.image.padded(*self.stem.window.sees((first, last)))

    @property
    def _beside(self) -> tuple[int, int]:
        return 0, self.stem.window.padding

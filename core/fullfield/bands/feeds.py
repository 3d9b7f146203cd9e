"""Where a pass reads rows of maps and writes rows of gradients: on the device, in the host tier, or rolling.

A gradient that is written over the map that it belongs to destroys rows that later bands still look back at: `Rolling`
keeps those few.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor

from fullfield.host_tier.host import HostTensor
from fullfield.kernels import rows
from fullfield.kernels.away import Away
from fullfield.kernels.stored import Stored


class Sink(Protocol):
    """Takes rows of a map (N, C, H, W)."""

    def write(self, first: int, last: int, values: Tensor) -> None:
        """Put `values` at rows [first, last)."""
        ...


class Feed(Sink, Protocol):
    """Gives rows of a map too."""

    def rows(self, first: int, last: int) -> Tensor:
        """Rows [first, last) on the device; perhaps a view, so not to be written to."""
        ...


class OnDevice:
    """A map on the device."""

    def __init__(self, whole: Tensor) -> None:
        self.whole = whole

    def rows(self, first: int, last: int) -> Tensor:
        """A view."""
        return self.whole[:, :, first:last]

    def write(self, first: int, last: int, values: Tensor) -> None:
        """Copy them there."""
        self.whole[:, :, first:last].copy_(values)


class AsStored:
    """Images on the device as they are stored: rows become floats when they are read."""

    def __init__(self, whole: Stored) -> None:
        self.whole = whole

    def rows(self, first: int, last: int) -> Tensor:
        """Floats of their own."""
        return self.whole.rows(first, last)

    def write(self, first: int, last: int, values: Tensor) -> None:
        """Never asked for: no gradient is written over the images of a training."""
        raise AssertionError("an image is not written to")


class Fresh:
    """A map on the device that does not exist before its first row is written."""

    def __init__(self, height: int) -> None:
        self.height = height
        self.made: Tensor | None = None

    def map(self) -> Tensor:
        """What has been written."""
        assert self.made is not None
        return self.made

    def write(self, first: int, last: int, values: Tensor) -> None:
        """`values` become the map where they are all of it and no more; else they are copied into one of their kind."""
        alone = values.untyped_storage().nbytes() == values.nbytes
        if last - first == self.height and alone:
            self.made = values
            return
        if self.made is None:
            batch, channels, _, width = values.shape
            last_format = not values.is_contiguous() and values.is_contiguous(memory_format=torch.channels_last)
            self.made = torch.empty(
                (batch, channels, self.height, width),
                dtype=values.dtype,
                device=values.device,
                memory_format=torch.channels_last if last_format else torch.contiguous_format,
            )
        self.made[:, :, first:last].copy_(values)


class FreshOnHost:
    """A map in the host tier that does not exist before its first row is written."""

    def __init__(self, height: int) -> None:
        self.height = height
        self.made: HostTensor | None = None

    def map(self) -> HostTensor:
        """What has been written."""
        assert self.made is not None
        return self.made

    def write(self, first: int, last: int, values: Tensor) -> None:
        """Copy them there."""
        if self.made is None:
            batch, channels, _, width = values.shape
            shape = (batch, channels, self.height, width)
            self.made = HostTensor(shape, values.dtype, values.device, rows_first=True)
        self.made.write(first, last, values)


class OnHost:
    """A map in the host tier: rows are copied to the device when they are read."""

    def __init__(self, whole: HostTensor) -> None:
        self.whole = whole

    def rows(self, first: int, last: int) -> Tensor:
        """A copy on the device."""
        return self.whole.read(first, last)

    def write(self, first: int, last: int, values: Tensor) -> None:
        """Copy them there."""
        self.whole.write(first, last, values)


class Added:
    """Adds what is written to a gradient that is there."""

    def __init__(self, under: OnDevice | OnHost) -> None:
        self.under = under

    def write(self, first: int, last: int, values: Tensor) -> None:
        """Add them."""
        if isinstance(self.under, OnDevice):
            self.under.whole[:, :, first:last].add_(values)
        else:
            self.under.whole.write(first, last, values, add=True)


class Rolling:
    """A map that is read from the top while a gradient is written over it from the top.

    `keep`: how many of the rows above those that were written last are still read as they were.
    """

    def __init__(self, under: Feed, keep: int) -> None:
        self.under, self.keep = under, keep
        self._written = 0
        self._tail: Tensor | None = None  # the rows before `_written`, as they were

    def rows(self, first: int, last: int) -> Tensor:
        """As they were before any were written."""
        if first >= self._written or rows.sampled():
            return self.under.rows(first, last)
        assert self._tail is not None
        start = self._written - self._tail.shape[2]
        assert first >= start, "a band looks back further than was kept"
        old = self._tail[:, :, first - start : min(last, self._written) - start]
        return old if last <= self._written else torch.cat([old, self.under.rows(self._written, last)], dim=2)

    def write(self, first: int, last: int, values: Tensor) -> None:
        """The next rows; bands come in order."""
        assert first == self._written or rows.sampled()
        self._tail = self.rows(max(0, last - self.keep), last).clone()
        self._written = last
        self.under.write(first, last, values)


def on_device(whole: Tensor | Stored) -> OnDevice | AsStored:
    """Where rows of a map, or of images, are read."""
    return AsStored(whole) if isinstance(whole, Stored) else OnDevice(whole)


def away(token: Tensor, values: OnHost) -> Away:
    """A prediction whose `values` lie in the host tier, with room for its gradient there."""
    whole = values.whole
    gradient = OnHost(HostTensor(whole.shape, whole.dtype, whole.device, rows_first=True))
    true = (whole.shape[2], whole.shape[3])
    return Away(token=token, values=values, gradient=gradient, shape=whole.shape, dtype=whole.dtype, true=true)

"""A map whose rows are divided among ranks, as one of them reads it: its own rows, and those around that it pulled."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from fullfield.distribution.share import Span, Spans, overlap
from fullfield.distribution.team import Team

Read = Callable[[int, int], Tensor]
"""Rows [first, last) of a map (N, C, H, W), numbered as in the whole map."""


class Share:
    """Rows of a map, numbered as in the whole map. Those that the rank has itself are read when they are asked for."""

    def __init__(self, team: Team, read: Read, have: Sequence[Span], want: Spans) -> None:
        """Pulls what this rank wants and does not have: see `Team.pull`."""
        self._read, self._own = read, have[team.rank]
        self._above, self._below = team.pull(read, have, want)
        first, _ = want[team.rank] or self._own
        self._starts = first, max(first, self._own[1])

    def rows(self, first: int, last: int) -> Tensor:
        """Rows [first, last); of the rank's own alone they are what `read` gives."""
        lo, hi = self._own
        parts = []
        if self._above is not None and first < lo:
            parts.append(self._above[:, :, first - self._starts[0] : min(last, lo) - self._starts[0]])
        if own := overlap((first, last), self._own):
            parts.append(self._read(*own))
        if self._below is not None and last > hi:
            parts.append(self._below[:, :, max(first, hi) - self._starts[1] : last - self._starts[1]])
        return parts[0] if len(parts) == 1 else torch.cat(parts, dim=2)

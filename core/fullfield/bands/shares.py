"""Maps of which a rank has some rows, as passes over its bands read and write them: rows numbered as in whole maps."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from fullfield.bands.feeds import Feed, Sink
from fullfield.bands.nodes import Node, State
from fullfield.bands.spans import Bands, Spans
from fullfield.distribution.team import Team
from fullfield.kernels.shares import Share


class _Shared(Share):
    """What a rank has, and the rows of others that its bands read, as they were when it was made."""

    def __init__(self, under: Feed, node: Node, bands: Bands, read: Sequence[Spans]) -> None:
        shares = bands.shares(node)
        lo, _ = shares[bands.team.rank]
        super().__init__(
            bands.team, lambda first, last: under.rows(first - lo, last - lo), shares, [each.get(node) for each in read]
        )
        self._sink = _Own(under, lo)

    def write(self, first: int, last: int, values: Tensor) -> None:
        """Rows that this rank has."""
        self._sink.write(first, last, values)


class _Own:
    """Takes the rows that a rank has, from `lo` on."""

    def __init__(self, under: Sink, lo: int) -> None:
        self._under, self._lo = under, lo

    def write(self, first: int, last: int, values: Tensor) -> None:
        self._under.write(first - self._lo, last - self._lo, values)


def feed(under: Feed, node: Node, bands: Bands, read: Sequence[Spans]) -> Feed:
    """A node's map, of which `under` has this rank's rows, with the rows of others that its bands read. `read`: of each
    rank, see `Bands.read`."""
    return under if bands.team.size == 1 else _Shared(under, node, bands, read)


def sink(under: Sink, node: Node, bands: Bands) -> Sink:
    """Where rows of a node go, of which `under` takes this rank's."""
    return under if bands.team.size == 1 else _Own(under, bands.team.own(bands.heights[node])[0])


def join(state: State, team: Team) -> None:
    """The gradients of parameters that each rank's rows give, summed: in the order in which they came."""
    if team.size > 1 and state.gradients:
        state.gradients = dict(zip(state.gradients, team.sum(list(state.gradients.values())), strict=True))

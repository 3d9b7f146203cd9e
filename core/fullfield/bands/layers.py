"""A layer of the encoder as segments, a block each, whatever its blocks are made of."""

from __future__ import annotations

from fullfield.bands import graph
from fullfield.bands.segment import Segment
from fullfield.bands.streamed import Streamed
from fullfield.bands.waiting import Piece
from fullfield.distribution.team import ALONE, Team
from fullfield.model.network import Network

WHOLE = 1 << 30  # rows in a band: all of them
_LEAST = 8  # rows in a band that is made smaller


def height(rows: int, team: Team) -> int:
    """Rows in a band, where one process would take `rows`: of a team each has a part of all maps, and less room. Two
    take two thirds, more of them a quarter, for what bands read of their neighbours stays as much (decision 093)."""
    share = {1: 1.0, 2: 2 / 3}.get(team.size, 1 / 4)
    return max(min(rows, _LEAST), int(rows * share))


def pieces(network: Network, name: str, *, rows: int, team: Team = ALONE) -> list[Piece]:
    """One for each block, behind the pooling. `team`: see `Segment`."""
    names = graph.block_names(network, name)
    blocks = (graph.residual(network, name, number) for number in range(len(names)))
    return [
        Piece(name=made, segment=Segment(block, rows=rows, team=team))
        for made, block in zip(names, blocks, strict=True)
    ]


def streamed(network: Network, name: str, *, nested: bool, rows: int = WHOLE, team: Team = ALONE) -> Streamed:
    """The whole layer, of the map before it, behind the pooling. `nested`: none of its blocks keeps its input but the
    first."""
    blocks = pieces(network, name, rows=rows, team=team)
    keep = () if nested else [each.name for each in blocks]
    return Streamed(blocks, inputs=blocks[0].segment.inputs, keep=keep)

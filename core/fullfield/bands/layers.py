"""A layer of the encoder as segments, a block each, whatever its blocks are made of."""

from __future__ import annotations

from fullfield.bands import graph
from fullfield.bands.segment import Segment
from fullfield.bands.streamed import Streamed
from fullfield.bands.waiting import Piece
from fullfield.distribution.team import ALONE, Team
from fullfield.model.network import Network

WHOLE = 1 << 30  # rows in a band: all of them


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

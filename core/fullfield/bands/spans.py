"""Which rows of which node a band owns, and which rows a pass over that band has to compute or to differentiate.

Every node's rows are divided among the bands: each row has one owner, which counts it in statistics and in gradients.
What a pass computes beyond its own rows is the halo.

Of a team of several every rank has its portion of the bands, one behind the other: so it owns the same share of every
map.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from fullfield.bands.nodes import Input, Node, Span
from fullfield.distribution.team import ALONE, Team
from fullfield.kernels import rows

Spans = dict[Node, Span]


class Bands:
    """The bands of a segment for inputs of given heights; at most `size` rows of the output in each.

    A node that has fewer rows than the output would have bands: then there are only so many. Bands are numbered, and
    heights are told, of whole maps.
    """

    def __init__(self, nodes: Sequence[Node], heights: Mapping[str, int], size: int, team: Team = ALONE) -> None:
        """`nodes`: in order. `heights`: of the inputs, by name. Raises ValueError where heights do not fit, or a map
        has fewer rows than the ranks have portions."""
        self.nodes, self.team = nodes, team
        self.heights: dict[Node, int] = {}
        for node in nodes:
            below = {self.heights[taken] for taken in node.inputs}
            if len(below) > 1:
                raise ValueError(f"{type(node).__name__} takes maps of unequal heights {sorted(below)}")
            self.heights[node] = heights[node.name] if isinstance(node, Input) else node.height(below.pop())
        least = min(self.heights.values())
        team.shares(least)
        portions = sum(team.portions)
        self._each = min(-(-rows.count(self.heights[nodes[-1]], size) // portions), least // portions)
        self.count = self._each * portions

    def own(self, node: Node, number: int) -> Span:
        """The rows of `node` that band `number` owns."""
        return rows.band(number, self.heights[node], self.count)

    def of(self, rank: int) -> range:
        """The bands of a rank."""
        first = self._each * sum(self.team.portions[:rank])
        return range(first, first + self._each * self.team.portions[rank])

    def visit(self) -> Iterator[int]:
        """This rank's bands, in order: see `rows.visit`."""
        mine = self.of(self.team.rank)
        return (mine[place] for place in rows.visit(len(mine)))

    def shares(self, node: Node) -> list[Span]:
        """The rows of `node` that each rank owns."""
        return self.team.shares(self.heights[node])

    def share(self, node: Node) -> int:
        """How many of them this rank owns."""
        first, last = self.team.own(self.heights[node])
        return last - first

    def below(self, node: Node) -> int:
        """The height of the inputs of `node`."""
        return self.heights[node.inputs[0]]

    def needed(self, targets: Mapping[Node, Span], given: Collection[Node] = ()) -> Spans:
        """The rows of every node that are to be computed for the rows `targets`; `given`: nodes that are there."""
        found = dict(targets)
        for node in reversed(self.nodes):
            if node in found and node.inputs and node not in given:
                taken = node.need(found[node], self.below(node))
                for source in node.inputs:
                    found[source] = hull(found.get(source), taken)
        return found

    def differentiated(self, starts: Iterable[Node], number: int) -> Spans:
        """The rows of every node at which a gradient is needed for that of band `number`'s own rows of `starts`."""
        found = {node: self.own(node, number) for node in starts}
        for node in self.nodes:
            for source in node.inputs:
                if source in found:
                    found[node] = hull(found.get(node), node.reach(found[source], self.heights[node]))
        return found

    def read(self, rank: int, starts: Collection[Node], given: Collection[Node] = ()) -> Spans:
        """The rows of every node that passes over a rank's bands read, up to the gradients of `starts`; and so does a
        pass before them, that makes `given`, which are there for the others."""
        found: Spans = {}
        for number in {self.of(rank)[0], self.of(rank)[-1]}:  # the others lie between
            behind = self.differentiated(starts, number)
            targets = {node: hull(behind.get(node), self.own(node, number)) for node in self.nodes}
            passes = [self.needed(targets, given)]
            passes += [self.needed({node: self.own(node, number)}, {*given} - {node}) for node in given]
            for node, span in (one for each in passes for one in each.items()):
                found[node] = hull(found.get(node), span)
        return found


def hull(one: Span | None, other: Span) -> Span:
    """From the first row of both to the last; `one` may be none at all."""
    return other if one is None else (min(one[0], other[0]), max(one[1], other[1]))

"""Which rows of which node a band owns, and which rows a pass over that band has to compute or to differentiate.

Every node's rows are divided among the bands: each row has one owner, which counts it in statistics and in gradients.
What a pass computes beyond its own rows is the halo.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from fullfield.bands.nodes import Input, Node, Span
from fullfield.kernels import rows

Spans = dict[Node, Span]


class Bands:
    """The bands of a segment for inputs of given heights; at most `size` rows of the output in each.

    A node that has fewer rows than the output would have bands: then there are only so many.
    """

    def __init__(self, nodes: Sequence[Node], heights: Mapping[str, int], size: int) -> None:
        """`nodes`: in order. `heights`: of the inputs, by name. Raises ValueError where heights do not fit."""
        self.nodes = nodes
        self.heights: dict[Node, int] = {}
        for node in nodes:
            below = {self.heights[taken] for taken in node.inputs}
            if len(below) > 1:
                raise ValueError(f"{type(node).__name__} takes maps of unequal heights {sorted(below)}")
            self.heights[node] = heights[node.name] if isinstance(node, Input) else node.height(below.pop())
        self.count = min(rows.count(self.heights[nodes[-1]], size), *self.heights.values())

    def own(self, node: Node, number: int) -> Span:
        """The rows of `node` that band `number` owns."""
        return rows.band(number, self.heights[node], self.count)

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


def hull(one: Span | None, other: Span) -> Span:
    """From the first row of both to the last; `one` may be none at all."""
    return other if one is None else (min(one[0], other[0]), max(one[1], other[1]))

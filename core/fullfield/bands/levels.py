"""In which order the BatchNorms of a segment find what they need of the whole map: one pass for each level."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fullfield.bands.nodes import Node, Norm


def above(nodes: Sequence[Node], norms: Collection[Norm]) -> list[list[Norm]]:
    """`norms` by how many of them lie before each on its longest way from the start of `nodes`."""
    depth: dict[Node, int] = {}
    levels: dict[int, list[Norm]] = {}
    for node in nodes:
        before = max((depth[source] for source in node.inputs), default=0)
        if node in norms:
            assert isinstance(node, Norm)
            levels.setdefault(before, []).append(node)
        depth[node] = before + (node in norms)
    return [levels[number] for number in sorted(levels)]


def behind(nodes: Sequence[Node], norms: Collection[Norm]) -> list[list[Norm]]:
    """`norms` by how many of them lie behind each on its longest way to the output."""
    depth: dict[Node, int] = {}
    levels: dict[int, list[Norm]] = {}
    for node in reversed(nodes):
        passed = depth.get(node, 0)
        if node in norms:
            assert isinstance(node, Norm)
            levels.setdefault(passed, []).append(node)
        for source in node.inputs:
            depth[source] = max(depth.get(source, 0), passed + (node in norms))
    return [levels[number] for number in sorted(levels)]

"""Which outputs of convolutions stay whole while a segment runs, and what that saves.

A segment in bands computes a convolution again in every pass that goes by it. Where its output stays from one pass to
the next it is computed once, and so is all that only it needs. That takes room in which maps could wait instead, which
then are computed again: so both are counted in one unit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations

from fullfield.bands.nodes import Conv, Node, Span
from fullfield.bands.passes import Passes
from fullfield.bands.spans import Bands

MOST = 4  # convolutions among which all choices are weighed: the last ones
LOOKED_AT = 4  # bands of which the work is the mean: one alone begins at another row than most, and reads fewer or more
Choices = Mapping[tuple[Conv, ...], float]
"""What is kept, and the work that it saves, in the unit of `once`."""


def choices(passes: Passes, convs: Sequence[Conv], sinks: Collection[str] | None = None) -> Choices:
    """Of the passes forward, or of those backward to the inputs `sinks`; what saves most first."""
    alone = _work(passes, (), sinks)
    sets = (kept for count in range(1, MOST + 1) for kept in combinations(convs[-MOST:], count))
    saved = {kept: alone - _work(passes, kept, sinks) for kept in sets}
    return dict(sorted(saved.items(), key=lambda one: -one[1]))


def once(bands: Bands) -> float:
    """The work of computing every convolution one time: multiply-adds, for one image as wide as it is high."""
    return sum(_of_row(bands, node) * bands.heights[node] for node in bands.nodes if isinstance(node, Conv))


def _work(passes: Passes, keep: Collection[Conv], sinks: Collection[str] | None) -> float:
    """Of the convolutions in all passes, by the mean of a few bands in the middle."""
    bands, work = passes.bands, 0.0
    first = max(0, bands.count // 2 - LOOKED_AT // 2)
    looked_at = range(first, min(bands.count, first + LOOKED_AT))
    for number in looked_at:
        there: set[Node] = set()
        steps = _forward(passes, keep, number) if sinks is None else _backward(passes, keep, sinks, number)
        for targets, made in steps:
            for node, (above, below) in bands.needed(targets, there).items():
                if isinstance(node, Conv) and node not in there:
                    work += _of_row(bands, node) * (below - above)
            there.update(made)
    return work * bands.count / len(looked_at)


def _forward(passes: Passes, keep: Collection[Conv], number: int) -> Iterator[tuple[Mapping[Node, Span], list[Node]]]:
    """What every pass computes in a band, and what is kept after it."""
    own = passes.bands.own
    for level in passes.levels():
        convs = [node.inputs[0] for node in level]
        yield from (({conv: own(conv, number)}, [conv]) for conv in convs if conv in keep)
        yield {conv: own(conv, number) for conv in convs if conv not in keep}, []
    yield {passes.nodes[-1]: own(passes.nodes[-1], number)}, []


def _backward(
    passes: Passes, keep: Collection[Conv], sinks: Collection[str], number: int
) -> Iterator[tuple[Mapping[Node, Span], list[Node]]]:
    own, differentiated = passes.bands.own, passes.bands.differentiated
    yield from (({node: own(node, number)}, [node]) for node in passes.nodes if node in keep)
    for level in passes.levels_behind(sinks):
        yield differentiated(level, number), []
    yield passes.read(differentiated(passes.starts(sinks), number), number, keep), []


def _of_row(bands: Bands, conv: Conv) -> float:
    """Of one row of its output, which is as wide as it is high but for the image's aspect."""
    return bands.heights[conv] * conv.module.weight.numel()

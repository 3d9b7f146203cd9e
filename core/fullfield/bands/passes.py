"""The passes over a segment's bands: barriers that find statistics, the output, and the gradients.

Within a band only the outputs of convolutions are kept; all that lies between two of them is computed again when it is
asked for. From one pass to the next nothing is kept, but for those of these outputs that `keep` makes whole. What a
normalisation needs of the whole map is a barrier: a pass that finds it, band by band, before any pass goes further. A
segment of one band meets the whole map on its way, so it needs no such pass.

    forward    a pass for each level of BatchNorm (its moments), then one for the output
    backward   a pass for each level of BatchNorm (its two sums), from the output down, then one for all gradients

Of a team of several each rank goes over bands of its own. What they read of other ranks' rows is pulled before the
first pass; a barrier merges what all ranks have found, and gradients of parameters are summed at the end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import torch
from torch import Tensor

from fullfield.bands import shares
from fullfield.bands.feeds import Feed, Fresh, OnDevice, Sink
from fullfield.bands.halo import fitted
from fullfield.bands.levels import above, behind
from fullfield.bands.nodes import Conv, Input, Node, Norm, Span, State
from fullfield.bands.spans import Bands, Spans, hull
from fullfield.kernels import batch_norm, batch_norm_backward
from fullfield.kernels.batch_norm import Moments
from fullfield.kernels.batch_norm_backward import Sums

Kept = dict[Node, tuple[Span, Tensor]]
"""The outputs of convolutions, and at which rows."""


class Passes:
    """One segment on its maps. `feeds`: its inputs, by name; of a team of several, this rank's rows of them. So are the
    outputs that stay `whole`."""

    def __init__(self, nodes: Sequence[Node], bands: Bands, feeds: Mapping[str, Feed], state: State) -> None:
        self.nodes, self.bands, self.feeds, self.state = nodes, bands, dict(feeds), state
        self.norms = [node for node in nodes if isinstance(node, Norm)]
        self.whole: dict[Node, OnDevice] = {}
        self._kept: dict[Node, Feed] = {}  # the same, with the rows of other ranks that are read
        self._read: list[Spans] = []  # of each rank

    def keep(self, convs: Collection[Node], sinks: Collection[str] | None = None) -> None:
        """Compute the outputs of `convs` and keep them whole: no pass computes them, or what only they need, again.
        `sinks`: of the passes to come, where these are backward; then they are all that is kept."""
        self._pull(sinks, convs)
        for node in self.nodes:
            if isinstance(node, Conv) and node in convs and node not in self.whole:
                sink = Fresh(self.bands.share(node))
                target = shares.sink(sink, node, self.bands)
                for number in self.bands.visit():
                    own = self.bands.own(node, number)
                    target.write(*own, self._convolved({node: own})[node][1])
                self.whole[node] = OnDevice(sink.map())
                self._kept[node] = shares.feed(self.whole[node], node, self.bands, self._read)

    def _pull(self, sinks: Collection[str] | None = None, given: Collection[Node] = ()) -> None:
        """Have what passes forward, or backward to `sinks`, read of other ranks' rows of the inputs where the outputs
        of `given` are kept."""
        if self._read or self.bands.team.size == 1:
            return
        starts = () if sinks is None else self.starts(sinks)
        self._read = [self.bands.read(rank, starts, given) for rank in range(self.bands.team.size)]
        for node in self.nodes:
            if isinstance(node, Input):
                self.feeds[node.name] = shares.feed(self.feeds[node.name], node, self.bands, self._read)

    # forward

    def measure(self, dtype: torch.dtype, keep: Collection[Conv] = ()) -> None:
        """Find the statistics of every BatchNorm for maps of `dtype`, but for those that one band meets on its way.
        The outputs of the convolutions `keep` before them stay whole."""
        for node in self.norms:
            if not batch_norm.wants_batch(node.module):
                self.state.statistics[node] = batch_norm.running(node.module, dtype)
        if self.bands.count > 1 and (levels := self.levels()):
            self._pull(given=[conv for level in levels for node in level if (conv := node.inputs[0]) in keep])
            for level in levels:
                self.keep([conv for node in level if (conv := node.inputs[0]) in keep])
                for node in [node for node in level if node.inputs[0] in self.whole]:
                    z, height = self.whole[node.inputs[0]].whole, self.bands.heights[node]
                    self.state.statistics[node] = batch_norm.measured(
                        node.module, z, updates=node.updates, team=self.bands.team, height=height
                    )
                    level.remove(node)
                if not level:
                    continue
                found: dict[Norm, Moments] = {}
                for number in self.bands.visit():
                    kept = self._convolved({node.inputs[0]: self.bands.own(node, number) for node in level})
                    for node in level:
                        new = batch_norm.moments(kept[node.inputs[0]][1])
                        found[node] = batch_norm.merged(found[node], new) if node in found else new
                    del kept
                self._learn(found, dtype)

    def levels(self) -> list[list[Norm]]:
        """The BatchNorms whose statistics are not known, by the pass that finds them."""
        unknown = [node for node in self.norms if node not in self.state.statistics]
        return above(self.nodes, [node for node in unknown if batch_norm.wants_batch(node.module)])

    def compute(self, sink: Sink) -> None:
        """Write the output."""
        self._pull()
        output = self.nodes[-1]
        sink = shares.sink(sink, output, self.bands)
        for number in self.bands.visit():
            span = self.bands.own(output, number)
            kept = self._convolved({output: span})
            sink.write(*span, self._value(output, span, kept))

    def look_above(self, name: str) -> int:
        """The most rows that a band reads of the input `name`, which is as high as the output, above its own."""
        output, most = self.nodes[-1], 0
        (source,) = (node for node in self.nodes if isinstance(node, Input) and node.name == name)
        for number in range(1, self.bands.count):
            own = self.bands.own(output, number)
            most = max(most, own[0] - self.bands.needed({output: own})[source][0])
        return most

    # backward

    def differentiate(self, g: Feed, sinks: Mapping[str, Sink]) -> None:
        """From the gradient of the output to those of the parameters, added to the state, and of the inputs `sinks`."""
        starts, team = self.starts(sinks), self.bands.team
        self._pull(sinks)
        g = shares.feed(g, self.nodes[-1], self.bands, self._read)
        inputs = {node.name: node for node in self.nodes if isinstance(node, Input)}
        sinks = {name: shares.sink(sink, inputs[name], self.bands) for name, sink in sinks.items()}
        here: dict[Norm, Sums] = {}  # of this rank's rows
        if self.bands.count > 1:
            for level in self.levels_behind(sinks):
                for number in self.bands.visit():
                    self._walk(number, self.bands.differentiated(level, number), g, level, {})
                found = {node: self.state.sums[node] for node in level}
                here |= found
                joint = self.state.statistics[level[0]].joint
                of_all = batch_norm_backward.of_all([*found.values()], joint, team)
                self.state.sums |= zip(found, of_all, strict=True)
        for number in self.bands.visit():
            self._walk(number, self.bands.differentiated(starts, number), g, (), sinks)
        for node in self._touched(starts):
            sums = here.get(node, self.state.sums[node])
            weight_C, bias_C = sums.gradients(node.module.weight.dtype)
            self.state.add(node.module.weight, weight_C)
            self.state.add(node.module.bias, bias_C)
        shares.join(self.state, team)

    def starts(self, sinks: Collection[str]) -> list[Node]:
        """The nodes at which a gradient is asked for."""
        return [node for node in self.nodes if _wants(node, sinks)]

    def levels_behind(self, sinks: Collection[str]) -> list[list[Norm]]:
        """The BatchNorms whose two sums are to be found, by the pass that finds them."""
        barriers = [node for node in self._touched(self.starts(sinks)) if not self.state.statistics[node].fixed]
        return behind(self.nodes, barriers)

    def read(self, spans: Spans, number: int, given: Collection[Node]) -> Spans:
        """What a band reads to find all gradients at `spans`: also what the weights of convolutions see whose outputs
        are `given`."""
        found = dict(spans)
        for node in given:
            if isinstance(node, Conv) and node in spans and node.module.weight.requires_grad:
                seen = node.need(self.bands.own(node, number), self.bands.below(node))
                for source in node.inputs:
                    found[source] = hull(found.get(source), seen)
        return found

    def _touched(self, starts: Sequence[Node]) -> list[Norm]:
        touched = self.bands.differentiated(starts, 0)
        return [node for node in self.norms if node in touched]

    def look_back(self, sinks: Collection[str]) -> int:
        """The most rows that a band reads of an input or of the output's gradient above those that it owns."""
        starts = self.starts(sinks)
        read = [node for node in self.nodes if isinstance(node, Input) or node is self.nodes[-1]]
        most = 0
        for number in range(1, self.bands.count):
            spans = self.bands.differentiated(starts, number)
            needed = self.bands.needed(spans)
            for node in read:
                first = spans[node][0] if node is self.nodes[-1] else needed[node][0]
                most = max(most, self.bands.own(node, number)[0] - first)
        return most

    def _walk(self, number: int, spans: Spans, g: Feed, level: Sequence[Norm], sinks: Mapping[str, Sink]) -> None:
        """One band backward: to the sums of `level`, or where there is none, to all gradients."""
        kept = self._convolved(spans if level else self.read(spans, number, self.whole), all_of_them=True)
        output = self.nodes[-1]
        gradients = {output: g.rows(*spans[output])}
        for node in reversed(self.nodes):
            if node not in spans:
                continue
            span, gradient, own = spans[node], gradients.pop(node), self.bands.own(node, number)
            if isinstance(node, Input):
                sinks[node.name].write(*own, fitted(gradient, span, own))
            elif node in level:
                self._sum(node, span, own, gradient, self._value(node.inputs[0], own, kept))
            else:
                found = self._gradients(node, span, own, gradient, spans, kept, weights=not level)
                del gradient
                taken = node.need(span, self.bands.below(node))
                for source, new in found:
                    new = fitted(new, taken, spans[source])
                    gradients[source] = gradients[source] + new if source in gradients else new
                    del new
                del found

    def _gradients(
        self, node: Node, span: Span, own: Span, g: Tensor, spans: Spans, kept: Kept, *, weights: bool
    ) -> list[tuple[Node, Tensor]]:
        """Of the inputs of a node whose gradients are asked for, at the rows that `span` needs."""
        height = self.bands.below(node)
        taken = node.need(span, height)
        wanted = [source for source in node.inputs if source in spans]
        if isinstance(node, Conv):
            if weights and node.module.weight.requires_grad:
                x = self._value(node.inputs[0], node.need(own, height), kept)
                node.add_weight_gradient(self.state, own, height, fitted(g, span, own), x)
                del x
            return [(source, node.input_gradient(self.state, span, height, g)) for source in wanted]
        values = [] if node.linear else [self._value(source, taken, kept) for source in node.inputs]
        if isinstance(node, Norm):
            kept.pop(node.inputs[0])
            if node.inputs[0] in self.whole:
                values = [values[0].clone()]  # its gradient is written over it
            if self.bands.count == 1:
                new, self.state.sums[node] = node.both(self.state, g, values[0])
                return [(source, new) for source in wanted]
            if self.state.statistics[node].fixed:
                self._sum(node, span, own, g, fitted(values[0], span, own))
        if not wanted:
            return []
        found_all = node.gradients(self.state, span, height, g, *values)
        return [(source, new) for source, new in zip(node.inputs, found_all, strict=True) if source in spans]

    def _sum(self, node: Node, span: Span, own: Span, g: Tensor, z: Tensor) -> None:
        """Add what a band owns to the two sums of a BatchNorm, of whose input `z` is what it owns."""
        assert isinstance(node, Norm)
        new = node.sums(self.state, fitted(g, span, own), z)
        self.state.sums[node] = self.state.sums[node].plus(new) if node in self.state.sums else new

    # both

    def _convolved(self, targets: Mapping[Node, Span], *, all_of_them: bool = False) -> Kept:
        """The outputs of the convolutions that `targets` need; those that only others of them need are let go of."""
        needed = self.bands.needed(targets, self.whole)
        convs = [node for node in self.nodes if isinstance(node, Conv) and node in needed]
        asked = {leaf for node in targets for leaf in _leaves(node)}
        last_use = {leaf: conv for conv in convs for leaf in _leaves(conv.inputs[0])}
        kept: Kept = {}
        for conv in convs:
            span, height = needed[conv], self.bands.below(conv)
            if conv in self.whole:
                kept[conv] = span, self._kept[conv].rows(*span)
                continue
            x = self._value(conv.inputs[0], conv.need(span, height), kept)
            z = conv.value(self.state, span, height, x)
            del x
            kept[conv] = span, z
            for node in self.norms:
                if node.inputs[0] is conv and node not in self.state.statistics and self.bands.count == 1:
                    self.state.statistics[node] = batch_norm.measured(node.module, z, updates=node.updates)
            if not all_of_them:
                for leaf in [leaf for leaf in kept if last_use.get(leaf) is conv and leaf not in asked]:
                    del kept[leaf]
        return kept

    def _value(self, node: Node, span: Span, kept: Kept) -> Tensor:
        """Rows `span` of a node, computed from what is kept."""
        if isinstance(node, Input):
            return self.feeds[node.name].rows(*span)
        if node in kept:
            return fitted(kept[node][1], kept[node][0], span)
        height = self.bands.below(node)
        taken = node.need(span, height)
        return node.value(self.state, span, height, *(self._value(source, taken, kept) for source in node.inputs))

    def _learn(self, found: Mapping[Norm, Moments], dtype: torch.dtype) -> None:
        """The statistics of all ranks' rows, from what has been found of this rank's."""
        heights = [self.bands.heights[node] for node in found]
        of_all = batch_norm.of_all([node.module for node in found], [*found.values()], heights, self.bands.team)
        for node, moments in zip(found, of_all, strict=True):
            self.state.statistics[node] = known = batch_norm.of_batch(node.module, moments, dtype)
            if node.updates:
                batch_norm.update_running(node.module, known)


def _wants(node: Node, sinks: Collection[str]) -> bool:
    """Whether a gradient is asked for at the node itself."""
    if isinstance(node, Input):
        return node.name in sinks
    return isinstance(node, Conv | Norm) and any(one.requires_grad for one in node.module.parameters())


def _leaves(node: Node) -> Iterable[Node]:
    """The convolutions that the value of a node is computed from, itself if it is one."""
    if isinstance(node, Conv):
        return (node,)
    return tuple(leaf for source in node.inputs for leaf in _leaves(source))

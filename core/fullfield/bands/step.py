"""One forward of a `Streamed` and its backward, piece after piece: what is made, kept, written over and made again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import torch
from torch import Tensor

from fullfield.bands import feeds
from fullfield.bands.choice import Choices, choices
from fullfield.bands.feeds import Added, Feed, Fresh, FreshOnHost, OnDevice, OnHost, Rolling, Sink
from fullfield.bands.nodes import Conv, Norm, State
from fullfield.bands.passes import Passes
from fullfield.bands.waiting import Map, Piece, Waiting
from fullfield.kernels.away import Away
from fullfield.kernels.batch_norm import Statistics, wants_batch
from fullfield.kernels.stored import Stored
from fullfield.model.stages import INPUT


@dataclass(frozen=True, kw_only=True, eq=False)
class Policy:
    """What waits, and where: see `Streamed`."""

    keep: frozenset[str]
    host: bool
    away: bool
    limit: float | None
    _choices: dict[tuple[Any, ...], Choices] = field(default_factory=dict)

    def choices(self, piece: Piece, passes: Passes, sinks: Collection[str] | None) -> Choices:
        """See `choice.choices`; the same for all images of a size while the same BatchNorms are fixed."""
        heights = tuple(passes.bands.heights[node] for node in passes.nodes)
        fixed = tuple(not wants_batch(node.module) for node in passes.norms)
        key = piece, heights, passes.bands.count, fixed, None if sinks is None else frozenset(sinks)
        if key not in self._choices:
            self._choices[key] = choices(passes, piece.segment.measured, sinks)
        return self._choices[key]


class Step:
    """One forward and its backward."""

    def __init__(self, pieces: Sequence[Piece], policy: Policy, inputs: Mapping[str, Tensor | Stored]) -> None:
        self.pieces, self.policy, self.inputs = pieces, policy, inputs
        self.team = pieces[0].segment.team
        heights = self.team.heights([one.shape[2] for one in inputs.values()])
        self.waiting = Waiting(pieces, inputs, policy.limit, dict(zip(inputs, heights, strict=True)))
        self.statistics: dict[Piece, dict[Norm, Statistics]] = {}
        self.first = next(iter(inputs.values()))
        self.away = policy.away and len(self.first) == 1 and torch.is_grad_enabled()

    @property
    def largest(self) -> int:
        """Values of the largest map: of an image, 64 channels at half its size."""
        return max((16 if name == INPUT else 1) * one.numel() for name, one in self.inputs.items())

    def nothing(self) -> Tensor:
        """A token."""
        return torch.zeros((), device=self.first.device)

    def prediction(self, token: Tensor) -> Away:
        """Where it lies, with room for its gradient."""
        name = self._last.name
        made = feeds.away(token, cast(OnHost, self.waiting.maps.pop(name)))
        self.waiting.gradients[name] = cast(OnHost, made.gradient)
        return made

    def _ends(self, piece: Piece) -> bool:
        """Whether its map leaves, as a tensor."""
        return piece is self._last and not self.away

    def forward(self, piece: Piece) -> Tensor:
        """The token; of the last piece, the prediction."""
        number = self.pieces.index(piece)
        self._have(piece.segment.inputs)
        made = self._compute(
            piece, needed=() if self.waiting.limited else self.waiting.read_by(self.pieces[number + 1 :])
        )
        for spent in set(self.waiting.maps) - self.policy.keep - {*self.inputs}:
            if not self.waiting.readers(spent, number):
                del self.waiting.maps[spent]
        return made.whole if self._ends(piece) and isinstance(made, OnDevice) else self.nothing()

    def backward(self, piece: Piece, g: Tensor) -> State:
        """Gradients of the piece's parameters, in the state; those of its inputs are added to the step's."""
        self._have(piece.segment.inputs)
        self.waiting.shed(piece.segment.inputs)
        gradient = OnDevice(g) if self._ends(piece) else self.waiting.gradients.pop(piece.name)
        state = State(dtype=self.waiting.dtype, statistics=self.statistics[piece])
        wanted = [name for name in piece.segment.inputs if self.waiting.trainable(name)]
        read, source, sinks = self._room(piece, gradient, wanted, self._passes(piece, self.waiting.maps, state))
        del gradient
        passes = self._passes(piece, read, state)
        new = [name for name, sink in sinks.items() if isinstance(sink, Fresh)]
        beside = sum(self.waiting.shapes[name].numel() for name in (*new, piece.name))
        passes.keep(self._kept(piece, passes, piece.segment.inputs, beside, sinks), sinks)
        passes.differentiate(source, sinks)
        del passes
        del read, source
        for name, sink in sinks.items():
            if isinstance(sink, Fresh | FreshOnHost):
                self.waiting.gradients[name] = _fed(sink)
        for name in piece.segment.inputs:
            if self.waiting.is_first_reader(piece, name):
                del self.waiting.maps[name]
        return state

    def _room(
        self, piece: Piece, gradient: Map, wanted: Sequence[str], passes: Passes
    ) -> tuple[dict[str, Feed], Feed, dict[str, Sink]]:
        """Where the maps and the gradient are read, and where the gradients of the inputs `wanted` are written.

        That is on top of what nobody needs any more, wherever there is such a thing of the right shape.
        """
        keep = passes.look_back(wanted)
        read: dict[str, Feed] = {name: self.waiting.maps[name] for name in piece.segment.inputs}
        source: Feed = gradient
        sinks: dict[str, Sink] = {}
        for name in wanted:
            if name in self.waiting.gradients:
                sinks[name] = Added(self.waiting.gradients[name])
            elif self.waiting.is_first_reader(piece, name):  # the last one in backward
                under = cast(Map, self.waiting.maps[name])
                self.waiting.gradients[name] = under
                read[name] = sinks[name] = Rolling(under, keep)
            elif source is gradient and self.waiting.shapes[name] == self.waiting.shapes[piece.name]:
                self.waiting.gradients[name] = gradient
                source = sinks[name] = Rolling(gradient, keep)
            else:
                sinks[name] = self._fresh(self.waiting.heights[name])
        return read, source, sinks

    def _have(self, names: Sequence[str]) -> None:
        """Have the maps `names`, computed again where they were not kept: those with the longest way to them first,
        so that what is large and near to the image is there no longer than it must be."""
        while missing := sorted(
            (name for name in names if name not in self.waiting.maps), key=lambda name: -len(self.waiting.way(name))
        ):
            self._make(missing[0], [name for name in names if name in self.waiting.maps])

    def _make(self, name: str, beside: Sequence[str]) -> None:
        """Compute the map `name` again, and leave those `beside` where they are.

        Without a limit the nearer half of the maps on the way to it stays for the backward of the pieces before; the
        others are computed once more when it is their turn (Chen et al. 2016: a chain costs its root in memory, not its
        length). With one, those stay that there is room for.
        """
        way = [self.waiting.makers[made] for made in self.waiting.way(name)]
        for place, piece in enumerate(way):
            below = set(piece.segment.inputs) - {*self.waiting.maps}
            if piece.shortcut and below and piece in self.statistics and not self._room_for(piece, way, beside):
                way = [piece.shortcut, *way[place + 1 :]]
                break
        stay = (
            {*self.waiting.makers}
            if self.waiting.limited
            else {each.name for each in way[len(way) - len(way) // 2 - 1 :]}
        )
        for position, piece in enumerate(way):
            later = self.waiting.read_by(way[position + 1 :]) | {*beside}
            self._compute(piece, needed=later)
            for spent in {each.name for each in way[: position + 1]} - stay - later:
                self.waiting.maps.pop(spent, None)

    def _room_for(self, piece: Piece, way: Sequence[Piece], beside: Collection[str]) -> bool:
        """Whether there is any for the map of a piece on the way, which has been made before, and for its inputs."""
        sizes = [self.waiting.shapes[name].numel() for name in (piece.name, *piece.segment.inputs)]
        return self.waiting.shed(self.waiting.read_by(way) | {*beside}, room_for=sum(sizes))

    def _compute(self, piece: Piece, *, needed: Collection[str]) -> Map:
        """Make the map of a piece; its statistics are measured the first time. `needed`: maps that are to be there
        afterwards. Where there is no room for another map it is written over the one that it is added to."""
        if piece not in self.statistics:
            self.statistics[piece] = self._again(piece)
        state = State(dtype=self.waiting.dtype, statistics=self.statistics[piece])
        segment = piece.segment
        over = segment.added
        size = segment.values([self.waiting.shapes[name] for name in segment.inputs])
        fits = self.waiting.shed({*needed, *segment.inputs}, room_for=size)
        passes = self._passes(piece, self.waiting.maps, state)
        keep = self._kept(piece, passes, {*needed, *segment.inputs}, size) if fits else ()
        passes.measure(self.waiting.dtype, keep)
        height = self.waiting.heights[piece.name] = passes.bands.heights[segment.nodes[-1]]
        if over and not fits and piece is not self._last and over not in {*needed, *self.inputs}:
            made = cast(Map, self.waiting.maps.pop(over))
            rolling = Rolling(made, passes.look_above(over))
            self._passes(piece, {**self.waiting.maps, over: rolling}, state).compute(rolling)
        elif segment.under in passes.whole:
            made = passes.whole[segment.under]
            passes.compute(made)
        else:
            sink = Fresh(self._own(height)) if self._ends(piece) else self._fresh(height)
            passes.compute(sink)
            made = _fed(sink)
        self.waiting.learn(piece.name, made.whole.shape)
        if not self._ends(piece):
            self.waiting.maps[piece.name] = made
        return made

    def _kept(
        self, piece: Piece, passes: Passes, needed: Collection[str], beside: int, sinks: Collection[str] | None = None
    ) -> tuple[Conv, ...]:
        """The convolutions of a piece whose outputs stay whole while it runs: forward, or backward to `sinks`.

        `beside`: values that come to what is held now. The output of forward is written over that of a convolution,
        so this one takes no room. For others that is made where they save more than it costs.
        """
        segment = piece.segment
        if self.policy.host or passes.bands.count == 1 or (sinks is None and not passes.levels()):
            return ()
        best: tuple[Conv, ...] = (segment.under,) if sinks is None and segment.under else ()
        under, most, room = best, 0.0, 0
        if not self.waiting.limited:
            return under
        shapes = [self.waiting.shapes[name] for name in segment.inputs]
        for chosen, saved in self.policy.choices(piece, passes, sinks).items():
            if saved <= most:
                break  # room costs nothing at best
            size = beside + sum(segment.values(shapes, conv) for conv in chosen if conv not in under)
            gain = saved - self.waiting.cost(needed, room_for=size)
            if gain > most:
                best, most, room = chosen, gain, size
        self.waiting.shed(needed, room_for=room)
        return best

    def _again(self, piece: Piece) -> dict[Norm, Statistics]:
        """The statistics of what other pieces have computed before in this step."""
        known = {node.module: found for each in self.statistics.values() for node, found in each.items()}
        norms = (node for node in piece.segment.nodes if isinstance(node, Norm) and not node.updates)
        return {node: known[node.module] for node in norms if node.module in known}

    @property
    def _last(self) -> Piece:
        return self.pieces[-1]

    def _fresh(self, height: int) -> Fresh | FreshOnHost:
        return FreshOnHost(self._own(height)) if self.policy.host else Fresh(self._own(height))

    def _own(self, height: int) -> int:
        """How many rows of a map this rank has."""
        first, last = self.team.own(height)
        return last - first

    def _passes(self, piece: Piece, feeds: Mapping[str, Feed], state: State) -> Passes:
        names, rows = piece.segment.inputs, 0
        heights = [self.waiting.heights[name] for name in names]
        if piece.values:
            values = piece.segment.values([self.waiting.shapes[name] for name in names])
            rows = piece.values * piece.segment.bands(heights).heights[piece.segment.nodes[-1]] // values
        return piece.segment.passes(heights, [feeds[name] for name in names], state, rows)


def _fed(made: Fresh | FreshOnHost) -> Map:
    return OnDevice(made.map()) if isinstance(made, Fresh) else OnHost(made.map())

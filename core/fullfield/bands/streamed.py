"""The whole network as segments one after the other, which hands their maps and gradients on itself.

autograd only orders the steps of backward: what passes through it is a token, and each segment's gradients of weights
leave as soon as its backward has them. Maps and their gradients stay here, so each can lie in the host tier, be let go
of and computed again, be added to in place, and a map's gradient can be written over the map that it belongs to.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from fullfield.bands import handmade
from fullfield.bands.feeds import Added, Feed, Fresh, FreshOnHost, OnDevice, OnHost, Rolling, Sink
from fullfield.bands.nodes import Norm, State
from fullfield.bands.passes import Passes
from fullfield.bands.segment import Segment
from fullfield.kernels.batch_norm import Statistics
from fullfield.model.stages import INPUT

Map = OnDevice | OnHost


@dataclass(frozen=True, kw_only=True, eq=False)
class Piece:
    """The segment that makes the map `name`. `shortcut`: one that makes it again where there is no room for its
    inputs, with the statistics of the first time."""

    name: str
    segment: Segment
    shortcut: Piece | None = None


class Streamed:
    """Pieces in order, the last of which makes the prediction.

    `keep`: names of the maps that are kept for backward; the others are computed again from these. `limit`: of these
    and their gradients on the device there are at most so many bytes per pixel of the image at once, beside what a
    piece reads and makes; what is nearest to the image goes first, for it is the largest and the soonest made again.
    `host`: maps and their gradients lie in the host tier.
    """

    def __init__(self, pieces: Sequence[Piece], *, keep: Collection[str], host: bool, limit: float = math.inf) -> None:
        self.pieces, self.keep, self.host, self.limit = tuple(pieces), frozenset(keep), host, limit
        self.makers = {piece.name: piece for piece in pieces}

    def run(self, x_NCHW: Tensor) -> Tensor:
        """The prediction, differentiable to every parameter; not to the image."""
        step = _Step(streamed=self, dtype=handmade.working_dtype(x_NCHW), image=x_NCHW)
        passed = x_NCHW.new_zeros(())
        for piece in self.pieces:
            passed = cast(Tensor, _Run.apply(step, piece, passed, *piece.segment.parameters))
        return passed

    def readers(self, name: str, after: int = -1) -> int:
        """How many pieces, from number `after` + 1 on, take the map `name`."""
        return sum(name in piece.segment.inputs for piece in self.pieces[after + 1 :])

    def trainable(self, name: str) -> bool:
        """Whether the map `name` depends on a parameter that is trained."""
        if name not in self.makers:
            return False
        segment = self.makers[name].segment
        return any(one.requires_grad for one in segment.parameters) or any(map(self.trainable, segment.inputs))


@dataclass(kw_only=True, eq=False)
class _Step:
    """One forward and its backward: the maps and gradients that exist now."""

    streamed: Streamed
    dtype: torch.dtype
    image: Tensor
    maps: dict[str, Map] = field(default_factory=dict)
    gradients: dict[str, Map] = field(default_factory=dict)
    statistics: dict[Piece, dict[Norm, Statistics]] = field(default_factory=dict)
    heights: dict[str, int] = field(default_factory=dict)
    shapes: dict[str, torch.Size] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.maps[INPUT] = OnDevice(self.image)
        self.heights[INPUT], self.shapes[INPUT] = self.image.shape[2], self.image.shape

    @property
    def largest(self) -> int:
        """Values of the largest map: 64 channels at half the image's size."""
        return 16 * self.image.numel()

    def forward(self, piece: Piece) -> Tensor:
        """The token; of the last piece, the prediction."""
        number = self.streamed.pieces.index(piece)
        self._have(piece.segment.inputs)
        sink = self._compute(piece, needed=() if self._limited else self._read_by(self.streamed.pieces[number + 1 :]))
        for spent in set(self.maps) - self.streamed.keep - {INPUT}:
            if not self.streamed.readers(spent, number):
                del self.maps[spent]
        return sink.map() if isinstance(sink, Fresh) and piece is self._last else self.image.new_zeros(())

    def backward(self, piece: Piece, g: Tensor) -> State:
        """Gradients of the piece's parameters, in the state; those of its inputs are added to the step's."""
        self._have(piece.segment.inputs)
        self._shed(piece.segment.inputs)
        gradient = OnDevice(g) if piece is self._last else self.gradients.pop(piece.name)
        state = State(dtype=self.dtype, statistics=self.statistics[piece])
        wanted = [name for name in piece.segment.inputs if self.streamed.trainable(name)]
        feeds, source, sinks = self._room(piece, gradient, wanted, self._passes(piece, self.maps, state))
        del gradient
        self._passes(piece, feeds, state).differentiate(source, sinks)
        del feeds, source
        for name, sink in sinks.items():
            if isinstance(sink, Fresh | FreshOnHost):
                self.gradients[name] = _fed(sink)
        for name in piece.segment.inputs:
            if name != INPUT and self._is_first_reader(piece, name):
                del self.maps[name]
        return state

    def _room(
        self, piece: Piece, gradient: Map, wanted: Sequence[str], passes: Passes
    ) -> tuple[dict[str, Feed], Feed, dict[str, Sink]]:
        """Where the maps and the gradient are read, and where the gradients of the inputs `wanted` are written.

        That is on top of what nobody needs any more, wherever there is such a thing of the right shape.
        """
        keep = passes.look_back(wanted)
        feeds: dict[str, Feed] = dict(self.maps)
        source: Feed = gradient
        sinks: dict[str, Sink] = {}
        for name in wanted:
            if name in self.gradients:
                sinks[name] = Added(self.gradients[name])
            elif self._is_first_reader(piece, name):  # the last one in backward
                self.gradients[name] = self.maps[name]
                feeds[name] = sinks[name] = Rolling(self.maps[name], keep)
            elif source is gradient and self.shapes[name] == self.shapes[piece.name]:
                self.gradients[name] = gradient
                source = sinks[name] = Rolling(gradient, keep)
            else:
                sinks[name] = self._fresh(self.heights[name])
        return feeds, source, sinks

    def _is_first_reader(self, piece: Piece, name: str) -> bool:
        """No piece before it takes the map."""
        return piece is next(each for each in self.streamed.pieces if name in each.segment.inputs)

    def _have(self, names: Sequence[str]) -> None:
        """Have the maps `names`, computed again where they were not kept: those with the longest way to them first,
        so that what is large and near to the image is there no longer than it must be."""
        while missing := sorted(
            (name for name in names if name not in self.maps), key=lambda name: -len(self._way(name))
        ):
            self._make(missing[0], [name for name in names if name in self.maps])

    def _make(self, name: str, beside: Sequence[str]) -> None:
        """Compute the map `name` again, and leave those `beside` where they are.

        Without a limit the nearer half of the maps on the way to it stays for the backward of the pieces before; the
        others are computed once more when it is their turn (Chen et al. 2016: a chain costs its root in memory, not its
        length). With one, those stay that there is room for.
        """
        way = [self.streamed.makers[made] for made in self._way(name)]
        for place, piece in enumerate(way):
            below = set(piece.segment.inputs) - {*self.maps}
            if piece.shortcut and below and piece in self.statistics and not self._room_for(piece, way, beside):
                way = [piece.shortcut, *way[place + 1 :]]
                break
        stay = {*self.streamed.makers} if self._limited else {each.name for each in way[len(way) - len(way) // 2 - 1 :]}
        for position, piece in enumerate(way):
            later = self._read_by(way[position + 1 :]) | {*beside}
            self._compute(piece, needed=later)
            for spent in {each.name for each in way[: position + 1]} - stay - later:
                self.maps.pop(spent, None)

    def _room_for(self, piece: Piece, way: Sequence[Piece], beside: Collection[str]) -> bool:
        """Whether there is any for the map of a piece on the way, which has been made before, and for its inputs."""
        sizes = [self.shapes[name].numel() for name in (piece.name, *piece.segment.inputs)]
        return self._shed(self._read_by(way) | {*beside}, room_for=sum(sizes) * self.dtype.itemsize)

    def _read_by(self, pieces: Iterable[Piece]) -> set[str]:
        return {taken for piece in pieces for taken in piece.segment.inputs}

    @property
    def _limited(self) -> bool:
        return self.streamed.limit < math.inf

    def _shed(self, needed: Collection[str], *, room_for: int = 0) -> bool:
        """Free maps that are not `needed` until `room_for` bytes more keep to the limit; whether they do."""
        if not self._limited:
            return True
        most = self.streamed.limit * self.image.numel() / self.image.shape[1] - room_for
        for piece in self.streamed.pieces:
            if self._held() <= most:
                return True
            if piece.name not in needed:
                self.maps.pop(piece.name, None)
        return self._held() <= most

    def _held(self) -> int:
        """Bytes of the maps and gradients on the device."""
        there = {id(each): each for each in (*self.maps.values(), *self.gradients.values())}
        there.pop(id(self.maps[INPUT]))
        return sum(each.whole.nbytes for each in there.values() if isinstance(each, OnDevice))

    def _way(self, name: str) -> list[str]:
        """The maps that are to be computed for the map `name`, in order; none where it is there."""
        if name in self.maps:
            return []
        before = [made for taken in self.streamed.makers[name].segment.inputs for made in self._way(taken)]
        return [*dict.fromkeys(before), name]

    def _compute(self, piece: Piece, *, needed: Collection[str]) -> Sink:
        """Make the map of a piece; its statistics are measured the first time. `needed`: maps that are to be there
        afterwards. Where there is no room for another map it is written over the one that it is added to."""
        if piece not in self.statistics:
            self.statistics[piece] = self._again(piece)
        state = State(dtype=self.dtype, statistics=self.statistics[piece])
        over = piece.segment.added
        size = piece.segment.values([self.shapes[name] for name in piece.segment.inputs])
        fits = self._shed({*needed, *piece.segment.inputs}, room_for=size * self.dtype.itemsize)
        passes = self._passes(piece, self.maps, state)
        passes.measure(self.dtype)
        height = self.heights[piece.name] = passes.bands.heights[piece.segment.nodes[-1]]
        if over and over not in needed and not fits:
            under = self.maps.pop(over)
            rolling = Rolling(under, passes.look_above(over))
            self._passes(piece, {**self.maps, over: rolling}, state).compute(rolling)
            self.maps[piece.name], self.shapes[piece.name] = under, self.shapes[over]
            return rolling
        sink = Fresh(height) if piece is self._last else self._fresh(height)
        passes.compute(sink)
        self.shapes[piece.name] = sink.map().shape
        if piece is not self._last:
            self.maps[piece.name] = _fed(sink)
        return sink

    def _again(self, piece: Piece) -> dict[Norm, Statistics]:
        """The statistics of what other pieces have computed before in this step."""
        known = {node.module: found for each in self.statistics.values() for node, found in each.items()}
        norms = (node for node in piece.segment.nodes if isinstance(node, Norm) and not node.updates)
        return {node: known[node.module] for node in norms if node.module in known}

    @property
    def _last(self) -> Piece:
        return self.streamed.pieces[-1]

    def _fresh(self, height: int) -> Fresh | FreshOnHost:
        return FreshOnHost(height) if self.streamed.host else Fresh(height)

    def _passes(self, piece: Piece, feeds: Mapping[str, Feed], state: State) -> Passes:
        names = piece.segment.inputs
        return piece.segment.passes([self.heights[name] for name in names], [feeds[name] for name in names], state)


def _fed(made: Fresh | FreshOnHost) -> Map:
    return OnDevice(made.map()) if isinstance(made, Fresh) else OnHost(made.map())


class _Run(Function):
    @staticmethod
    def forward(ctx: Any, step: _Step, piece: Piece, token: Tensor, *parameters: Tensor) -> Tensor:
        ctx.step, ctx.piece = step, piece
        ctx.save_for_backward(*parameters)  # so that autograd tells when one has been changed before its backward
        with handmade.by_hand(step.image, values=step.largest):
            return step.forward(piece)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> Any:
        step, piece = ctx.step, ctx.piece
        parameters = ctx.saved_tensors
        with handmade.by_hand(step.image, values=step.largest):
            state = step.backward(piece, g)
        token = step.image.new_zeros(()) if ctx.needs_input_grad[2] else None
        found = (
            state.gradients.get(each) if needs else None
            for each, needs in zip(parameters, ctx.needs_input_grad[3:], strict=True)
        )
        return None, None, token, *found

"""The maps of a step and their gradients that exist now, what they take, and what has to go where there is a limit."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from fullfield.bands import handmade
from fullfield.bands.choice import once
from fullfield.bands.feeds import AsStored, OnDevice, OnHost, on_device
from fullfield.bands.segment import Segment
from fullfield.kernels.stored import Stored

Map = OnDevice | OnHost


@dataclass(frozen=True, kw_only=True, eq=False)
class Piece:
    """The segment that makes the map `name`. `shortcut`: one that makes it again where there is no room for its
    inputs, with the statistics of the first time. `values`: of the map in a band, which has more rows than the
    segment's where so many are not reached."""

    name: str
    segment: Segment
    shortcut: Piece | None = None
    values: int = 0


class Waiting:
    """`pieces`: in order. `inputs`: the maps from outside, which are never freed. `limit`: of the others and of the
    gradients there are at most so many bytes per pixel of the first input, on the device. None: see `Streamed`.

    `maps`, `gradients`: by name, those that are there: of a team of several, this rank's rows of them. `heights`,
    `shapes`: of all that have been made so far, whole. What is decided here is decided by whole maps: the same on all
    ranks, whose shares may differ by a row.
    """

    def __init__(
        self,
        pieces: Sequence[Piece],
        inputs: Mapping[str, Tensor | Stored],
        limit: float | None,
        heights: Mapping[str, int],
    ) -> None:
        self.pieces, self.inputs = pieces, inputs
        self.makers = {piece.name: piece for piece in pieces}
        self.maps: dict[str, Map | AsStored] = {name: on_device(one) for name, one in inputs.items()}
        self.gradients: dict[str, Map] = {}
        self.heights = dict(heights)
        self.shapes: dict[str, torch.Size] = {}
        for name, one in inputs.items():
            self.learn(name, one.shape)
        name, first = next(iter(inputs.items()))
        self.dtype = handmade.working_dtype(first)
        self.limited = limit is not None
        self._most = math.inf if limit is None else limit * self.shapes[name].numel() / first.shape[1]

    def learn(self, name: str, shape: torch.Size) -> None:
        """The shape of a map whose height is known, of which this rank has as much as `shape` says."""
        self.shapes[name] = torch.Size((*shape[:2], self.heights[name], shape[3]))

    def shed(self, needed: Collection[str], *, room_for: int = 0) -> bool:
        """Free maps that are not `needed` until there is room for so many values more; whether there is. What is
        nearest to the image goes first, for it is the largest and the soonest made again."""
        if not self.limited:
            return True
        most = self._most - room_for * self.dtype.itemsize
        for piece in self.pieces:
            if self._held() <= most:
                return True
            if piece.name not in needed:
                self.maps.pop(piece.name, None)
        return self._held() <= most

    def cost(self, needed: Collection[str], *, room_for: int) -> float:
        """The work of computing again what `shed` would free; infinite where that is not enough."""
        stay, over = set(self.maps), self._held() + room_for * self.dtype.itemsize - self._most
        for piece in self.pieces:
            if over <= 0:
                break
            if piece.name in stay and piece.name not in needed:
                stay.remove(piece.name)
                over -= self.shapes[piece.name].numel() * self.dtype.itemsize
        if over > 0:
            return math.inf
        again = {made for name in self.maps for made in self._way(name, stay)}
        return sum(self._once(self.makers[name]) for name in again)

    def way(self, name: str) -> list[str]:
        """The maps that are to be computed for the map `name`, in order; none where it is there."""
        return self._way(name, self.maps)

    def read_by(self, pieces: Iterable[Piece]) -> set[str]:
        """The maps that these take."""
        return {taken for piece in pieces for taken in piece.segment.inputs}

    def readers(self, name: str, after: int = -1) -> int:
        """How many pieces, from number `after` + 1 on, take the map `name`."""
        return sum(name in piece.segment.inputs for piece in self.pieces[after + 1 :])

    def is_first_reader(self, piece: Piece, name: str) -> bool:
        """No piece before it takes the map, which is nobody else's: it is the last one that needs it in backward."""
        return name not in self.inputs and piece is next(one for one in self.pieces if name in one.segment.inputs)

    def trainable(self, name: str) -> bool:
        """Whether the map `name` depends on something that a gradient is asked for."""
        if name in self.inputs:
            one = self.inputs[name]
            return isinstance(one, Tensor) and one.requires_grad
        segment = self.makers[name].segment
        return any(one.requires_grad for one in segment.parameters) or any(map(self.trainable, segment.inputs))

    def _held(self) -> int:
        there = {id(each): (name, each) for name, each in (*self.maps.items(), *self.gradients.items())}
        for name in self.inputs:
            there.pop(id(self.maps[name]))
        return sum(
            self.heights[name] * (each.whole.nbytes // each.whole.shape[2])
            for name, each in there.values()
            if isinstance(each, OnDevice)
        )

    def _way(self, name: str, there: Collection[str]) -> list[str]:
        if name in there:
            return []
        before = [made for taken in self.makers[name].segment.inputs for made in self._way(taken, there)]
        return [*dict.fromkeys(before), name]

    def _once(self, piece: Piece) -> float:
        return once(piece.segment.bands([self.heights[name] for name in piece.segment.inputs]))

"""A part of the network, or all of it, as segments one after the other, which hands their maps and gradients on itself.

autograd only orders the steps of backward: what passes through it is a token, and each segment's gradients of weights
leave as soon as its backward has them. Maps and their gradients stay here, so each can lie in the host tier, be let go
of and computed again, be added to in place, and a map's gradient can be written over the map that it belongs to.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any, cast

from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from fullfield.bands import handmade
from fullfield.bands.feeds import OnDevice
from fullfield.bands.step import Policy, Step
from fullfield.bands.waiting import Map, Piece
from fullfield.kernels.away import Away
from fullfield.kernels.stored import Stored
from fullfield.model.stages import INPUT


class Streamed:
    """Pieces in order, the last of which makes the map that leaves. `inputs`: names of the maps that come from outside;
    they are nobody's to write over, and the first of them is the image or a map beside it.

    `keep`: names of the maps that are kept for backward; the others are computed again from these. `limit`: of maps and
    gradients on the device there are at most so many bytes per pixel of the first input at once, beside what a piece
    reads and makes. Within it a piece keeps the outputs of its convolutions from one pass to the next where that saves
    more work than it costs to make again what has to go. None: what is made again is not kept but for the nearer half
    of the way to it.
    `host`: maps and their gradients lie in the host tier; `away`: the last map and its gradient too, where an image is
    alone in a forward that has a backward.
    """

    def __init__(
        self,
        pieces: Sequence[Piece],
        *,
        inputs: Sequence[str] = (INPUT,),
        keep: Collection[str] = (),
        host: bool = False,
        away: bool = False,
        limit: float | None = math.inf,
    ) -> None:
        self.pieces, self.inputs = tuple(pieces), tuple(inputs)
        self.policy = Policy(keep=frozenset(keep), host=host, away=host and away, limit=limit)

    def run(self, *maps: Tensor | Stored) -> Tensor | Away:
        """The last piece's map, differentiable to every parameter and to those of `maps` that require it, which are
        `inputs`."""
        step = Step(self.pieces, self.policy, dict(zip(self.inputs, maps, strict=True)))
        passed = cast(Tensor, _Begin.apply(step, *maps))
        for piece in self.pieces:
            passed = cast(Tensor, _Run.apply(step, piece, passed, *piece.segment.parameters))
        return step.prediction(passed) if step.away else passed


class _Begin(Function):
    """Takes the maps from outside, and gives their gradients."""

    @staticmethod
    def forward(ctx: Any, step: Step, *maps: Any) -> Tensor:
        ctx.step = step
        # So that autograd tells when one has been changed before this backward.
        ctx.save_for_backward(*(one if isinstance(one, Tensor) else None for one in maps))
        return step.nothing()

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> Any:
        step: Step
        step, ctx.step = ctx.step, None  # it holds the maps from outside, which nobody needs any more
        maps = zip(step.inputs, ctx.saved_tensors, strict=True)
        return None, *(_gradient(step.waiting.gradients.pop(name, None), one) for name, one in maps)


def _gradient(found: Map | None, of: Tensor | None) -> Tensor | None:
    if found is None or of is None:
        return None
    return (found.whole if isinstance(found, OnDevice) else found.rows(0, of.shape[2])).to(of.dtype)


class _Run(Function):
    @staticmethod
    def forward(ctx: Any, step: Step, piece: Piece, token: Tensor, *parameters: Tensor) -> Tensor:
        ctx.step, ctx.piece = step, piece
        ctx.save_for_backward(*parameters)  # so that autograd tells when one has been changed before its backward
        with handmade.by_hand(step.first, values=step.largest):
            return step.forward(piece)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> Any:
        g = handmade.private(g)
        step, piece = ctx.step, ctx.piece
        ctx.step = None
        parameters = ctx.saved_tensors
        with handmade.by_hand(step.first, values=step.largest):
            state = step.backward(piece, g)
        token = step.nothing() if ctx.needs_input_grad[2] else None
        found = (
            state.gradients.get(each) if needs else None
            for each, needs in zip(parameters, ctx.needs_input_grad[3:], strict=True)
        )
        return None, None, token, *found

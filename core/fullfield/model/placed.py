"""A chain whose parts lie on several ranks: each runs its own, and maps go from their maker straight to their takers.

A rank has consecutive parts, so maps go to higher ranks alone, and their gradients back to lower ones. What a rank
sends to another goes in one order, that of parts and of micro-batches, in which the other takes it: nothing is named on
the way. The form of a map (shape, dtype, memory format) goes before the first map of images of a shape; from then on
both sides know it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from fullfield.distribution import schedule
from fullfield.distribution.schedule import Action
from fullfield.distribution.team import Team
from fullfield.model.chain import INPUT, OUTPUT, Chain

_DTYPES = (torch.float32, torch.float64, torch.bfloat16, torch.float16)
_FIELDS = 6  # of a form that is sent: dtype, whether channels lie last, and a map's four sides
_RESULT = "result"  # a prediction on its way to the first rank
_Key = tuple[str, tuple[int, ...]]
"""A map's name, and the shape of the images that it was made of."""


@dataclass(frozen=True, kw_only=True)
class Passed:
    """What a rank keeps of a forward through its parts until backward. `shape`: of the images. `left`: scalars from
    which backward begins, one for each map that others were given; they take the map's gradient out of `due`.
    `arrived`: the gradients of maps that this rank was given, as soon as backward has them. `leaving`: wait until the
    maps that others were given have left."""

    shape: tuple[int, ...]
    left: list[Tensor] = field(default_factory=list)
    due: dict[str, Tensor] = field(default_factory=dict)
    arrived: dict[str, list[Tensor]] = field(default_factory=dict)
    leaving: list[Callable[[], None]] = field(default_factory=list)


class Placed:
    """The parts of `chain` by rank of `team`. `stages`: the stages of each rank; `order`: of
    `fullfield.distribution.schedule`. `device`: of this rank."""

    def __init__(
        self, chain: Chain, team: Team, device: torch.device, *, stages: Sequence[Sequence[str]], order: str
    ) -> None:
        """Raises ValueError where a rank has no part."""
        ranks = schedule.ranks_of(chain.parts, stages)
        idle = set(range(team.size)) - set(ranks)
        if idle or team.size != len(stages):
            raise ValueError(f"of {team.size} ranks {sorted(idle)} have no part: stages {stages}")
        self.team, self._device, self._order = team, device, order
        self._own = [part for part, rank in zip(chain.parts, ranks, strict=True) if rank == team.rank]
        self.by_stage = {stage: rank for part, rank in zip(chain.parts, ranks, strict=True) for stage in part.stages}
        makers = {part.name: rank for part, rank in zip(chain.parts, ranks, strict=True)}
        takers = {
            name: sorted({rank for part, rank in zip(chain.parts, ranks, strict=True) if name in part.takes} - {maker})
            for name, maker in makers.items()
        }
        self._given = {part.name: takers[part.name] for part in self._own}
        self._taken = [(name, maker) for name, maker in makers.items() if team.rank in takers[name]]
        self._forms: dict[_Key, _Form] = {}
        self._reported: set[tuple[_Key, int]] = set()
        self._leaving: list[Callable[[], None]] = []

    @property
    def takes_images(self) -> bool:
        """Whether this rank has the first part."""
        return self.team.rank == 0

    def actions(self, count: int) -> list[Action]:
        """What this rank does in a step of so many micro-batches."""
        return schedule.actions(self._order, self.team.rank, self.team.size, count)

    def forward(self, x_NCHW: Any) -> tuple[Passed, Tensor | None]:
        """Run this rank's parts; the prediction, on the last rank. Others than the first look at the shape of `x_NCHW`
        alone."""
        passed = Passed(shape=tuple(x_NCHW.shape))
        maps: dict[str, Any] = {INPUT: x_NCHW} if self.takes_images else {}
        for name, maker in self._taken:
            maps[name] = self._arrive(name, maker, passed)
        for place, part in enumerate(self._own):
            made = part.run(*(maps[name] for name in part.takes))
            for taker in self._given[part.name]:
                passed.leaving.append(self._send((part.name, passed.shape), made.detach(), taker))
            maps[part.name] = made
            del made
            later = {name for other in self._own[place + 1 :] for name in other.takes} | {OUTPUT}
            later |= {name for name, takers in self._given.items() if takers and torch.is_grad_enabled()}
            maps = {name: one for name, one in maps.items() if name in later}
        if not torch.is_grad_enabled():
            self._left(passed.leaving)
            return passed, maps.get(OUTPUT)
        # As late as the other ranks' parts in one process: autograd adds gradients up from the end to the beginning.
        passed.left.extend(_Left.apply(maps[name], name, passed.due) for name, takers in self._given.items() if takers)
        return passed, maps.get(OUTPUT)

    def backward(self, passed: Passed, driving: Tensor | None) -> None:
        """Back through this rank's parts; `driving`: on the last rank, what gradients are taken of."""
        for name, takers in self._given.items():
            for taker in takers:
                gradient = self._receive(self._forms[name, passed.shape], taker)
                before = passed.due.pop(name, None)
                passed.due[name] = gradient if before is None else before.add_(gradient)
                del gradient, before
        while passed.leaving:  # they have left: gradients came of them
            passed.leaving.pop(0)()
        torch.autograd.backward([*passed.left, *(() if driving is None else (driving,))])
        gradients = [
            (self._forms[name, passed.shape].dense(passed.arrived[name].pop()), maker) for name, maker in self._taken
        ]
        self._left([self.team.send(gradient, maker) for gradient, maker in gradients])

    def settle(self) -> None:
        """Wait until all has left that this rank has sent."""
        self._left([])

    def to_first(self, prediction: Tensor | None, shape: tuple[int, ...]) -> Tensor | None:
        """The prediction that the last rank has made of images of this shape, on the first rank alone."""
        key, last = (_RESULT, shape), self.team.size - 1
        if prediction is not None:
            self._left([self._send(key, prediction, 0)])
        return self._receive(self._form(key, last), last) if self.takes_images else None

    def _left(self, leaving: list[Callable[[], None]]) -> None:
        """This leaves now, and what has been sent before it shall have left: no rank keeps more for others."""
        for left in self._leaving:
            left()
        self._leaving = leaving

    def _arrive(self, name: str, maker: int, passed: Passed) -> Tensor:
        room = [self._receive(self._form((name, passed.shape), maker), maker)]
        if not torch.is_grad_enabled():
            return room.pop()
        passed.arrived[name] = []
        anchor = torch.empty((), requires_grad=True)
        made: Tensor = _Arrived.apply(anchor, room, passed.arrived[name])
        return made

    def _send(self, key: _Key, made: Tensor, peer: int) -> Callable[[], None]:
        """A map; its form before it where the other rank does not know it."""
        form = self._forms.setdefault(key, _Form.of(made))
        if (key, peer) not in self._reported:
            self._reported.add((key, peer))
            self.team.send(form.numbers(self._device), peer)()
        return self.team.send(form.dense(made), peer)

    def _form(self, key: _Key, peer: int) -> _Form:
        if key not in self._forms:
            numbers = torch.empty(_FIELDS, dtype=torch.int64, device=self._device)
            self.team.receive(numbers, peer)
            self._forms[key] = _Form.read(numbers)
        return self._forms[key]

    def _receive(self, form: _Form, peer: int) -> Tensor:
        room = torch.empty(
            form.shape,
            dtype=form.dtype,
            device=self._device,
            memory_format=torch.channels_last if form.last else torch.contiguous_format,
        )
        self.team.receive(form.dense(room), peer)
        return room


@dataclass(frozen=True, kw_only=True)
class _Form:
    """Of a map (N, C, H, W). `last`: its channels lie last."""

    shape: tuple[int, ...]
    dtype: torch.dtype
    last: bool

    @classmethod
    def of(cls, made: Tensor) -> _Form:
        last = made.is_contiguous(memory_format=torch.channels_last) and not made.is_contiguous()
        return cls(shape=tuple(made.shape), dtype=made.dtype, last=last)

    @classmethod
    def read(cls, numbers: Tensor) -> _Form:
        dtype, last, *shape = numbers.tolist()
        return cls(shape=tuple(shape), dtype=_DTYPES[dtype], last=bool(last))

    def numbers(self, device: torch.device) -> Tensor:
        """What `read` reads."""
        return torch.tensor([_DTYPES.index(self.dtype), self.last, *self.shape], dtype=torch.int64, device=device)

    def dense(self, made: Tensor) -> Tensor:
        """The map, or a gradient of it, as it lies in memory: without a gap, in the order of this form."""
        dense = (made.permute(0, 2, 3, 1) if self.last else made).contiguous()
        return dense if dense.untyped_storage().nbytes() == dense.nbytes else dense.clone()  # not all it is a part of


class _Arrived(torch.autograd.Function):
    """A map that another rank has made, out of `room`; backward leaves its gradient in `received`."""

    @staticmethod
    def forward(ctx: Any, anchor: Tensor, room: list[Tensor], received: list[Tensor]) -> Tensor:
        ctx.received = received
        return room.pop()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[None, None, None]:
        ctx.received.append(gradients[0])
        return None, None, None


class _Left(torch.autograd.Function):
    """Stands for the ranks that were given a map: keeps nothing of it, and takes its gradient out of `due`."""

    @staticmethod
    def forward(ctx: Any, made: Tensor, name: str, due: dict[str, Tensor]) -> Tensor:
        ctx.name, ctx.due = name, due
        return torch.empty((), device=made.device)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None]:
        return ctx.due.pop(ctx.name), None, None

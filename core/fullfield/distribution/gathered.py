"""Weights that their owner alone keeps, and that other ranks have while a part of the network uses them: ZeRO-3.

Rajbhandari et al. 2020, section 5.3. Before a part runs, and before its backward, its weights come from their owners,
and those of other parts go. A weight that goes leaves its tensor with shape and layout, but without storage: modules,
and what autograd has saved, see it filled again. In backward it goes as soon as its gradient is there.

The parts are a line, so every rank asks for the same parts in the same order, whatever the size of its images.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fullfield.distribution.owners import Owners, is_there

if TYPE_CHECKING:
    from torch import nn


class Gathered:
    """The parameters `named` of a network whose `owners` alone keep them. `parts`: the names that each part of the
    chain uses, in order; one may be used by several."""

    def __init__(self, owners: Owners, named: Mapping[str, nn.Parameter], parts: Sequence[Sequence[str]]) -> None:
        unused = set(named).difference(*parts)
        if unused:
            raise ValueError(f"no part uses {sorted(unused)}")
        self._owners, self._named, self._parts = owners, dict(named), [tuple(dict.fromkeys(part)) for part in parts]
        self._others = {parameter: name for name, parameter in named.items() if not owners.mine(name)}
        self._last_user = {name: place for place, part in reversed(list(enumerate(self._parts))) for name in part}
        self._whole = False
        self._release_others()

    def around(self, place: int, run: Callable[..., Any]) -> Callable[..., Any]:
        """`run`, of the part at `place`, with its weights there, in its backward too.

        Those of the last part, whose backward begins next, stay until then.
        """

        def gathered(*maps: Any) -> Any:
            self._gather(place)
            made = run(*maps)
            if place < len(self._parts) - 1 and made.requires_grad:
                made.register_hook(lambda _: self._gather(place))
            return made

        return gathered

    def idle_forward(self) -> None:
        """What a rank does while others run their forward, and it has no image: they wait for its weights."""
        for place in range(len(self._parts)):
            self._gather(place)

    def idle_backward(self, take: Callable[[nn.Parameter], None]) -> None:
        """Likewise. `take`: what backward would do with each parameter when its gradient is there."""
        for place in reversed(range(len(self._parts))):
            if place < len(self._parts) - 1:
                self._gather(place)
            for name in self._parts[place]:
                if self._last_user[name] == place:
                    take(self._named[name])

    def release(self, parameter: nn.Parameter) -> None:
        """Nobody needs it any more in this backward."""
        if parameter in self._others and not self._whole:
            if not parameter.untyped_storage().resizable():  # any more: numpy has read it, to write a file
                parameter.data = parameter.data.clone()
            parameter.untyped_storage().resize_(0)

    def _release_others(self, but: Sequence[str] = ()) -> None:
        """Keep of what others own nothing `but` these."""
        for parameter, name in self._others.items():
            if name not in but:
                self.release(parameter)

    @contextlib.contextmanager
    def whole(self) -> Iterator[None]:
        """Inside, every rank has all weights. All ranks open it together."""
        self._fill(tuple(self._named))
        self._whole = True
        try:
            yield
        finally:
            self._whole = False
            self._release_others()

    def _gather(self, place: int) -> None:
        if not self._whole:
            self._release_others(self._parts[place])
            self._fill(self._parts[place])

    def _fill(self, names: Sequence[str]) -> None:
        """From their owners, in one order on all ranks."""
        for parameter in (self._named[name] for name in names):
            if not is_there(parameter):
                parameter.untyped_storage().resize_(parameter.nbytes)
        for rank in range(self._owners.ranks.size):
            own = [self._named[name].data for name in names if self._owners.by_name[name] == rank]
            if own:
                self._owners.ranks.broadcast(own, rank)

"""Gradients that go to the rank that owns their parameter, and weights that come from it after an update: ZeRO.

Rajbhandari et al. 2020, section 5. Whole parameters have owners, so nothing is cut, and a rank has of most of them
neither a gradient after its sum nor anything to remember.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor, nn

from fullfield.distribution.owners import Owners
from fullfield.distribution.team import Team
from fullfield.techniques.build import Build


class ToOwners:
    """Gradients that are summed over `team`, each on its owner alone, one by one while backward goes on. Others let go
    of them.

    What an owner has of earlier images of the batch is part of the sum. `order`: the parameters with their owners, as
    backward has them; `update`: what an owner does then.
    """

    def __init__(
        self,
        team: Team,
        order: Sequence[tuple[nn.Parameter, int]],
        *,
        update: Callable[[nn.Parameter], None] | None = None,
    ) -> None:
        self._team, self._order, self._update = team, tuple(order), update
        self.begin()

    def begin(self) -> None:
        """A step begins: no gradient is there."""
        self._there: set[nn.Parameter] = set()
        self._next = 0

    def open(self) -> None:
        """The backward that follows is the last of this step. Sums are made in each, for gradients must not stay."""

    def take(self, parameter: nn.Parameter) -> None:
        """Backward is through with it; its gradient is sent as soon as those before it are. None counts as zero."""
        self._there.add(parameter)
        while self._next < len(self._order) and self._order[self._next][0] in self._there:
            self._pass()

    def finish(self, *, last: bool) -> None:
        """A backward is over, or there was none: what has no gradient here may have one on another rank."""
        while self._next < len(self._order):
            self._pass()
        self.begin()

    def _pass(self) -> None:
        parameter, owner = self._order[self._next]
        self._next += 1
        gradient = parameter.grad
        if gradient is None:
            gradient = torch.zeros_like(parameter)
        elif gradient.stride() != parameter.stride():
            gradient = torch.empty_like(parameter).copy_(gradient)
        self._team.reduce(gradient, owner)
        parameter.grad = gradient if owner == self._team.rank else None
        if owner == self._team.rank and self._update is not None:
            self._update(parameter)


def send_weights(owners: Owners, named: Mapping[str, nn.Parameter]) -> None:
    """Every rank gets from their owners the weights that these have changed."""
    for rank in range(owners.ranks.size):
        own = [parameter for name, parameter in named.items() if owners.by_name[name] == rank]
        if own:
            owners.ranks.broadcast(own, rank)


def counted(build: Build) -> list[Tensor]:
    """What forwards count, BatchNorm's statistics, where ranks find other last bits of it than one another and have it
    from the first of them; nothing where they are alike, or a buffer is its owner's alone."""
    if build.ranks.alike:
        return []
    alone = build.owners.weights if build.owners is not None else frozenset()
    buffers = build.network.named_buffers()
    return [one for name, one in buffers if one.is_floating_point() and name not in alone]

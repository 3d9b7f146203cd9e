"""What ranks that train on different images put together: gradients of weights, and BatchNorm's running statistics.

Every rank has all weights. A rank's loss is weighed by its images (`train.step`), so gradients need only be summed:
with uneven shares, too, and where a rank has no image at all. Sums are made in one order on every rank, that of the
network's tensors from its end to its beginning, in which backward has them: never in the order in which hooks are
called, for ranks that disagree about it would sum what does not belong together. Goyal et al. 2017, section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import torch
from torch import Tensor, nn

from fullfield.distribution.team import Team
from fullfield.techniques.data_parallel import BUCKET_BYTES


def sum_gradients(team: Team, parameters: Iterable[nn.Parameter]) -> None:
    """Sum the gradients of `parameters` over the ranks, in place; one that a rank has not counts as zero.

    All ranks name the same ones.
    """
    if team.size == 1:
        return
    waiting: list[nn.Parameter] = []
    size = 0
    for parameter in parameters:
        waiting.append(parameter)
        size += parameter.nbytes
        if size >= BUCKET_BYTES:
            _sum(team, waiting)
            waiting, size = [], 0
    _sum(team, waiting)


def _sum(team: Team, parameters: Sequence[nn.Parameter]) -> None:
    gradients = []
    for parameter in parameters:
        gradients.append(torch.zeros_like(parameter) if parameter.grad is None else parameter.grad)
        parameter.grad = None  # the sum takes its place, and does not lie beside it
    for parameter, total in zip(parameters, team.sum(gradients), strict=True):
        parameter.grad = total


class InOrder:
    """Gradients that are summed one by one while backward goes on, for updates inside it.

    `updates`: what is done with each, in the order of sums.
    """

    def __init__(self, team: Team, order: Sequence[nn.Parameter], update: Callable[[nn.Parameter], None]) -> None:
        self._team, self._order, self._update = team, tuple(order), update
        self._there: set[nn.Parameter] = set()
        self._next = 0

    def take(self, parameter: nn.Parameter) -> None:
        """Its gradient is there; it is summed as soon as those before it are. A rank that is alone waits for none."""
        if self._team.size == 1:
            self._update(parameter)
            return
        self._there.add(parameter)
        while self._next < len(self._order) and self._order[self._next] in self._there:
            self._pass()

    def finish(self) -> None:
        """Backward is over, or there was none: what has no gradient here may have one on another rank."""
        while self._team.size > 1 and self._next < len(self._order):
            self._pass()
        self._there.clear()
        self._next = 0

    def _pass(self) -> None:
        parameter = self._order[self._next]
        self._next += 1
        _sum(self._team, [parameter])
        self._update(parameter)


class Statistics:
    """BatchNorm's running statistics as they would be had one process seen the images of all ranks in a step.

    Ranks begin a step with equal ones, r. Of its images a rank makes r' = (1 − m)·r + m·b, with its own mean or
    variance b and momentum m; over all images the mean is that of means, weighed by images, and the variance that of
    variances and the spread of means about their mean (Chan, Golub, LeVeque 1983): spread of r' / m.
    """

    def __init__(self, team: Team, network: nn.Module) -> None:
        self._team = team
        self._norms = [one for one in network.modules() if isinstance(one, nn.BatchNorm2d)]
        self._sizes = [one.num_features for one in self._norms]
        momenta = torch.tensor([one.momentum for one in self._norms], dtype=torch.float64)
        self._momentum = momenta.repeat_interleave(torch.tensor(self._sizes))

    def merge(self, share: float) -> None:
        """Of a step in which this rank had `share` of all images, 0 … 1."""
        means, variances = self._flat("running_mean"), self._flat("running_var")
        (mean,) = self._team.sum([share * means])
        apart = means - mean
        (variance,) = self._team.sum([share * (variances + apart.square() / self._momentum.to(apart.device))])
        self._leave("running_mean", mean)
        self._leave("running_var", variance)

    def _flat(self, name: str) -> Tensor:
        return torch.cat([getattr(one, name) for one in self._norms]).double()

    def _leave(self, name: str, flat: Tensor) -> None:
        for one, part in zip(self._norms, torch.split(flat, self._sizes), strict=True):
            getattr(one, name).copy_(part)

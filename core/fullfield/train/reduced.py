"""What ranks that train on different images put together: gradients of weights, and BatchNorm's running statistics.

Every rank has all weights. A rank's loss is weighed by its images (`train.step`), so gradients need only be summed:
with uneven shares, too, and where a rank has no image at all. They travel in buckets while backward goes on (Li et al.
2020, section 3.2), in one order on every rank, that of the network's tensors from its end to its beginning, in which
backward has them: never in the order in which hooks are called, for ranks that disagree about it would sum what does
not belong together. Goyal et al. 2017, section 3.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from fullfield.distribution import buckets
from fullfield.distribution.compressed import Summing
from fullfield.distribution.team import Later, Team


class Reduced:
    """Gradients summed over the ranks, in place, in the order of `parameters`; one that a rank has not counts as zero.

    All ranks name the same ones. The sum of a bucket begins as soon as its gradients, and the buckets before it, are
    there: in the backward that `open` is called before, else in `finish`. `update`: what is done with each parameter as
    soon as its gradient is summed; then the sum of a bucket is waited for when the next gradient is there, so that they
    do not pile up. `summing`: how a bucket is summed, where not as it is. A rank that is alone waits for
    nothing.
    """

    def __init__(
        self,
        team: Team,
        parameters: Sequence[nn.Parameter],
        *,
        update: Callable[[nn.Parameter], None] | None = None,
        summing: Summing | None = None,
    ) -> None:
        self._team, self._update = team, update
        self._summing = summing or (lambda _, gradients: team.sum_later(gradients))
        order = list(parameters)
        places = buckets.divided([one.nbytes for one in order])
        self._buckets = [[order[place] for place in bucket] for bucket in places]
        self._bucket = {one: number for number, bucket in enumerate(self._buckets) for one in bucket}
        self._going: deque[tuple[Sequence[nn.Parameter], Later]] = deque()
        self.begin()

    def begin(self) -> None:
        """A step begins: no gradient is there."""
        self._missing = [set(bucket) for bucket in self._buckets]
        self._next, self._open = 0, False
        self._going.clear()

    def open(self) -> None:
        """The backward that follows is the last of this step, so what it leaves is whole."""
        self._open = True

    def take(self, parameter: nn.Parameter) -> None:
        """Backward has left a gradient. Raises RuntimeError for one that comes after its sum has begun."""
        if self._team.size == 1:
            if self._update is not None:
                self._update(parameter)
            return
        if not self._open:
            return
        self._let_through()
        number = self._bucket[parameter]
        if number < self._next:
            raise RuntimeError("a gradient came after its sum had begun")
        self._missing[number].discard(parameter)
        while self._next < len(self._buckets) and not self._missing[self._next]:
            self._send()

    def finish(self, *, last: bool = True) -> None:
        """Backward is over, or there was none: what has no gradient here may have one on another rank. `last`: of this
        step; after others nothing is summed yet."""
        while last and self._team.size > 1 and self._next < len(self._buckets):
            self._send()
        while self._going:
            self._receive()

    def _let_through(self) -> None:
        """Gradients that are freed after their update must not accumulate."""
        while self._update is not None and self._going:
            self._receive()

    def _send(self) -> None:
        self._let_through()
        bucket = self._buckets[self._next]
        self._next += 1
        gradients = []
        for parameter in bucket:
            gradients.append(torch.zeros_like(parameter) if parameter.grad is None else parameter.grad)
            parameter.grad = None  # the sum takes its place, and does not lie beside it
        self._going.append((bucket, self._summing(bucket, gradients)))

    def _receive(self) -> None:
        bucket, later = self._going.popleft()
        for parameter, total in zip(bucket, later(), strict=True):
            if total.stride() != parameter.stride():  # messages have none; a fused optimizer looks at memory alone
                total = torch.empty_like(parameter).copy_(total)
            parameter.grad = total
            if self._update is not None:
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

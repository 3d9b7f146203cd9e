"""Gradients that ranks sum in fewer bytes than they have; every rank gets the same bits.

`Cast` sums them in another format of numbers. The others send a part of what they have, and add what they left over to
the gradient of the next step (error feedback: Seide et al. 2014, section 3; Karimireddy et al. 2019), so that the sum
over many steps is right: what ranks have been given, and what they still remember, is together all that they had. They
compress tensors of several dimensions; those of one, a thousandth of all bytes, are summed as they are.

`Int8` and `TopK` gather what others send, for what they send cannot be added up on the way. A rank of N
sends c·(N − 1) bytes for each number of c bytes, and for a number of 4 bytes that is summed on the way 8·(N − 1)/N.

What is left over is of each rank, and in no checkpoint. What is not finite is not kept, and of a step that is skipped
what it sent is lost with its gradient.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn

from fullfield.distribution.team import Later, Team

Summing = Callable[[Sequence[nn.Parameter], "list[Tensor]"], Later]
"""Begins the sums over the ranks of these parameters' gradients, which it uses up."""


class Cast:
    """Sums of numbers in `dtype`. What is too small for it is zero, what is too large is not finite."""

    def __init__(self, team: Team, dtype: torch.dtype) -> None:
        self._team, self._dtype = team, dtype

    def __call__(self, parameters: Sequence[nn.Parameter], gradients: list[Tensor]) -> Later:
        """See `Summing`."""
        later = self._team.sum_later([one.to(self._dtype) for one in gradients])
        return lambda: [one.to(parameter.dtype) for one, parameter in zip(later(), parameters, strict=True)]


class _Remembering(ABC):
    """What all have that leave something over."""

    def __init__(self, team: Team) -> None:
        self._team = team
        self._errors: dict[nn.Parameter, Tensor] = {}

    def __call__(self, parameters: Sequence[nn.Parameter], gradients: list[Tensor]) -> Later:
        """See `Summing`."""
        picked = [self._saves(one) for one in parameters]
        pairs = list(zip(parameters, gradients, picked, strict=True))
        whole = self._team.sum_later([gradient for _, gradient, pick in pairs if not pick])
        chosen = [parameter for parameter, _, pick in pairs if pick]
        wanted = [self._with_error(parameter, gradient) for parameter, gradient, pick in pairs if pick]
        later = self._begin(chosen, wanted) if chosen else list

        def wait() -> list[Tensor]:
            as_they_are, others = iter(whole()), iter(later())
            return [next(others) if pick else next(as_they_are) for pick in picked]

        return wait

    def _saves(self, parameter: nn.Parameter) -> bool:
        return parameter.dim() > 1

    def _with_error(self, parameter: nn.Parameter, gradient: Tensor) -> Tensor:
        if parameter not in self._errors:
            self._errors[parameter] = torch.zeros_like(parameter)
        return gradient + self._errors[parameter]

    def _leave(self, parameter: nn.Parameter, left: Tensor) -> None:
        """What is to be added in the next step."""
        _replace(self._errors[parameter], left.view(parameter.shape))

    @abstractmethod
    def _begin(self, parameters: list[nn.Parameter], wanted: list[Tensor]) -> Later:
        """Send of `wanted` what can be, and leave the rest."""


class Int8(_Remembering):
    """Integers of -127 … 127 by a step for each tensor and rank, its largest number by 127. Rounded to the nearest, for
    what is rounded away comes back."""

    def _begin(self, parameters: list[nn.Parameter], wanted: list[Tensor]) -> Later:
        flat = [one.reshape(-1) for one in wanted]
        steps = torch.stack([one.abs().amax() for one in flat]) / 127
        steps += steps == 0  # of a tensor of zeros
        numbers = [(one / step).round_().to(torch.int8) for one, step in zip(flat, steps, strict=True)]
        for parameter, one, number, step in zip(parameters, flat, numbers, steps, strict=True):
            self._leave(parameter, one - number * step)
        later = self._team.gather_later(torch.cat([steps.view(torch.int8), *numbers]))

        def wait() -> list[Tensor]:
            totals = [torch.zeros_like(parameter, memory_format=torch.contiguous_format) for parameter in parameters]
            for message in later():  # in the order of ranks
                head, *parts = torch.split(message, [steps.nbytes, *(one.numel() for one in totals)])
                for total, part, step in zip(totals, parts, head.view(steps.dtype), strict=True):
                    total.view(-1).add_(part * step)
            return totals

        return wait


class TopK(_Remembering):
    """The `share` of each tensor's numbers that are largest, with their places: Lin et al. 2018; Stich et al. 2018."""

    def __init__(self, team: Team, share: float) -> None:
        super().__init__(team)
        self._share = share

    def _begin(self, parameters: list[nn.Parameter], wanted: list[Tensor]) -> Later:
        values, places = [], []
        for parameter, one in zip(parameters, wanted, strict=True):
            flat = one.reshape(-1)
            place = flat.abs().topk(max(1, round(self._share * flat.numel())), sorted=False).indices
            values.append(flat[place])
            places.append(place.int())
            self._leave(parameter, flat.index_fill(0, place, 0.0))
        counts = [len(one) for one in values]
        sent = torch.cat(values)
        later = self._team.gather_later(torch.cat([sent.view(torch.uint8), torch.cat(places).view(torch.uint8)]))

        def wait() -> list[Tensor]:
            totals = [torch.zeros_like(parameter, memory_format=torch.contiguous_format) for parameter in parameters]
            for message in later():  # in the order of ranks
                values, places = message[: sent.nbytes].view(sent.dtype), message[sent.nbytes :].view(torch.int32)
                for total, value, place in zip(
                    totals, torch.split(values, counts), torch.split(places, counts), strict=True
                ):
                    total.view(-1).index_add_(0, place, value)  # no place is named twice
            return totals

        return wait


class LowRank(_Remembering):
    """PowerSGD (Vogels, Karimireddy, Jaggi 2019, algorithm 1): a gradient as the matrix P·Qᵀ of `rank` columns, by one
    step of subspace iteration a training step, which begins with the Q of the step before. Two sums, the second of them
    when the first is waited for.

    A tensor that this would not halve is summed as it is. Ranks compute P·Qᵀ each by itself, and so with the same bits
    on computers of one kind.
    """

    def __init__(self, team: Team, rank: int) -> None:
        super().__init__(team)
        self._rank = rank
        self._q: dict[nn.Parameter, Tensor] = {}

    def _saves(self, parameter: nn.Parameter) -> bool:
        rows = len(parameter) if parameter.dim() > 1 else 1
        return rows > 1 and 2 * self._rank * (rows + parameter.numel() // rows) <= parameter.numel()

    def _begin(self, parameters: list[nn.Parameter], wanted: list[Tensor]) -> Later:
        matrices = [one.reshape(len(one), -1) for one in wanted]
        later = self._team.sum_later(
            [matrix @ self._last(parameter, matrix) for parameter, matrix in zip(parameters, matrices, strict=True)]
        )

        def wait() -> list[Tensor]:
            lefts = [torch.linalg.qr(one).Q for one in later()]
            rights = [matrix.T @ left for matrix, left in zip(matrices, lefts, strict=True)]
            for parameter, matrix, left, right in zip(parameters, matrices, lefts, rights, strict=True):
                self._leave(parameter, matrix - left @ right.T)
            sums = self._team.sum(rights)
            for parameter, right in zip(parameters, sums, strict=True):
                _replace(self._q[parameter], right)
            whole = zip(parameters, lefts, sums, strict=True)
            return [(left @ right.T).view(parameter.shape) for parameter, left, right in whole]

        return wait

    def _last(self, parameter: nn.Parameter, matrix: Tensor) -> Tensor:
        """Q of the step before; of the first one by chance, and by the same on all ranks."""
        if parameter not in self._q:
            chance = torch.Generator().manual_seed(len(self._q))
            start = torch.randn(matrix.shape[1], self._rank, generator=chance, dtype=torch.float64)
            self._q[parameter] = start.to(matrix)
        return self._q[parameter]


def _replace(kept: Tensor, found: Tensor) -> None:
    """Keep `found`, unless it is not finite. Asks no card to say which."""
    kept.copy_(torch.where(found.isfinite().all(), found, kept))

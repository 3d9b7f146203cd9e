"""How long ranks need for sums, measured when they have met: of a number, and of a message as large as gradients are.

Other ranks take part in each sum, so all make as many: after each round they agree whether there is time for another.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fullfield.distribution.team import Team
from fullfield.distribution.traffic import Traffic

if TYPE_CHECKING:
    import torch

ROUNDS, SUMS = 10, 10  # of a number; one of a round is what ranks agree by
LARGE_ROUNDS = 5
BYTES = 4 << 20
LONGEST_SECONDS = 0.2  # of each of the two


@dataclass(frozen=True, kw_only=True)
class Ping:
    """Seconds of a sum over all ranks: of one number, and of `BYTES`."""

    small: float
    large: float


def measured(team: Team, device: torch.device) -> Ping:
    """The medians of all rounds, with tensors of `device`, on which the team talks. The first sums connect the ranks,
    and are not counted; nor is any of it traffic of a training. Every rank has the same figures."""
    import torch

    counted, team.traffic = team.traffic, Traffic(timed=team.traffic.timed)
    number, message = torch.zeros(1, device=device), torch.zeros(BYTES // 4, device=device)
    try:
        for one in (number, message):
            team.sum([one])
        team.agree([0.0])
        small = _median(team, number, ROUNDS, SUMS - 1) / SUMS
        large = _median(team, message, LARGE_ROUNDS, 1) - small
    finally:
        team.traffic = counted
    small, large = (one / team.size for one in team.agree([small, large]))
    return Ping(small=small, large=max(large, small))


def _median(team: Team, tensor: torch.Tensor, most: int, sums: int) -> float:
    """Seconds of a round: so many sums of the tensor, and one by which ranks agree, when all of it has been done."""
    spent: list[float] = []
    start = time.perf_counter()
    while len(spent) < most:
        began = time.perf_counter()
        for _ in range(sums):
            (tensor,) = team.sum([tensor])
        together = team.agree([time.perf_counter() - start])[0]
        spent.append(time.perf_counter() - began)
        if together / team.size > LONGEST_SECONDS:
            break
    return statistics.median(spent)

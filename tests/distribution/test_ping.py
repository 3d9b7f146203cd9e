"""What is between ranks is measured by sums that all of them make, equally often."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor

from fullfield.distribution import ping
from fullfield.distribution.team import Team
from fullfield.hardware import links
from fullfield.hardware.links import Link
from fullfield.protocol.plan import MEASURED
from teams import together

CPU = torch.device("cpu")


class Played(Team):
    """A rank whose others do the same at the same time, over a link that takes its time by a clock of its own."""

    def __init__(self, link: Link) -> None:
        super().__init__(0, 4)
        self.link, self.now, self.large = link, 0.0, 0

    def sum(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """See Team."""
        self._take(tensors[0].nbytes)
        self.large += tensors[0].nbytes == ping.BYTES
        return list(tensors)

    def agree(self, numbers: Sequence[float]) -> list[float]:
        """See Team."""
        self._take(0)
        return [4 * number for number in numbers]

    def _take(self, size: int) -> None:
        self.now += self.link.time(passed=0, messages=0, shared=size, collectives=1, ranks=4)


@pytest.mark.parametrize(("seconds", "rate", "sums"), [(50e-6, 1e9, 5), (0.05, 1e6, 1)])
def test_that_latency_and_bandwidth_are_found_and_a_slow_link_is_not_asked_often(
    monkeypatch: pytest.MonkeyPatch, seconds: float, rate: float, sums: int
) -> None:
    team = Played(Link(name="played", seconds=seconds, bytes_per_second=rate))
    monkeypatch.setattr(ping.time, "perf_counter", lambda: team.now)
    found = ping.measured(team, CPU)
    link = links.of_sums(found.small, found.large, ping.BYTES, 4)
    assert link.source == MEASURED
    assert link.seconds == pytest.approx(seconds, rel=0.01) and link.bytes_per_second == pytest.approx(rate, rel=0.01)
    assert team.large == 1 + sums, "the first connects, and is not counted"


def test_that_ranks_that_wait_for_one_another_have_the_same_figures_and_none_of_it_is_traffic() -> None:
    every = together(2, lambda team: (ping.measured(team, CPU), team.traffic.shared, team.traffic.collectives))
    (found, *said), other = every
    assert every[0] == other and said == [0, 0]
    assert 0 < found.small <= found.large

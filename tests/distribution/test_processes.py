"""Ranks that are processes say the same to one another as ranks that are threads."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from fleets import fleet
from fullfield.distribution.processes import SMALL_BYTES
from fullfield.distribution.team import Team
from teams import together

RANKS = 3


def talk(team: Team) -> dict[str, Any]:
    """All that a team can do. Each rank has numbers of its own."""
    values = torch.arange(12, dtype=torch.float64).view(1, 2, 3, 2) * (team.rank + 1)
    have = [(0, 3), (3, 6), (6, 9)]
    want = [(0, 7), (3, 7), (1, 9)]  # rank 2 also wants of rank 0, whom it is no neighbour of
    first = have[team.rank][0]
    reduced, filled = values.clone(), [values.clone(), torch.full((SMALL_BYTES // 8 + 1,), team.rank + 0.5).double()]
    team.reduce(reduced, 1)
    team.broadcast(filled, 2)
    sums, all_of_them = team.sum_later([values[0, 1] / 3]), team.gather_later(values[0, 0])  # while the others go on
    return {
        "agreed": team.agree([team.rank + 0.1, math.inf if team.rank == 1 else 0.0]),
        "any": (team.any(team.rank == 2), team.any(False)),
        "heights": team.heights([3, 2]),
        "sum": team.sum([values, values[0, 0] / 7]),
        "nothing": team.sum([]),
        "gather": team.gather(values[0, 1]),
        "pull": team.pull(lambda *span: values[:, :, span[0] - first : span[1] - first], have, want),
        "later": (all_of_them(), sums()),
        "reduced": reduced if team.rank == 1 else None,
        "broadcast": filled,
        "whole": passed_on(team, values),
    }


def passed_on(team: Team, values: torch.Tensor) -> list[torch.Tensor]:
    """What the rank before has sent to this one, in that order; all send before any of them takes."""
    after, before = (team.rank + 1) % team.size, (team.rank - 1) % team.size
    leaving = [team.send(one.contiguous(), after) for one in (values[0, 0], values[0, 1], values.float())]
    rooms = [torch.empty(3, 2, dtype=torch.float64), torch.empty(3, 2, dtype=torch.float64), torch.empty(1, 2, 3, 2)]
    for room in rooms:
        team.receive(room, before)
    for left in leaving:
        left()
    return rooms


def with_traffic(team: Any) -> dict[str, Any]:
    return {**talk(team), "traffic": vars(team.traffic)}


@pytest.mark.skipif(sys.platform == "win32", reason="torch has no gloo for Windows that works")
def test_that_processes_say_what_threads_say_and_count_it(tmp_path: Path) -> None:
    found = fleet(RANKS, "distribution.test_processes:with_traffic", tmp_path)
    traffic = [one.pop("traffic") for one in found]
    torch.testing.assert_close(found, together(RANKS, talk), rtol=1e-15, atol=0)
    for one in found[1:]:
        assert all(torch.equal(a, b) for a, b in zip(one["sum"], found[0]["sum"], strict=True))
    row = 2 * 2 * 8
    whole = (2 * 6 + 6) * 8  # twice in eight bytes, once all in four
    assert [one["sent"] - whole for one in traffic] == [2 * row, (3 + 3) * row, (1 + 1) * row]
    assert [one["messages"] - 3 for one in traffic] == [1, 2, 2]
    collectives = 6  # agree, any twice, heights, sum twice; two that gather, one that reduces, two that are broadcast
    assert {one["collectives"] for one in traffic} == {collectives + 2 + 1 + 2}
    of_all, of_one = 8 * (2 + 1 + 1 + 2 * RANKS + 18 + 6 + 6 + 6), 8 * (12 + 12 + 1) + SMALL_BYTES
    assert {one["shared"] for one in traffic} == {of_all + of_one // 2}

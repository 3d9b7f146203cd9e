"""Ranks that are processes say the same to one another as ranks that are threads."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from fleets import fleet
from fullfield.distribution.processes import SMALL_BYTES, Processes
from fullfield.distribution.team import Team
from fullfield.distribution.traffic import Traffic
from fullfield.errors import RankLost
from teams import together

RANKS = 3


def talk(team: Team, device: str = "cpu") -> dict[str, Any]:
    """All that a team can do. Each rank has numbers of its own."""
    values = torch.arange(12, dtype=torch.float64, device=device).view(1, 2, 3, 2) * (team.rank + 1)
    have = [(0, 3), (3, 6), (6, 9)]
    want = [(0, 7), (3, 7), (1, 9)]  # rank 2 also wants of rank 0, whom it is no neighbour of
    first = have[team.rank][0]
    reduced, filled = (
        values.clone(),
        [values.clone(), torch.full((SMALL_BYTES // 8 + 1,), team.rank + 0.5).double().to(device)],
    )
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
    like = values[0, 0]
    rooms = [torch.empty_like(like), torch.empty_like(like), torch.empty_like(values, dtype=torch.float32)]
    for room in rooms:
        team.receive(room, before)
    for left in leaving:
        left()
    return rooms


def on_card(team: Any) -> dict[str, Any]:
    return {name: on_host(one) for name, one in talk(team, "cuda:0").items()}


def on_host(found: Any) -> Any:
    if isinstance(found, list | tuple):
        return type(found)(on_host(one) for one in found)
    return found.cpu() if isinstance(found, torch.Tensor) else found


def alone(team: Any) -> dict[str, Any]:
    """What one rank can say over NCCL, in all kinds of numbers that trainings send."""
    kinds = (torch.float64, torch.float32, torch.bfloat16, torch.uint8, torch.int64)
    found = {str(kind): torch.arange(6, device="cuda:0").to(kind) for kind in kinds}
    for one in found.values():
        team.reduce(one, 0)
        assert torch.equal(*team.gather(one), *team.sum([one]))
    team.broadcast(list(found.values())[:1], 0)
    part = team.grouped([[0]])
    return {**on_host(found), "agreed": [*team.agree([0.1]), *part.agree([0.2])], "nothing": team.exchange({}, {})}


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


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
def test_that_processes_that_share_a_card_say_what_threads_say(tmp_path: Path) -> None:
    found = fleet(RANKS, "distribution.test_processes:on_card", tmp_path, device="cuda:0")
    torch.testing.assert_close(found, together(RANKS, talk), rtol=1e-15, atol=0)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device is here")
def test_that_nccl_takes_all_kinds_of_numbers(tmp_path: Path) -> None:
    (found,) = fleet(1, "distribution.test_processes:alone", tmp_path, device="cuda:0", backend="nccl")
    assert found.pop("agreed") == [0.1, 0.2] and found.pop("nothing") is None
    for one in found.values():
        assert one.tolist() == [0, 1, 2, 3, 4, 5]


def test_that_memory_that_runs_out_in_a_message_is_told_as_that_and_not_as_another_rank_that_has_gone() -> None:
    one = object.__new__(Processes)
    one.traffic = Traffic()
    with pytest.raises(torch.OutOfMemoryError), one._talking():
        raise torch.OutOfMemoryError("CUDA out of memory.")
    with pytest.raises(RuntimeError, match="alloc_cpu"), one._talking():
        raise RuntimeError("[enforce fail at alloc_cpu.cpp:124] DefaultCPUAllocator: can't allocate memory")
    with pytest.raises(RankLost), one._talking():
        raise RuntimeError("Connection closed by peer [127.0.0.1]:1")

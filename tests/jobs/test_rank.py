"""What a rank of a training on several nodes is asked by its agent."""

from __future__ import annotations

import signal
from pathlib import Path

from fullfield.jobs import ranks
from fullfield.jobs.job import Job
from fullfield.jobs.rank import RankContext
from fullfield.protocol.fleets import Fleet


def context(folder: Path) -> RankContext:
    fleet = Fleet(names=("a", "b"), number=0, least=1, most=2, interface="lo", key="k")
    return RankContext(folder, rank=0, world=2, job=Job(kind="train", fleet=fleet))


def test_that_a_node_that_comes_while_the_model_is_exported_does_not_spoil_the_end(tmp_path: Path) -> None:
    one = context(tmp_path)
    assert not (tmp_path / ranks.TRAINED).exists()
    assert not one.is_to_regroup(), "it has trained to its end"
    assert (tmp_path / ranks.TRAINED).exists(), "the agent is told"
    one.ask_to_stop(signal.SIGTERM, None)
    assert not one.stopping() and one.reason() == "completed"


def test_that_a_rank_that_is_asked_while_it_trains_makes_room(tmp_path: Path) -> None:
    one = context(tmp_path)
    one.ask_to_stop(signal.SIGTERM, None)
    assert one.stopping() and one.is_to_regroup() and not (tmp_path / ranks.TRAINED).exists()

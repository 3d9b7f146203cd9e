"""What ranks must have alike wherever they are: settings by their number, and the checkpoint that the first finds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from fullfield.distribution import meet
from fullfield.distribution.team import Team
from fullfield.errors import ModelError, RankLost
from fullfield.plan import spec as specs
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.events import Notice
from fullfield.train import shared
from fullfield.train.checkpoint import Store
from fullfield.train.checkpoint_file import Checkpoint
from teams import Member, outcome, together
from train.ranks import RankContext

CPU = torch.device("cpu")
OF_ALL = ("banded_loss", "data_parallel:batch_norm=joint")
SPEC = TrainSpec(data="here", batch=4, techniques=OF_ALL)


@pytest.mark.parametrize(
    ("techniques", "ranks", "worlds", "found"),
    [
        (OF_ALL, 1, (1,), OF_ALL),  # alone from the beginning, it is told that there is nobody to share with
        (OF_ALL, 1, (1, 2), ("banded_loss",)),
        (OF_ALL, 1, (4, 1), ("banded_loss",)),
        (OF_ALL, 2, (1, 2), OF_ALL),
        (("banded_loss",), 2, (2,), ("banded_loss", "data_parallel")),
        (("banded_loss",), 1, (1, 2), ("banded_loss",)),
    ],
)
def test_that_techniques_are_those_of_so_many_ranks(
    techniques: tuple[str, ...], ranks: int, worlds: tuple[int, ...], found: tuple[str, ...], tmp_path: Path
) -> None:
    context = RankContext(tmp_path, Team(0, ranks))
    context.worlds = worlds
    asked = replace(SPEC, techniques=techniques)
    assert shared.of_ranks(asked, ranks, context) == replace(asked, techniques=found)
    assert shared.divided(asked, context, Team(0, ranks)).techniques == found
    added = set(found) - set(techniques)
    assert [one.text for one in context.reported(Notice)] == [
        "2 processes share the images of every batch (data_parallel)." for _ in added
    ]


@pytest.mark.parametrize(
    ("techniques", "batch", "found"),
    [
        (("spatial", "zero:level=1", "banded_loss"), 4, ("banded_loss",)),
        (("model_parallel", "banded_loss"), 4, ("banded_loss", "accumulate")),
        (("model_parallel", "banded_loss"), 1, ("banded_loss",)),
    ],
)
def test_that_one_process_goes_on_with_what_several_have_shared_and_says_so(
    techniques: tuple[str, ...], batch: int, found: tuple[str, ...], tmp_path: Path
) -> None:
    context, asked = RankContext(tmp_path, Team()), replace(SPEC, batch=batch, techniques=techniques)
    assert shared.divided(asked, context, Team()) == asked, "what begins is refused: there is nobody to share with"
    saved(tmp_path, 1)
    going_on = shared.divided(asked, context, Team())
    assert going_on == replace(asked, techniques=found) and specs.differences(going_on, asked) == []
    (notice,) = context.reported(Notice)
    left_out = ", ".join(text for text in asked.techniques if text not in found)
    assert notice.text == f"One process goes on, without what several shared their work by: {left_out}."


def test_that_every_other_number_that_there_may_be_has_its_own(tmp_path: Path) -> None:
    context = RankContext(tmp_path, Team(0, 2))
    context.worlds = (1, 2, 4)
    asked = replace(SPEC, techniques=("banded_loss",))
    others = shared.others(asked, context, Team(0, 2))
    assert {ranks: spec.techniques for ranks, spec in others.items()} == {
        1: ("banded_loss",),
        4: ("banded_loss", "data_parallel"),
    }


@pytest.mark.parametrize(("here", "computers"), [(4, 1), (2, 2), (1, 4), (8, 1)])
def test_that_ranks_of_several_computers_are_counted_as_such(
    here: int, computers: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[tuple[int, int]] = []

    def techniques(spec: TrainSpec, ranks: int, computers: int) -> tuple[str, ...]:
        asked.append((ranks, computers))
        return OF_ALL

    monkeypatch.setattr(meet, "here", lambda ranks: here)
    monkeypatch.setattr(shared.specs, "shared", techniques)
    shared.of_ranks(SPEC, 4, RankContext(tmp_path, Team(0, 4)))
    assert asked == [(4, computers)]


def test_that_settings_are_those_that_the_first_has_decided_and_data_where_each_has_them() -> None:
    def rank(team: Member) -> TrainSpec:
        own = replace(SPEC, data=f"of {team.rank}", seed=team.rank)
        return shared.settings(own, team, lambda: replace(own, weights="none", data="of nobody"))

    first, second = together(2, rank)
    assert first == replace(SPEC, data="of 0", seed=0, weights="none")
    assert second == replace(first, data="of 1")


def saved(run: Path, *steps: int) -> None:
    with Store(run) as store:
        store.latest()
        for step in steps:
            store.save(step, {"network.weight": torch.full((3,), float(step))}, {"progress": {"step": step}})


def found(folder: Callable[[int], Path], ranks: int = 2) -> list[Checkpoint | Exception | None]:
    """What each rank finds in its folder, of which each may have its own."""

    def rank(team: Member) -> Checkpoint | Exception | None:
        with Store(folder(team.rank), writes=team.writes) as store:
            return outcome(lambda: shared.newest(store, team, CPU))

    return together(ranks, rank)


def test_that_all_ranks_of_a_computer_read_the_newest_that_the_first_finds_whole(tmp_path: Path) -> None:
    saved(tmp_path, 1, 2)
    (tmp_path / "checkpoints" / "step-000000002.safetensors").write_bytes(b"cut")
    for each in found(lambda rank: tmp_path):
        assert isinstance(each, Checkpoint)
        assert each.fields == {"progress": {"step": 1}}
        assert each.tensors["network.weight"].tolist() == [1.0] * 3
        assert [text.partition(" is damaged")[0] for text in each.notices] == ["The checkpoint of step 2"]


def test_that_where_none_was_saved_no_rank_finds_one(tmp_path: Path) -> None:
    assert found(lambda rank: tmp_path) == [None, None]


def test_that_where_the_first_finds_all_damaged_the_others_hear_of_it(tmp_path: Path) -> None:
    saved(tmp_path, 1)
    (tmp_path / "checkpoints" / "step-000000001.safetensors").write_bytes(b"cut")
    first, second = found(lambda rank: tmp_path)
    assert isinstance(first, ModelError) and isinstance(second, RankLost)


@pytest.mark.parametrize("place", [0, 1])
def test_that_another_computer_is_handed_it_and_its_first_rank_keeps_no_older_one(
    place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`place`: of the second rank on its computer."""
    monkeypatch.setattr(meet, "place_here", lambda rank: place if rank else 0)
    saved(tmp_path / "0", 3, 4)
    old = tmp_path / "1" / "checkpoints" / "step-000000002.safetensors"
    if place:
        old.parent.mkdir(parents=True)
        content = (tmp_path / "0/checkpoints/step-000000004.safetensors").read_bytes()
        (old.parent / "step-000000004.safetensors").write_bytes(content)  # as the first one there has left it
        old.write_bytes(b"old")
    else:
        saved(tmp_path / "1", 2)
    first, second = found(lambda rank: tmp_path / str(rank))
    assert isinstance(first, Checkpoint) and isinstance(second, Checkpoint)
    assert first.fields == second.fields == {"progress": {"step": 4}}
    hashes = [
        hashlib.sha256((tmp_path / f"{rank}/checkpoints/step-000000004.safetensors").read_bytes()).hexdigest()
        for rank in range(2)
    ]
    assert hashes[0] == hashes[1] and old.exists() is bool(place)
    assert (tmp_path / "0/checkpoints/step-000000003.safetensors").exists(), "its list names it"


def test_that_one_that_is_alone_finds_its_own(tmp_path: Path) -> None:
    saved(tmp_path, 5)
    with Store(tmp_path) as store:
        alone = shared.newest(store, Team(), CPU)
    assert alone is not None and alone.fields == {"progress": {"step": 5}} and alone.notices == ()

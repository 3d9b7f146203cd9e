"""Which rung a training is run by, one after another, and who is told: with nothing trained."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fullfield.checked import Fields
from fullfield.distribution.team import Team
from fullfield.errors import OutOfMemory
from fullfield.hardware.links import Link
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.events import Notice, PhaseStarted, RungTaken
from fullfield.protocol.rank_events import RankStarted
from fullfield.protocol.training import from_json
from fullfield.train import job
from fullfield.train.fit import Rung
from training import FakeContext

SPEC = TrainSpec(data="-", encoder="resnet18", device="cpu", weights="none", fit="auto", threads=1)
RUNGS = [Rung(spec=replace(SPEC, techniques=names)) for names in ((), ("banded_loss",), ("banded_loss", "recompute"))]
LOST = OutOfMemory("The last process ended.", detail="Most often that is want of memory.", hint="Choose less.")


class Watched(FakeContext):
    """Counts in how many processes the job was begun anew."""

    anew, regrouping = 0, False

    def begin_anew(self) -> None:
        """See Context."""
        self.anew += 1

    def is_to_regroup(self) -> bool:
        """See Context."""
        return self.regrouping


class Training:
    """A training of which each part is a note in `done`. `fails`: in so many of its loops memory runs out."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        self.done: list[object] = []
        self.kept: list[list[Rung]] = []
        self.context = Watched(folder)
        self.rungs = RUNGS[:2]
        self.lost: OutOfMemory | None = None
        self.fails = 0
        self.marked: list[tuple[Any, ...]] = []
        self.results: list[tuple[Any, ...]] = []
        self.others: dict[int, TrainSpec] = {}
        given: dict[str, Any] = {
            "_with_weights": lambda spec, *_, **__: spec,
            "_baselines": lambda *_, **__: (),
            "_state": self._state,
            "_results": lambda *given: self.results.append(given) or {"best": None},
            "_left": lambda spec, whole, context: {"by": spec.techniques, **whole},
            "_steps_left": lambda *_: 42,
            "Loop": lambda run: SimpleNamespace(run=lambda: self._loop(run)),
        }
        for name, value in given.items():
            patch.setattr(job, name, value)
        parts = SimpleNamespace(training=(1, 2, 3), validation=())
        patch.setattr(job.images, "prepared", lambda *_, **__: SimpleNamespace())
        patch.setattr(job.build, "parts", lambda *_, **__: parts)
        patch.setattr(job.result, "save_split", lambda *_, **__: None)
        patch.setattr(job.data_report, "tell", lambda *_, **__: None)
        patch.setattr(job.fit, "rungs", self._rungs)
        patch.setattr(job.fit, "keep", lambda asked, left, folder, ranks: self.kept.append([*left]))
        patch.setattr(job.crash_marker, "lost", lambda *given: self.marked.append(given) or self.lost)
        patch.setattr(job.crash_marker, "noted", self._noted)
        patch.setattr(job.devices, "free_cached", lambda: self.done.append("freed"))

    def run(self, team: Team = Team()) -> Fields:  # noqa: B008
        return job.train(SPEC, self.context, team)

    def _rungs(self, *_: object, training: int, others: dict[int, TrainSpec], **__: object) -> list[Rung]:
        assert training == 3
        self.others = others
        return [*self.rungs]

    def _state(self, spec: TrainSpec, *_: object) -> Any:
        self.done.append(spec.techniques)
        return SimpleNamespace(update=SimpleNamespace(close=lambda: self.done.append("closed")))

    @contextlib.contextmanager
    def _noted(self, asked: TrainSpec, *_: object) -> Iterator[None]:
        assert asked == SPEC
        yield

    def _loop(self, run: Any) -> None:
        self.done.append("looped")
        if self.fails:
            self.fails -= 1
            raise OutOfMemory("The training ran out of memory.", detail="It needs more.")


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Training:
    return Training(monkeypatch, tmp_path / "run")


def test_that_it_is_run_by_the_first_rung_where_memory_is_enough(training: Training) -> None:
    assert training.run() == {"by": (), "best": None}
    assert training.done == [(), "looped", "closed"] and training.context.accepted
    assert [(one.name, one.total) for one in training.context.reported(PhaseStarted)] == [("Training", 42)]
    assert training.kept == [] and training.context.anew == 0
    ((asked, folder, _),) = training.marked
    assert (asked, folder) == (SPEC, training.context.folder)
    ((settings, data, *_),) = training.results
    assert settings == RUNGS[0].spec and isinstance(data, SimpleNamespace)


def test_that_the_next_rung_is_taken_noted_and_told_each_time_that_memory_runs_out(training: Training) -> None:
    training.rungs, training.fails = RUNGS, 2
    assert training.run()["by"] == ("banded_loss", "recompute")
    assert training.done == [
        *[(), "looped", "closed", "freed"],
        *[("banded_loss",), "looped", "closed", "freed"],
        *[("banded_loss", "recompute"), "looped", "closed"],
    ]
    assert training.kept == [RUNGS[1:], RUNGS[2:]] and training.context.anew == 2
    told = training.context.reported(RungTaken)
    assert [(one.techniques, one.left, one.died) for one in told] == [
        (["banded_loss"], 1, False),
        (["banded_loss", "recompute"], 0, False),
    ]
    assert training.context.reported(Notice) == [Notice(text=one.text, level="warning") for one in told]


def test_that_memory_that_runs_out_on_the_last_rung_ends_it(training: Training) -> None:
    training.fails = 2
    with pytest.raises(OutOfMemory):
        training.run()
    assert [one.left for one in training.context.reported(RungTaken)] == [0]


def test_that_of_several_ranks_none_takes_another_rung_for_the_others_wait(training: Training) -> None:
    training.fails = 1
    with pytest.raises(OutOfMemory):
        training.run(Team(0, 2))
    assert training.kept == [] and not training.context.reported(RungTaken)


def test_that_a_process_that_died_is_taken_for_one_without_memory(training: Training) -> None:
    training.lost = LOST
    assert training.run()["by"] == ("banded_loss",)
    (told,) = training.context.reported(RungTaken)
    assert told.died and told.step == 0 and told.text.startswith("The last process ended. Most often")
    assert training.kept == [RUNGS[1:2]] and training.context.anew == 0


def test_that_where_no_rung_is_left_for_a_process_that_died_it_is_said_and_tried_again(training: Training) -> None:
    training.lost, training.rungs = LOST, RUNGS[:1]
    assert training.run()["by"] == ()
    (said,) = training.context.reported(Notice)
    assert said == Notice(
        text="The last process ended. Most often that is want of memory. Choose less.", level="warning"
    )
    assert training.kept == []


def test_that_where_ranks_come_and_go_one_that_was_ended_did_not_lack_memory(training: Training) -> None:
    training.lost, training.context.worlds = LOST, (1, 2)
    training.run()
    assert training.marked == [] and not training.context.reported(RungTaken)


@pytest.mark.parametrize("saved", [False, True])
def test_that_plans_for_other_numbers_of_ranks_are_made_before_the_first_checkpoint_alone(
    saved: bool, training: Training
) -> None:
    training.context.worlds = (1, 2)
    if saved:
        (training.context.folder / "checkpoints").mkdir()
        (training.context.folder / "checkpoints" / "step-000000001.safetensors").touch()
    training.run()
    assert list(training.others) == ([] if saved else [2])


@pytest.mark.parametrize("rank", [0, 1])
def test_that_who_goes_on_with_others_begins_anew_and_only_the_first_rank_leaves_something(
    rank: int, training: Training, monkeypatch: pytest.MonkeyPatch
) -> None:
    training.context.regrouping = True
    monkeypatch.setattr(job, "_results", lambda *given: {"best": None} if rank == 0 else None)
    monkeypatch.setattr(job, "_with_weights", lambda spec, *_, **__: spec)
    assert training.run() == ({"by": (), "best": None} if rank == 0 else {})
    assert training.context.anew == 1


@pytest.mark.parametrize("size", [1, 2])
def test_that_several_ranks_tell_who_they_are_and_measure_what_is_between_them(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    between = Link(name="here", seconds=1e-3, bytes_per_second=1e9)
    trained: list[tuple[Any, ...]] = []
    met: list[Any] = []

    @contextlib.contextmanager
    def meeting(world: int, device: str, **how: bool) -> Iterator[Team]:
        met.append((world, device, how))
        yield Team(size - 1, size)

    def train(*given: Any) -> Fields:
        trained.append(given)
        return {"epochs": 1}

    monkeypatch.setattr(job.meet, "met", meeting)
    monkeypatch.setattr(job.link, "measure", lambda *_, **__: between)
    monkeypatch.setattr(job, "train", train)
    context = Watched(tmp_path)
    context.rank, context.world = size - 1, size
    assert job.run(from_json({"data": "-", "device": "cpu", "batch": size}), context) == {"epochs": 1}
    ((settings, _, team, link),) = trained
    assert (settings.batch, team.size, link) == (size, size, between if size > 1 else None)
    assert met == [(size, "cpu", {"apart": False, "alike": True})]
    told = context.reported(RankStarted)
    assert [(one.rank, one.world, one.device) for one in told] == [(1, 2, "cpu")] * (size > 1)
    assert all(one.free_bytes > 0 and one.title for one in told)

"""Ranks that train together: they stop and save after the same step, fail together, and rank 0 alone writes."""

from __future__ import annotations

import math
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import torch
from torch import Tensor

import narrow
from fullfield.data.prepared import Prepared
from fullfield.distribution.team import Team
from fullfield.errors import CannotWrite, Interrupted, ModelError, RankLost, UsageError
from fullfield.model import initial
from fullfield.plan import sets
from fullfield.plan.spec import TrainSpec, checked
from fullfield.protocol.commands import Watch
from fullfield.protocol.events import CheckpointSaved, EpochDone, MemorySampled, Notice, SampleWritten, StepDone
from fullfield.protocol.training import from_json
from fullfield.train import build as builds
from fullfield.train import crash_marker, images, job, profiled
from fullfield.train.checkpoint import Store
from fullfield.train.saving import Saver
from fullfield.train.state import Progress
from teams import Member, outcome, together
from train.ranks import SIDE, RankContext, loop, small_network
from training import FakeContext, prepared_phantoms, settings

narrowed = narrow.networks(8)


@pytest.fixture(autouse=True)
def no_records(monkeypatch: pytest.MonkeyPatch) -> None:
    """The allocator's records are of a process, and ranks are threads here."""
    monkeypatch.setattr(profiled, "LARGEST", 0)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return prepared_phantoms(tmp_path_factory.mktemp("data"), 10, rows=SIDE, columns=SIDE)


@pytest.mark.parametrize("asked", [0, 1])
@pytest.mark.parametrize("at", [1, 3])
def test_that_a_stop_asked_of_one_rank_stops_all_after_the_same_step(
    data: Prepared, tmp_path: Path, asked: int, at: int
) -> None:
    def rank(team: Member) -> tuple[RankContext, Progress]:
        stop = (StepDone, at) if team.rank == asked else None
        context = RankContext(tmp_path / str(team.rank), team, stop_after=stop)
        return loop(data, context, team, small_network(team))

    found = together(2, rank)
    assert [progress.step for _, progress in found] == [at, at]
    assert [saved.step for saved in found[0][0].reported(CheckpointSaved)] == [at]
    assert [{sample.rank for sample in context.reported(MemorySampled)} for context, _ in found] == [{0}, {1}]
    with Store(tmp_path / "0") as store:
        assert store.step == at
    assert written(tmp_path / "1") == []


def written(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_that_a_stop_asked_of_one_rank_ends_the_evaluation_of_all(data: Prepared, tmp_path: Path) -> None:
    count = len(builds.parts(TrainSpec(data="-", size=SIDE, validation=0.3, batch=2), data).train)

    class Evaluated(RankContext):
        """Asked to stop once the evaluation has begun: it is asked after each step, and then after each round."""

        def __init__(self, folder: Path, team: Team) -> None:
            super().__init__(folder, team)
            self.looks = 0

        def stopping(self) -> bool:
            self.looks += 1
            return self.rank == 1 and self.looks > count

    found = together(2, lambda team: loop(data, Evaluated(tmp_path / str(team.rank), team), team, small_network(team)))
    for context, progress in found:
        assert (progress.epoch, progress.step, progress.batch) == (0, count, count)
        assert not context.reported(EpochDone)
        assert cast(Evaluated, context).looks == count + 1


def test_that_a_checkpoint_that_one_rank_finds_due_is_saved_once_by_rank_0(data: Prepared, tmp_path: Path) -> None:
    def rank(team: Member) -> tuple[RankContext, Progress]:
        context = RankContext(tmp_path / str(team.rank), team, stop_after=(StepDone, 3))
        seconds = 1e-9 if team.rank == 1 else 1e9  # the clocks of ranks differ
        return loop(data, context, team, small_network(team), checkpoint_seconds=seconds)

    found = together(2, rank)
    assert [saved.step for saved in found[0][0].reported(CheckpointSaved)] == [1, 2, 3]
    assert len(list((tmp_path / "0" / "checkpoints").glob("step-*"))) == 3
    assert written(tmp_path / "1") == []


def test_that_a_disk_that_is_full_ends_all_ranks(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object, **more: object) -> str:
        raise CannotWrite("full")

    monkeypatch.setattr("fullfield.model.tensor_file.write", full)

    def rank(team: Member) -> object:
        context = RankContext(tmp_path / str(team.rank), team)
        return outcome(lambda: loop(data, context, team, small_network(team), checkpoint_steps=1))

    first, second = together(2, rank)
    assert isinstance(first, CannotWrite) and type(second) is RankLost


def test_that_steps_that_go_wrong_on_one_rank_end_all_after_the_same_one(data: Prepared, tmp_path: Path) -> None:
    def rank(team: Member) -> tuple[object, RankContext]:
        build = small_network(team)
        if team.rank == 0:
            build.gradients.append(lambda there: cast(Tensor, there[0].grad).fill_(math.nan))
        context = RankContext(tmp_path / str(team.rank), team)
        return outcome(lambda: loop(data, context, team, build, validation=0.1)), context

    for end, context in together(2, rank):
        assert isinstance(end, ModelError) and "5 steps in a row" in end.detail
        assert len([event for event in context.reported(Notice) if "skipped" in event.text]) == 5


@pytest.fixture
def writers() -> Iterator[set[tuple[str, str]]]:
    """The names of threads and of the files of a run's folder that they write, move or remove."""
    found: set[tuple[str, str]] = set()
    _writers.append(found)
    yield found
    _writers.remove(found)


_writers: list[set[tuple[str, str]]] = []


def _receive(event: str, given: tuple[Any, ...]) -> None:
    """Audit hooks stay for ever: this one is deaf but for the tests that ask."""
    if not _writers or event not in ("open", "os.rename", "os.remove"):
        return
    reading = event == "open" and not given[2] & (os.O_WRONLY | os.O_RDWR)
    if not reading and RUN in str(given[0]):
        for found in _writers:
            found.add((threading.current_thread().name, Path(str(given[0])).name))


RUN = "the-run-of-ranks"
sys.addaudithook(_receive)


def test_that_a_whole_training_is_written_by_rank_0_alone_and_resumed_by_one_that_is_alone(
    tmp_path: Path, writers: set[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = prepared_phantoms(tmp_path / "data", 4, rows=SIDE, columns=SIDE)
    monkeypatch.setattr(initial, "start", in_order(initial.start))
    proposed = sets._candidates  # of which each would be traced
    monkeypatch.setattr(
        sets, "_candidates", lambda site: [one for one in proposed(site) if one.technique.stage.of_ranks]
    )
    folder, given = tmp_path / RUN, settings(data, batch=2, epochs=2, validation=0.3, l1_steps=2, fit="auto")

    def rank(team: Member) -> tuple[RankContext, dict[str, Any]]:
        context = RankContext(folder, team, stop_after=(EpochDone, 1) if team.rank == 0 else None)
        return context, job.train(checked(from_json(given)), context, team)

    (first, summary), (second, nothing) = together(2, rank)
    assert summary["epochs"] == 1 and nothing == {}
    assert {name for name, _ in writers} >= {"rank 0"} and not any(name == "rank 1" for name, _ in writers), writers
    assert first.reported(SampleWritten) and not second.reported(SampleWritten)
    assert [event.validation_loss for event in first.reported(EpochDone)] == [
        event.validation_loss for event in second.reported(EpochDone)
    ]
    alone = FakeContext(folder)
    whole = job.run(from_json(given), alone)
    assert whole["epochs"] == 2 and not any("other settings" in event.text for event in alone.reported(Notice))


def in_order(work: Callable[..., Any]) -> Callable[..., Any]:
    """One thread after another: torch's generator is of a process."""
    lock = threading.Lock()

    def locked(*given: Any, **more: Any) -> Any:
        with lock:
            torch.manual_seed(0)
            return work(*given, **more)

    return locked


def test_that_more_processes_than_images_of_a_batch_are_refused_on_all(tmp_path: Path) -> None:
    def rank(team: Member) -> object:
        return outcome(lambda: job.train(TrainSpec(data="-", batch=1), RankContext(tmp_path, team), team))

    for end in together(2, rank):
        assert isinstance(end, UsageError) and "in a batch (1)" in end.detail and "--batch 2" in end.hint


def test_that_a_stop_asked_of_one_rank_ends_the_building_of_all(tmp_path: Path) -> None:
    class Asked(RankContext):
        def stopping(self) -> bool:
            return self.rank == 1

    def rank(team: Member) -> object:
        return outcome(lambda: images.stop_if_asked(Asked(tmp_path, team), team))

    assert [type(end) for end in together(2, rank)] == [Interrupted, Interrupted]


def test_that_what_rank_0_finds_of_the_process_before_all_know(tmp_path: Path) -> None:
    asked = TrainSpec(data="-")
    with crash_marker.noted(asked, FakeContext(tmp_path)):
        note = (tmp_path / crash_marker.NOTE).read_text()
    (tmp_path / crash_marker.NOTE).write_text(note)
    found = together(2, lambda team: crash_marker.lost(asked, tmp_path, team))
    assert all(one is not None for one in found) and not (tmp_path / crash_marker.NOTE).exists()
    assert together(2, lambda team: crash_marker.lost(asked, tmp_path, team)) == [None, None]


def test_that_the_image_that_rank_0_is_asked_to_watch_is_watched_by_all(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Saver, "keep_where_best", lambda saver, quality: None)  # the small network has no card

    def rank(team: Member) -> tuple[RankContext, Progress]:
        context = RankContext(tmp_path / str(team.rank), team)
        context.waiting = [Watch(image=2 if team.rank == 0 else 1)]
        return loop(data, context, team, small_network(team))

    (first, _), (second, _) = together(2, rank)
    assert [event.image for event in first.reported(SampleWritten)] == [2]
    assert not second.reported(SampleWritten) and written(tmp_path / "1") == []


def test_that_who_goes_on_is_told_what_no_checkpoint_holds_and_whose_images_are_normalised_together_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = prepared_phantoms(tmp_path / "data", 4, rows=SIDE, columns=SIDE)
    monkeypatch.setattr(initial, "start", in_order(initial.start))
    techniques = ["data_parallel", "gradient_compression:format=topk"]
    given = settings(data, batch=2, epochs=2, validation=0.3, techniques=techniques)
    regrouped = "Batch normalisation sees other groups of images now: 2, before: 1."

    def rank(team: Member) -> list[bool]:
        reported = []
        for _ in range(2):
            context = RankContext(tmp_path / RUN, team, stop_after=(StepDone, 1))
            job.train(checked(from_json(given)), context, team)
            notices = [event.text for event in context.reported(Notice)]
            assert not any("other groups" in text for text in notices), "as many ranks as before"
            reported.append(any("in no checkpoint" in text for text in notices))
        return reported

    assert together(2, rank) == [[False, True]] * 2
    alone = FakeContext(tmp_path / RUN, stop_after=(StepDone, 1))
    job.run(from_json({**given, "techniques": []}), alone)
    assert regrouped in [event.text for event in alone.reported(Notice)]

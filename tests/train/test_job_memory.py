"""A training for which there is no room: it takes the next rung, or says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import narrow
from fullfield.data.loader import Loader
from fullfield.data.prepared import Prepared
from fullfield.errors import OutOfMemory, UsageError
from fullfield.plan import spec as specs
from fullfield.protocol.commands import Command, Watch
from fullfield.protocol.events import (
    EpochDone,
    RungTaken,
    SampleWritten,
    StepDone,
)
from fullfield.train import baselines, build, fit, resumed
from fullfield.train import step as steps
from fullfield.train.fit import Rung
from fullfield.train.step import Step
from fullfield.train.update import Update
from train import short
from train.short import settings
from training import FakeContext, train

narrowed = narrow.networks(8)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return short.images(tmp_path_factory.mktemp("data"))


@pytest.mark.parametrize("where", ["loader", "building"])
def test_that_a_thread_or_a_network_for_which_there_is_no_room_takes_the_next_rung(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    made = list[str]()

    def scarce(whole: Any) -> Any:
        def limited(*given: Any, **named: Any) -> Any:
            made.append(where)
            if len(made) == 1:
                raise RuntimeError("can't start new thread" if where == "loader" else "std::bad_alloc")
            return whole(*given, **named)

        return limited

    owner, name = (Loader, "epoch") if where == "loader" else (build, "state")
    monkeypatch.setattr(owner, name, scarce(getattr(owner, name)))
    monkeypatch.setattr(fit, "rungs", lambda spec, *given, **named: [Rung(spec=spec), Rung(spec=spec)])
    context = FakeContext(tmp_path)
    train(settings(data, epochs=1), context)
    assert [event.left for event in context.reported(RungTaken)] == [0]
    assert len(context.reported(EpochDone)) == 1


def test_that_memory_that_runs_out_while_the_baselines_are_measured_is_told_as_that(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scarce(*given: Any, **named: Any) -> Any:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(baselines, "measured", scarce)
    with pytest.raises(OutOfMemory, match="ran out of memory"):
        train(settings(data), FakeContext(tmp_path))


def test_that_nothing_stays_of_a_training_that_finds_no_room_for_its_checkpoint(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = settings(data, epochs=1, techniques=["optimizer_in_backward"])
    train(asked, FakeContext(tmp_path, stop_after=(StepDone, 1)))
    closed = list[Update]()

    def scarce(*given: Any, **named: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(resumed, "restore", scarce)
    monkeypatch.setattr(Update, "close", lambda update: closed.append(update))
    with pytest.raises(OutOfMemory, match="ran out of memory"):
        train(asked, FakeContext(tmp_path))
    assert len(closed) == 1


class Watching(FakeContext):
    """Asks for the second image once."""

    def commands(self) -> list[Command]:
        """See `Context`."""
        return [] if self.reported(SampleWritten) else [Watch(image=1)]


def test_that_the_image_that_was_asked_for_is_watched_on_when_memory_has_run_out(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    step, made = steps.train_step, list[int]()

    def scarce(*given: Any, **named: Any) -> Step:
        made.append(len(made))
        if len(made) == 3:
            raise MemoryError
        return step(*given, **named)

    monkeypatch.setattr(steps, "train_step", scarce)
    monkeypatch.setattr(fit, "rungs", lambda spec, *given, **named: [Rung(spec=spec), Rung(spec=spec)])
    context = Watching(tmp_path)
    train(settings(data, validation=0.5), context)
    assert len(context.reported(RungTaken)) == 1
    assert [(event.epoch, event.image) for event in context.reported(SampleWritten)] == [(1, 1), (2, 1)]


def test_that_a_training_whose_plan_keeps_the_optimizer_in_host_memory_is_gone_on_with_by_the_same_settings(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = settings(data, epochs=1, fit="700MiB", techniques=["banded_loss"])
    spec = specs.from_json(asked)
    planned = replace(spec, techniques=("banded_loss", "optimizer_offload"))
    fit.keep(spec, [Rung(spec=planned)], tmp_path)
    train(asked, FakeContext(tmp_path, stop_after=(StepDone, 1)))
    assert train(asked, FakeContext(tmp_path))["steps"] == short.TRAINING
    for other in ({"fit": ""}, {"techniques": ["banded_loss", "optimizer_4bit"]}):
        with pytest.raises(UsageError, match="other settings: techniques"):
            train({**asked, **other}, FakeContext(tmp_path))

"""What an epoch tells and leaves: its figures, its record, its radiograph; and when statistics are frozen."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from fullfield.data import eviction
from fullfield.data.loader import Loader
from fullfield.data.prepared import Prepared
from fullfield.errors import CannotWrite
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.events import EpochDone, Notice, StepDone
from fullfield.protocol.training_events import SampleWritten
from fullfield.techniques.build import Build
from fullfield.train import evaluate, loop
from fullfield.train import step as steps
from fullfield.train.build import parts
from fullfield.train.evaluate import Quality
from fullfield.train.samples import Samples
from fullfield.train.saving import Saver
from fullfield.train.state import Best
from train.test_loop import Gain, train
from training import FakeContext, prepared_phantoms

GIVEN = {
    "validation": 0.25,
    "checkpoint_steps": 0,
    "l1_steps": 1,
    "epochs": 2,
    "learning_rate": 0.01,
    "loss": "ms_ssim+l1",
    "freeze_batch_norm": 0.5,
}


@dataclass(kw_only=True)
class Trained:
    """What a training of two epochs, each of three steps, leaves. `saved`: where it stood at each save. `frozen`: of
    each epoch."""

    data: Prepared
    network: Gain
    folder: Path
    context: FakeContext = field(init=False)
    used: list[Path] = field(default_factory=list)
    saved: list[dict[str, Any]] = field(default_factory=list)
    frozen: list[bool] = field(default_factory=list)

    def save(self, saver: Saver) -> None:
        """In the place of `Saver.save`."""
        self.saved.append({**vars(saver._progress), "history": [dict(one) for one in saver._progress.history]})

    def keep_where_best(self, saver: Saver, quality: Quality) -> None:
        """In the place of `Saver.keep_where_best`: what is trained here is no network that has a card."""
        saver._progress.best = Best(epoch=1, validation_loss=quality.loss, file="", sha256="")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """The radiograph of the second epoch cannot be kept."""
    data = prepared_phantoms(tmp_path_factory.mktemp("data"), 4, rows=192, columns=192)
    found = Trained(data=data, network=Gain(lambda step, y: y.square()), folder=tmp_path_factory.mktemp("run"))
    write = Samples.write

    def once(samples: Samples, epoch: int, *, best: int | None) -> SampleWritten | None:
        assert best == 1
        if epoch == 2:
            raise CannotWrite("Cannot write.", detail="It is full.")
        return write(samples, epoch, best=best)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(eviction, "use", found.used.append)
        patch.setattr(Saver, "save", lambda saver: found.save(saver))
        patch.setattr(Saver, "keep_where_best", lambda saver, quality: found.keep_where_best(saver, quality))
        patch.setattr(Samples, "write", once)
        patch.setattr(steps, "set_mode", lambda network, *, frozen: found.frozen.append(frozen))
        found.context = train(data, found.network, found.folder, **GIVEN)
    return found


def test_that_an_epoch_tells_what_was_measured_with_the_rate_of_its_last_step(trained: Trained) -> None:
    context = trained.context
    first, last = context.reported(EpochDone)
    assert [(one.epoch, one.epochs) for one in (first, last)] == [(1, 2), (2, 2)]
    assert [(one.epoch, one.step) for one in context.reported(StepDone)] == [(1 + n // 3, n + 1) for n in range(6)]
    for event, step in ((first, 2), (last, 5)):
        rate = steps.learning_rate(step, 6, largest=0.01, schedule="cosine", warm_up=TrainSpec(data="-").warm_up)
        assert event.learning_rate == pytest.approx(rate)
        assert event.seconds >= sum(one.seconds for one in context.reported(StepDone) if one.epoch == event.epoch) > 0
    network = cast(Any, trained.network)
    build = Build(network=network, device=torch.device("cpu"), chain=network)
    held = parts(TrainSpec(data="-", size=192, validation=0.25), trained.data).validation
    quality = evaluate.of_network(build, Loader(trained.data, held))
    assert (last.validation_loss, last.psnr_db) == (quality.loss, quality.psnr_db)
    assert (last.fine_sd_ratio, last.fine_correlation) == (quality.fine_sd_ratio, quality.fine_correlation)
    assert trained.used == [trained.data.folder] * 2, "its images are those that were used last"


def test_that_a_checkpoint_has_a_record_of_each_epoch_and_begins_the_next_with_nothing_summed(
    trained: Trained,
) -> None:
    for place, (progress, event) in enumerate(zip(trained.saved, trained.context.reported(EpochDone), strict=True)):
        assert (progress["epoch"], progress["batch"], progress["step"]) == (place + 1, 0, 3 * (place + 1))
        assert (progress["loss_sum"], progress["loss_count"], progress["epoch_seconds"]) == (0.0, 0, 0.0)
        names = ("train_loss", "validation_loss", "psnr_db", "fine_sd_ratio", "fine_correlation", "learning_rate")
        record = {"epoch": place + 1.0, **{name: getattr(event, name) for name in names}}
        assert progress["history"][place] == record and len(progress["history"]) == place + 1


def test_that_a_radiograph_that_cannot_be_kept_is_said_and_the_training_goes_on(trained: Trained) -> None:
    (said,) = trained.context.reported(Notice)
    assert said.text.startswith("The radiograph of this epoch is not kept:") and "It is full." in said.text
    assert said.level == "warning"
    assert [event.epoch for event in trained.context.reported(SampleWritten)] == [1]


def test_that_a_record_leaves_out_what_is_no_number() -> None:
    event = SimpleNamespace(
        epoch=3,
        train_loss=math.nan,
        validation_loss=2.0,
        psnr_db=math.inf,
        fine_sd_ratio=1.0,
        fine_correlation=0.5,
        learning_rate=1e-3,
    )
    assert loop._record(cast(EpochDone, event)) == {
        "epoch": 3.0,
        "validation_loss": 2.0,
        "fine_sd_ratio": 1.0,
        "fine_correlation": 0.5,
        "learning_rate": 1e-3,
    }


@pytest.mark.parametrize(
    ("epochs", "share", "first"), [(10, 0.0, 10), (10, 0.2, 8), (10, 0.25, 8), (5, 0.5, 3), (3, 1.0, 0)]
)
def test_that_statistics_are_frozen_in_the_last_share_of_the_epochs(
    epochs: int, share: float, first: int, trained: Trained
) -> None:
    assert loop._first_frozen(TrainSpec(data="-", epochs=epochs, freeze_batch_norm=share)) == first
    assert trained.frozen == [False, True], "of two epochs the half"

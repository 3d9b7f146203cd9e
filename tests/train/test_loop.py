"""What the loop does when a training goes wrong."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import pytest
import torch
from torch import Tensor, nn

from fullfield.data import prepared
from fullfield.data.prepared import Prepared
from fullfield.errors import FullfieldError, ModelError, OutOfMemory
from fullfield.kernels import stored
from fullfield.kernels.stored import Stored
from fullfield.model.chain import Chain
from fullfield.model.network import Network
from fullfield.model.spec import NetworkSpec
from fullfield.plan.spec import TrainSpec
from fullfield.protocol.events import CheckpointSaved, EpochDone, MemorySampled, Notice, StepDone, StepProfiled
from fullfield.techniques.build import Build, Rate
from fullfield.train import build
from fullfield.train.checkpoint import Store
from fullfield.train.loop import Loop
from fullfield.train.run import Run
from fullfield.train.samples import Samples
from fullfield.train.saving import Saver
from fullfield.train.state import Progress, State
from fullfield.train.update import Update
from training import FakeContext, prepared_phantoms


class Gain(nn.Module):
    """The input times one weight; `before` is called with each step's number first, and may change the output."""

    def __init__(self, before: Callable[[int, Tensor], Tensor] = lambda step, x: x) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.tensor(1.0))
        self._before, self._step = before, 0
        self.spec = NetworkSpec(encoder="resnet18")  # for the card of a model that is left
        self.stored = 0  # how often it was given images as they are stored

    def forward(self, x: Tensor | Stored) -> Tensor:
        self._step += 1
        self.stored += isinstance(x, Stored)
        return self._before(self._step, stored.values(x) * self.gain)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return prepared_phantoms(tmp_path_factory.mktemp("data"), 12, rows=192, columns=192)


def train(
    data: Prepared,
    network: Gain,
    folder: Path,
    rates: Sequence[Rate] = (),
    stored_input: bool = False,
    context: FakeContext | None = None,
    **changes: object,
) -> FakeContext:
    """Eleven steps with a checkpoint after each; the context, with what was told."""
    given = {"data": "-", "size": 192, "epochs": 1, "validation": 0.09, "checkpoint_steps": 1, "l1_steps": 0}
    spec = TrainSpec(**{**given, **changes})  # type: ignore[arg-type]
    context = context or FakeContext(folder)
    built = Build(network=cast(Network, network), device=torch.device("cpu"), chain=cast(Chain, network))
    built.rates += rates
    built.stored_input = stored_input
    state = State(
        build=built,
        update=Update(built),
        progress=Progress(),
        threads=1,
        data=data.identity,
        start="",
    )
    parts = build.parts(spec, data)
    with Store(folder) as store:
        run = Run(
            spec=spec,
            prepared=data,
            parts=parts,
            state=state,
            store=store,
            samples=Samples(folder, image=0, images=prepared.views(parts.validation)),
            context=context,
            held=(),
        )
        try:
            Loop(run).run()
        except FullfieldError as error:
            context.error = error  # type: ignore[attr-defined]
    return context


def error(context: FakeContext) -> FullfieldError:
    found: FullfieldError = context.error  # type: ignore[attr-defined]
    return found


def newest(folder: Path) -> tuple[int, dict[str, Tensor]]:
    with Store(folder) as store:
        found = store.latest()
    assert found is not None
    return found.fields["progress"]["step"], found.tensors


def test_that_bad_steps_are_skipped_and_five_in_a_row_end_the_run(data: Prepared, tmp_path: Path) -> None:
    network = Gain(lambda step, y: y * torch.nan if step in (2, 4, 5, 6, 7, 8) else y)
    context = train(data, network, tmp_path)
    assert isinstance(error(context), ModelError)
    assert "5 steps in a row" in error(context).detail
    assert [event.step for event in context.reported(CheckpointSaved)] == [1, 3]
    assert len([event for event in context.reported(Notice) if "not a number; the step is skipped" in event.text]) == 6
    step, tensors = newest(tmp_path)
    assert step == 3
    assert all(tensor.isfinite().all() for tensor in tensors.values() if tensor.is_floating_point())


@pytest.mark.parametrize(("batch", "images"), [(4, 4), (64, 11)])
def test_that_the_rate_follows_the_images_that_a_step_has_and_not_those_that_there_are_not(
    data: Prepared, tmp_path: Path, batch: int, images: int
) -> None:
    seen: list[int] = []

    def same(rate: float, epochs: float, count: int) -> float:
        seen.append(count)
        return rate

    train(data, Gain(lambda step, y: y), tmp_path, rates=[same], batch=batch)
    assert set(seen) == {images}


@pytest.mark.parametrize("bad", [3, 11])
def test_that_a_stop_after_a_bad_step_and_the_end_of_an_epoch_keep_the_good_ones_before(
    data: Prepared, tmp_path: Path, bad: int
) -> None:
    network = Gain(lambda step, y: y * torch.nan if step == bad else y)
    context = FakeContext(tmp_path, stop_after=(Notice, 1) if bad == 3 else None)
    train(data, network, tmp_path, context=context, checkpoint_steps=0)
    assert newest(tmp_path)[0] == bad == context.reported(CheckpointSaved)[-1].step


def test_that_a_run_that_diverges_before_anything_was_saved_promises_no_checkpoint(
    data: Prepared, tmp_path: Path
) -> None:
    context = train(data, Gain(lambda step, y: y * torch.nan), tmp_path)
    assert error(context).hint == "Start again with a smaller learning rate."


def test_that_a_loss_without_gradient_ends_the_run_and_says_why(data: Prepared, tmp_path: Path) -> None:
    context = train(data, Gain(lambda step, y: 1 - y), tmp_path)
    assert "same polarity" in error(context).hint
    assert len(context.reported(StepDone)) == 5


def test_that_memory_that_runs_out_before_anything_was_saved_promises_no_checkpoint(
    data: Prepared, tmp_path: Path
) -> None:
    def fail(step: int, y: Tensor) -> Tensor:
        raise MemoryError

    context = train(data, Gain(fail), tmp_path)
    assert isinstance(error(context), OutOfMemory)
    assert error(context).hint == "Choose a smaller --size or --batch, or close other programs."


@pytest.mark.parametrize("failing", [2, 3])  # the second step is run under the allocator's records
@pytest.mark.parametrize(
    "raised",
    [
        torch.OutOfMemoryError("CUDA out of memory."),
        MemoryError(),
        RuntimeError("cuDNN error: CUDNN_STATUS_ALLOC_FAILED"),
        RuntimeError("[enforce fail] DefaultCPUAllocator: not enough memory: you tried to allocate 1 bytes."),
        RuntimeError("can't start new thread"),
    ],
)
def test_that_memory_that_runs_out_is_one_plain_error_and_the_checkpoint_stays(
    data: Prepared, tmp_path: Path, raised: Exception, failing: int
) -> None:
    def fail(step: int, y: Tensor) -> Tensor:
        if step == failing:
            raise raised
        return y

    context = train(data, Gain(fail), tmp_path)
    assert isinstance(error(context), OutOfMemory)
    assert "--fit" in error(context).hint and "the last checkpoint is kept." in error(context).hint
    assert newest(tmp_path)[0] == failing - 1
    assert not torch.autograd.profiler._is_profiler_enabled
    assert watching() == []


def watching() -> list[str]:
    """The threads that look at memory."""
    return [thread.name for thread in threading.enumerate() if thread.name == "memory"]


def test_that_memory_is_looked_at_while_a_training_runs_and_no_longer(data: Prepared, tmp_path: Path) -> None:
    seen: list[list[str]] = []

    def note(step: int, y: Tensor) -> Tensor:
        seen.append(watching())
        if step == 6:
            raise MemoryError
        return y

    context = train(data, Gain(note), tmp_path)
    assert seen[0] == ["memory"]
    assert watching() == []
    reported = context.reported(MemorySampled)
    assert {event.phase for event in reported} >= {"forward", "backward", "update"}
    assert [event.seconds for event in reported] == sorted(event.seconds for event in reported)
    assert [event.step for event in context.reported(StepProfiled)] == [2]


def test_that_another_error_is_not_called_a_lack_of_memory(data: Prepared, tmp_path: Path) -> None:
    def fail(step: int, y: Tensor) -> Tensor:
        raise RuntimeError("shapes differ")

    with pytest.raises(RuntimeError, match="shapes differ"):
        train(data, Gain(fail), tmp_path)


def test_that_what_changes_the_rate_is_asked_in_every_step_in_order_and_its_answer_is_used(
    data: Prepared, tmp_path: Path
) -> None:
    asked: list[tuple[float, float, int]] = []

    def note(rate: float, epochs: float, images: int) -> float:
        asked.append((rate, epochs, images))
        return 2 * rate

    def end(step: int, y: Tensor) -> Tensor:
        if step > 11:
            raise MemoryError
        return y

    network = Gain(end)
    given = {"schedule": "constant", "warm_up": 0.0, "learning_rate": 0.5}
    train(data, network, tmp_path, [note, lambda rate, *_: 0.0 if rate == 1.0 else rate], **given)
    assert asked == [(0.5, step / 11, 1) for step in range(11)]
    assert network.gain == 1.0  # every step was made with the rate 0


def test_that_what_takes_images_as_they_are_stored_is_given_them_so_and_learns_the_same(
    data: Prepared, tmp_path: Path
) -> None:
    as_floats, as_stored = (Gain(lambda step, y: y.square() if step < 4 else 1 - y) for _ in range(2))
    train(data, as_floats, tmp_path / "floats")  # until five steps have had no gradient
    train(data, as_stored, tmp_path / "stored", stored_input=True)
    assert (as_floats.stored, as_stored.stored) == (0, 8)
    assert as_floats.gain != 1 and torch.equal(as_floats.gain, as_stored.gain)


@pytest.mark.parametrize(("batch", "bad", "images"), [(1, 3, [1] * 10), (4, 2, [4, 3]), (8, 0, [8, 3])])
def test_that_the_loss_of_an_epoch_is_the_mean_of_the_images_of_the_steps_that_counted(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batch: int, bad: int, images: list[int]
) -> None:
    monkeypatch.setattr(Saver, "keep_where_best", lambda saver, quality: None)  # it is no network that has a card
    network = Gain(lambda step, y: y * torch.nan if step == bad else y.square() if step == 1 else y)
    context = train(data, network, tmp_path, batch=batch)
    losses = [event.loss for event in context.reported(StepDone) if math.isfinite(event.loss)]
    (epoch,) = context.reported(EpochDone)
    wanted = sum(loss * count for loss, count in zip(losses, images, strict=True)) / sum(images)
    assert epoch.train_loss == pytest.approx(wanted, rel=1e-6) and epoch.train_loss > 0

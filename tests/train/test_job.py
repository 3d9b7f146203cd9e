"""A whole training in one process: from prepared pairs to model files, interrupted and not."""

from __future__ import annotations

import contextlib
import json
import math
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import segmentation_models_pytorch as smp
import torch
from safetensors.torch import load_file

import training
from collection import Collection
from fullfield.data import eviction
from fullfield.data.loader import Loader
from fullfield.data.prepared import Prepared
from fullfield.errors import FullfieldError, Interrupted, ModelError, OutOfMemory, UsageError
from fullfield.image.bounds import Bounds
from fullfield.model import card as cards
from fullfield.model import weakness, weights
from fullfield.model.phantom import phantom
from fullfield.plan import spec as specs
from fullfield.protocol import events
from fullfield.protocol.commands import Command, Watch
from fullfield.protocol.events import (
    BaselineMeasured,
    CheckpointSaved,
    EpochDone,
    Event,
    MemorySampled,
    Notice,
    PhaseStarted,
    PlanMade,
    RungTaken,
    SampleWritten,
    StepDone,
    StepProfiled,
)
from fullfield.techniques import build as builds
from fullfield.train import baselines, build, evaluate, fit, images
from fullfield.train import step as steps
from fullfield.train.checkpoint import Store
from fullfield.train.evaluate import Quality
from fullfield.train.fit import Rung
from fullfield.train.step import Step
from hub import keep_weights
from training import FakeContext, prepared_phantoms, train

EPOCHS, TRAINING, VALIDATION = 2, 3, 1


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return prepared_phantoms(tmp_path_factory.mktemp("data"), TRAINING + VALIDATION, rows=192, columns=176)


def settings(data: Prepared, **changes: Any) -> dict[str, Any]:
    return training.settings(data, **{"epochs": EPOCHS, "l1_steps": 2, **changes})


@pytest.fixture(scope="module")
def whole(data: Prepared, tmp_path_factory: pytest.TempPathFactory) -> tuple[FakeContext, dict[str, Any]]:
    """An uninterrupted run and its summary."""
    context = FakeContext(tmp_path_factory.mktemp("runs") / "whole")
    return context, train(settings(data), context)


def same_weights(one: Path, other: Path) -> bool:
    first, second = load_file(one), load_file(other)
    return first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)


def test_that_a_training_tells_its_life_in_order(whole: tuple[FakeContext, dict[str, Any]]) -> None:
    context, _ = whole
    meanwhile = Notice | MemorySampled | StepProfiled
    kinds: list[type[Event]] = [type(event) for event in context.events if not isinstance(event, meanwhile)]
    epoch = [StepDone] * TRAINING + [EpochDone, SampleWritten, CheckpointSaved]
    assert kinds == [PlanMade, PhaseStarted, *[BaselineMeasured] * 3, PhaseStarted, PhaseStarted, *epoch * EPOCHS]
    assert [event.step for event in context.told(StepProfiled)] == [3]  # the first without L1
    assert {event.phase for event in context.told(MemorySampled)} >= {"forward", "backward", "update", "evaluation"}
    assert [event.step for event in context.told(StepDone)] == list(range(1, TRAINING * EPOCHS + 1))
    assert all(event.steps == TRAINING * EPOCHS for event in context.told(StepDone))
    texts = " ".join(event.text for event in context.told(Notice))
    assert "4 images of 4 patients: 3 to train on, 1 held back" in texts
    assert "from scratch" in texts
    (told,) = context.told(PlanMade)
    assert told.plan.process_bytes > told.plan.peak_bytes > told.plan.allocator_bytes
    assert "the process will hold at most" in texts


def test_that_the_model_left_is_that_of_the_best_epoch_with_its_card(
    whole: tuple[FakeContext, dict[str, Any]],
) -> None:
    context, summary = whole
    model = weights.load(context.folder / "model.safetensors")
    losses = [event.validation_loss for event in context.told(EpochDone)]
    assert model.card.metrics["loss"] == min(losses) == summary["validation_loss"]
    assert model.card.baselines[weakness.UNPROCESSED] > 0 and weakness.CONVENTIONAL in model.card.baselines
    assert Bounds.from_json(model.card.bounds).fine_high > Bounds.from_json(model.card.bounds).fine_low > 0
    assert model.card.input_kind == "raw"
    assert model.card.licence == "phantoms"
    assert model.card.long_side == 192
    assert model.card.mm_per_pixel == pytest.approx(0.2)
    assert len(model.card.data_sha256) == TRAINING
    assert cards.read(context.folder / "last.safetensors").network.encoder == "resnet18"


def test_that_the_watched_radiograph_is_left_as_it_looks_after_each_epoch(
    whole: tuple[FakeContext, dict[str, Any]], data: Prepared
) -> None:
    context, _ = whole
    told = context.told(SampleWritten)
    assert [(event.epoch, event.image, event.images) for event in told] == [(1, 0, 1), (2, 0, 1)]
    planes = [np.load(context.folder / getattr(told[0], name)) for name in ("input", "reference", "sample")]
    assert {(plane.dtype.name, plane.shape) for plane in planes} == {("uint16", (192, 176))}
    split = json.loads((context.folder / "split.json").read_text())["validation"][0]["key"]
    source, reference = data.load(next(item for item in data.items if item.key == split))
    assert np.abs(planes[0] / 65535 - source).max() < 1e-4 and np.abs(planes[1] / 65535 - reference).max() < 1e-4
    model = weights.load(context.folder / "last.safetensors").network
    with torch.no_grad():
        made = model(torch.from_numpy(np.pad(source, ((0, 0), (0, 16)), mode="reflect"))[None, None])
    last = np.load(context.folder / told[-1].sample)
    assert np.abs(made[0, 0, :192, :176].numpy() - last / 65535).mean() < 1e-2


def test_that_nothing_left_for_others_names_a_file_or_folder(
    whole: tuple[FakeContext, dict[str, Any]], data: Prepared
) -> None:
    context, _ = whole
    lines = [events.to_line(event) for event in context.events]
    texts = [*lines, (context.folder / "summary.json").read_text(), (context.folder / "split.json").read_text()]
    assert not [text for text in texts if str(data.folder) in text or data.folder.name in text]
    assert len(json.loads((context.folder / "split.json").read_text())["validation"]) == VALIDATION


@pytest.mark.parametrize("stop", [(StepDone, TRAINING), (StepDone, TRAINING + 1)])
def test_that_a_stopped_training_goes_on_to_the_same_bits(
    whole: tuple[FakeContext, dict[str, Any]], data: Prepared, tmp_path: Path, stop: tuple[type[Event], int]
) -> None:
    first = FakeContext(tmp_path, stop_after=stop)
    train(settings(data), first)
    assert len(first.told(StepDone)) < TRAINING * EPOCHS
    assert (tmp_path / "model.safetensors").exists()
    second = FakeContext(tmp_path)
    train(settings(data), second)
    assert any(event.text.startswith("Going on after step") for event in second.told(Notice))
    assert len(first.told(StepDone)) + len(second.told(StepDone)) == TRAINING * EPOCHS
    for name in ("model.safetensors", "last.safetensors"):
        assert same_weights(tmp_path / name, whole[0].folder / name)
        assert (tmp_path / name).read_bytes() == (whole[0].folder / name).read_bytes()


def test_that_a_finished_training_started_again_only_leaves_its_files_again(
    whole: tuple[FakeContext, dict[str, Any]], data: Prepared
) -> None:
    folder = whole[0].folder
    (folder / "model.safetensors").unlink()
    again = FakeContext(folder)
    assert train(settings(data), again) == whole[1]
    assert again.told(StepDone) == []
    assert (folder / "model.safetensors").exists()


def test_that_a_training_goes_on_only_with_the_settings_that_it_was_begun_with(
    whole: tuple[FakeContext, dict[str, Any]], data: Prepared, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=r"learning_rate\."):
        train(settings(data, learning_rate=0.5), FakeContext(whole[0].folder))
    other = prepared_phantoms(tmp_path, TRAINING + VALIDATION, rows=192, columns=176, gamma=2.0)
    with pytest.raises(UsageError, match="the images themselves"):
        train(settings(other), FakeContext(whole[0].folder))


def test_that_a_stop_before_the_first_step_is_an_interruption(data: Prepared, tmp_path: Path) -> None:
    with pytest.raises(Interrupted, match="before its first step"):
        train(settings(data), FakeContext(tmp_path, stop_after=(PhaseStarted, 1)))


def test_that_an_unknown_encoder_is_refused_with_those_there_are(data: Prepared, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="resnet34, resnet18"):
        train(settings(data, encoder="vgg"), FakeContext(tmp_path))


def test_that_a_training_with_techniques_goes_on_to_the_same_bits(data: Prepared, tmp_path: Path) -> None:
    techniques = ["optimizer_in_backward", "optimizer_offload", "channels_last"]
    given = settings(data, epochs=1, techniques=techniques)
    whole = FakeContext(tmp_path / "whole")
    train(given, whole)
    train(given, FakeContext(tmp_path / "parts", stop_after=(StepDone, 2)))
    second = FakeContext(tmp_path / "parts")
    train(given, second)
    assert len(second.told(StepDone)) == TRAINING - 2
    assert same_weights(whole.folder / "last.safetensors", second.folder / "last.safetensors")
    plan = cards.read(whole.folder / "last.safetensors").plan
    assert plan["techniques"] == ["channels_last", "optimizer_offload", "optimizer_in_backward"]
    with pytest.raises(UsageError, match="other settings: techniques"):
        train(settings(data, epochs=1), FakeContext(tmp_path / "parts"))


def test_that_averaged_weights_are_what_is_measured_chosen_and_exported_and_go_on_to_the_same_bits(
    data: Prepared, tmp_path: Path
) -> None:
    given = settings(data, techniques=["ema:decay=0.5", "rate_scaling", "gradient_clipping", "lamb"], batch=2)
    whole = FakeContext(tmp_path / "whole")
    train(given, whole)
    with Store(whole.folder) as store:
        newest = store.latest()
    assert newest is not None
    kept = {name.removeprefix("kept.ema."): one for name, one in newest.tensors.items() if name.startswith("kept.ema.")}
    last = weights.load(whole.folder / "last.safetensors").network.state_dict()
    exported = {name: last[name] for name in kept.keys() & last.keys()}
    assert len(exported) == len(kept) - 1  # how many updates there were is no weight
    assert all(torch.equal(one, kept[name]) for name, one in exported.items())
    assert not any(torch.equal(one, newest.tensors[f"network.{name}"]) for name, one in exported.items())
    best = weights.load(whole.folder / "model.safetensors")
    parts = build.parts(specs.from_json(given), data)
    found = evaluate.of_network(builds.begin(best.network, torch.device("cpu")), parts.validate)
    losses = [event.validation_loss for event in whole.told(EpochDone)]
    assert found.loss == pytest.approx(min(losses), rel=1e-4) == best.card.metrics["loss"]
    planned = steps.learning_rate(1, 4, largest=3e-4, schedule="cosine", warm_up=0.03)
    assert whole.told(EpochDone)[0].learning_rate == pytest.approx(planned * (1 + 0.5 / 5))  # of twice the images
    parted = tmp_path / "parts"
    train(given, FakeContext(parted, stop_after=(StepDone, 1)))
    train(given, FakeContext(parted))
    for name in ("model.safetensors", "last.safetensors"):
        assert (parted / name).read_bytes() == (whole.folder / name).read_bytes()


def test_that_a_technique_that_is_impossible_here_is_refused_before_anything_is_built(
    data: Prepared, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=r"precision: TF32 .* Leave it out"):
        train(settings(data, techniques=["precision:format=tf32"]), FakeContext(tmp_path))


def measuring(monkeypatch: pytest.MonkeyPatch, *losses: float) -> None:
    """Let the validation losses of the epochs be these."""
    measure, left = evaluate.of_network, iter(losses)

    def of_network(*given: Any, **named: Any) -> Quality:
        return replace(measure(*given, **named), loss=next(left))

    monkeypatch.setattr(evaluate, "of_network", of_network)


def test_that_an_epoch_whose_loss_is_no_number_is_never_the_best(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measuring(monkeypatch, math.nan, 9.0, math.nan)
    context = FakeContext(tmp_path)
    summary = train(settings(data, epochs=3), context)
    assert (summary["best_epoch"], summary["validation_loss"]) == (2, 9.0)
    assert weights.load(tmp_path / "model.safetensors").card.metrics["epoch"] == 2
    told = [event.text for event in context.told(Notice) if event.level == "warning"]
    assert [text.partition(":")[0] for text in told if "is not a number" in text] == ["Epoch 1", "Epoch 3"]


def test_that_a_training_without_any_loss_that_is_a_number_leaves_its_last_model_and_says_so(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measuring(monkeypatch, math.nan)
    context = FakeContext(tmp_path)
    summary = train(settings(data, epochs=1), context)
    assert summary["best_epoch"] is None
    assert same_weights(tmp_path / "model.safetensors", tmp_path / "last.safetensors")
    assert "No epoch has a validation loss; the model is the last one." in [e.text for e in context.told(Notice)]


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
    monkeypatch.setattr(fit, "rungs", lambda spec, data, context, team: [Rung(spec=spec), Rung(spec=spec)])
    context = FakeContext(tmp_path)
    train(settings(data, epochs=1), context)
    assert [event.left for event in context.told(RungTaken)] == [0]
    assert len(context.told(EpochDone)) == 1


def test_that_memory_that_runs_out_while_the_baselines_are_measured_is_told_as_that(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scarce(*given: Any, **named: Any) -> Any:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(baselines, "measured", scarce)
    with pytest.raises(OutOfMemory, match="ran out of memory"):
        train(settings(data), FakeContext(tmp_path))


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Collection:
    """A folder of radiographs, and its reader in the decoder's place."""
    found = Collection(tmp_path / "pictures")
    for number in range(TRAINING + VALIDATION):
        plane = np.rint(phantom(240, 200, seed=number) * 4095).astype(np.uint16)
        found.add(f"{number}.dcm", plane, patient=f"{number}")
    monkeypatch.setattr(images, "Decoder", lambda: contextlib.nullcontext(found))
    return found


class Damaging(FakeContext):
    """Changes a bit in every prepared array, once, when the first step has been told; `stops` then too."""

    def __init__(self, folder: Path, *, stops: bool) -> None:
        super().__init__(folder, stop_after=(StepDone, 1) if stops else None)
        self._done = False

    def emit(self, event: Event, /) -> None:
        """See `Context`."""
        super().emit(event)
        if isinstance(event, StepDone) and not self._done:
            self._done = True
            for path in eviction.cache().glob("*/*.npy"):
                content = bytearray(path.read_bytes())
                content[-1] ^= 1
                path.write_bytes(content)


@pytest.mark.parametrize("stops", [False, True])
def test_that_a_training_whose_prepared_images_are_damaged_meanwhile_ends_in_the_same_bits(
    pictures: Collection, tmp_path: Path, stops: bool
) -> None:
    given = {**settings(prepared_phantoms(tmp_path / "x", 1, rows=192, columns=192)), "data": str(pictures.folder)}
    whole = FakeContext(tmp_path / "whole")
    train(given, whole)
    context = Damaging(tmp_path / "damaged", stops=stops)
    train(given, context)
    if stops:
        context = Damaging(tmp_path / "damaged", stops=False)
        train(given, context)
    assert any("made anew from its source" in event.text for event in context.told(Notice))
    for name in ("model.safetensors", "last.safetensors"):
        assert (context.folder / name).read_bytes() == (whole.folder / name).read_bytes()


def test_that_the_weights_that_were_decided_stay_although_others_come_meanwhile(data: Prepared, tmp_path: Path) -> None:
    given = settings(data, epochs=1, weights="auto")
    train(given, FakeContext(tmp_path, stop_after=(StepDone, 1)))
    state = smp.encoders.get_encoder("resnet18", in_channels=3, weights=None).state_dict()
    keep_weights(state)
    again = FakeContext(tmp_path)
    train(given, again)
    assert any(event.text.startswith("Going on after step 1") for event in again.told(Notice))
    card = cards.read(tmp_path / "model.safetensors")
    assert card.plan["weights"] == "none"
    assert card.start == "The network starts from scratch (random weights, seed 0)."
    whole = FakeContext(tmp_path / "other")
    train(given, whole)
    assert cards.read(whole.folder / "model.safetensors").plan["weights"] == "imagenet"


def test_that_named_weights_that_are_missing_are_an_error_before_any_image_is_read(
    data: Prepared, tmp_path: Path
) -> None:
    context = FakeContext(tmp_path)
    with pytest.raises(ModelError, match="not on this computer"):
        train(settings(data, weights="imagenet"), context)
    assert context.events == []


class Watching(FakeContext):
    """Asks for the second image once."""

    def commands(self) -> list[Command]:
        """See `Context`."""
        return [] if self.told(SampleWritten) else [Watch(image=1)]


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
    monkeypatch.setattr(fit, "rungs", lambda spec, data, context, team: [Rung(spec=spec), Rung(spec=spec)])
    context = Watching(tmp_path)
    train(settings(data, validation=0.5), context)
    assert len(context.told(RungTaken)) == 1
    assert [(event.epoch, event.image) for event in context.told(SampleWritten)] == [(1, 1), (2, 1)]


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"epochs": 5}, "epochs"),
        ({"seed": 9, "size": 224}, "size, seed"),
        ({"data": "/nowhere"}, "Cannot"),
        ({"device": "cuda:99"}, "cuda:99"),
    ],
)
def test_that_a_refusal_to_go_on_leaves_the_run_as_it_was(
    whole: tuple[FakeContext, dict[str, Any]], data: Prepared, tmp_path: Path, changes: dict[str, Any], wrong: str
) -> None:
    run = tmp_path / "run"
    shutil.copytree(whole[0].folder, run)
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    context = FakeContext(run)
    with pytest.raises(FullfieldError, match=wrong):
        train({**settings(data), **changes}, context)
    assert not context.accepted
    left = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    assert {path.name for path in left if left[path] != before.get(path)} <= {"lock"}
    again = FakeContext(run)
    train(settings(data), again)
    assert again.accepted


def test_that_a_training_that_has_saved_nothing_is_what_was_asked_last(data: Prepared, tmp_path: Path) -> None:
    context = FakeContext(tmp_path / "run")
    with pytest.raises(FullfieldError):
        train({**settings(data), "data": str(tmp_path / "nowhere")}, context)
    assert context.accepted


@pytest.mark.parametrize("stage", ["the start", "start", "begin", "apply"])
def test_that_a_stop_while_the_network_is_built_is_heard_before_the_first_step(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    context, asked = FakeContext(tmp_path / "run"), [stage == "the start"]
    monkeypatch.setattr(context, "stopping", lambda: asked[0])
    for module, name in ((build.initial, "start"), (build.builds, "begin"), (build.compose, "apply")):
        monkeypatch.setattr(module, name, then(getattr(module, name), asked if name == stage else [False]))
    with pytest.raises(Interrupted):
        train(settings(data), context)
    assert not context.told(StepDone)


def then(act: Callable[..., Any], asked: list[bool]) -> Callable[..., Any]:
    """`act`, at whose end a stop is asked for."""

    def do(*given: Any, **named: Any) -> Any:
        made = act(*given, **named)
        asked[0] = True
        return made

    return do

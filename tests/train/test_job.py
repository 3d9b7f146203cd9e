"""A whole training in one process: from prepared pairs to model files, interrupted and not."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

import narrow
from fullfield.data.prepared import Prepared
from fullfield.errors import FullfieldError, UsageError
from fullfield.image import own_presets, presets
from fullfield.model import card as cards
from fullfield.model import weakness, weights
from fullfield.plan import spec as specs
from fullfield.protocol import events
from fullfield.protocol.events import (
    BaselineMeasured,
    CheckpointSaved,
    EpochDone,
    Event,
    MemorySampled,
    Notice,
    PhaseStarted,
    PlanMade,
    SampleWritten,
    StepDone,
    StepProfiled,
)
from fullfield.techniques import build as builds
from fullfield.train import build, checkpoint_file, evaluate
from fullfield.train import step as steps
from fullfield.train.checkpoint import Store
from fullfield.train.evaluate import Quality
from train import short
from train.short import EPOCHS, TRAINING, VALIDATION
from training import FakeContext, prepared_phantoms, train

narrowed = narrow.networks(8)
PRESET = "knees-of-jane"  # of a user's


def settings(data: Prepared, **changes: Any) -> dict[str, Any]:
    return short.settings(data, **{"reference": PRESET, **changes})


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return short.images(tmp_path_factory.mktemp("data"))


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
    assert [event.step for event in context.reported(StepProfiled)] == [3]  # the first without L1
    assert {event.phase for event in context.reported(MemorySampled)} >= {"forward", "backward", "update", "evaluation"}
    assert [event.step for event in context.reported(StepDone)] == list(range(1, TRAINING * EPOCHS + 1))
    assert all(event.steps == TRAINING * EPOCHS for event in context.reported(StepDone))
    texts = " ".join(event.text for event in context.reported(Notice))
    assert "4 images of 4 patients: 3 to train on, 1 held back" in texts
    assert "from scratch" in texts
    (reported,) = context.reported(PlanMade)
    assert reported.plan.process_bytes > reported.plan.peak_bytes > reported.plan.allocator_bytes
    assert "the process will hold at most" in texts


def test_that_the_model_left_is_that_of_the_best_epoch_with_its_card(
    whole: tuple[FakeContext, dict[str, Any]],
) -> None:
    context, summary = whole
    model = weights.load(context.folder / "model.safetensors")
    losses = [event.validation_loss for event in context.reported(EpochDone)]
    assert model.card.metrics["loss"] == min(losses) == summary["validation_loss"]
    assert model.card.baselines[weakness.UNPROCESSED] > 0 and weakness.CONVENTIONAL in model.card.baselines
    assert model.card.input_kind == "raw"
    assert model.card.licence == "phantoms"
    assert model.card.long_side == 192
    assert model.card.mm_per_pixel == pytest.approx(0.2)
    assert len(model.card.data_sha256) == TRAINING + VALIDATION, "the epoch was chosen by these"
    last = cards.read(context.folder / "last.safetensors")
    assert last.network.encoder == "resnet18" and last.licence == last.plan["data_licence"] == "phantoms"
    assert last.plan["reference"] == model.card.plan["reference"] == PRESET


def test_that_checkpoints_hold_neither_licence_nor_name_of_a_preset_for_they_may_go_to_another_machine(
    whole: tuple[FakeContext, dict[str, Any]],
) -> None:
    context, _ = whole
    best = [cards.read(path) for path in context.folder.glob("checkpoints/best-*")]
    assert best and all(card.licence == card.plan["data_licence"] == "" for card in best)
    for path in context.folder.glob("checkpoints/*"):
        assert PRESET.encode() not in path.read_bytes()
    for path in context.folder.glob("checkpoints/step-*"):
        found = checkpoint_file.parsed(path)
        assert found is not None and found.fields["spec"]["data_licence"] == ""


def test_that_the_watched_radiograph_is_left_as_it_looks_after_each_epoch(
    whole: tuple[FakeContext, dict[str, Any]], data: Prepared
) -> None:
    context, _ = whole
    reported = context.reported(SampleWritten)
    assert [(event.epoch, event.image, event.images) for event in reported] == [(1, 0, 1), (2, 0, 1)]
    planes = [np.load(context.folder / getattr(reported[0], name)) for name in ("input", "reference", "sample")]
    assert {(plane.dtype.name, plane.shape) for plane in planes} == {("uint16", (192, 176))}
    split = json.loads((context.folder / "split.json").read_text())["validation"][0]["key"]
    source, reference = data.load(next(item for item in data.items if item.key == split))
    assert np.abs(planes[0] / 65535 - source).max() < 1e-4 and np.abs(planes[1] / 65535 - reference).max() < 1e-4
    model = weights.load(context.folder / "last.safetensors").network
    with torch.no_grad():
        made = model(torch.from_numpy(np.pad(source, ((0, 0), (0, 16)), mode="reflect"))[None, None])
    last = np.load(context.folder / reported[-1].sample)
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
    assert len(first.reported(StepDone)) < TRAINING * EPOCHS
    assert (tmp_path / "model.safetensors").exists()
    second = FakeContext(tmp_path)
    train(settings(data), second)
    assert any(event.text.startswith("Going on after step") for event in second.reported(Notice))
    assert len(first.reported(StepDone)) + len(second.reported(StepDone)) == TRAINING * EPOCHS
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
    assert again.reported(StepDone) == []
    assert (folder / "model.safetensors").exists()


def test_that_a_finished_training_started_again_and_stopped_keeps_what_was_measured_of_its_model(
    whole: tuple[FakeContext, dict[str, Any]], data: Prepared, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(whole[0].folder, tmp_path / "run"))
    model, summary = folder / "model.safetensors", folder / "summary.json"
    network, card = weights.load(model)
    measured = {"halo": 288, "comparison": {"before": "knees"}}
    sha256 = weights.save(model, network, replace(card, **measured))
    said = {"model_sha256": sha256, "comparison": measured["comparison"], "int8_weight_bytes": 7}
    summary.write_text(json.dumps(json.loads(summary.read_text()) | said))
    before = model.read_bytes(), json.loads(summary.read_text())
    again = FakeContext(folder, stop_after=(PhaseStarted, 3))
    last = train(settings(data, calibrate_halo=True), again)
    assert again.stopping() and again.reported(PhaseStarted)[-1].name == "Training"
    assert (model.read_bytes(), json.loads(summary.read_text())) == before
    assert (last["model_sha256"], last["int8_weight_bytes"]) == (sha256, 7)
    other = settings(data, data_licence="another")
    train(other, FakeContext(folder, stop_after=(PhaseStarted, 3)))
    card = cards.read(model)
    assert (card.licence, card.halo, card.comparison) == ("another", *measured.values())
    next(iter(network.state_dict().values())).add_(1)
    weights.save(model, network, replace(card, **measured))
    train(other, FakeContext(folder, stop_after=(PhaseStarted, 3)))
    card = cards.read(model)
    assert (card.halo, card.comparison) == (None, {}), "they were of another model"


def test_that_a_training_goes_on_only_with_the_settings_that_it_was_begun_with(
    whole: tuple[FakeContext, dict[str, Any]], data: Prepared, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=r"learning_rate\."):
        train(settings(data, learning_rate=0.5), FakeContext(whole[0].folder))
    other = prepared_phantoms(tmp_path, TRAINING + VALIDATION, rows=192, columns=176, gamma=2.0)
    with pytest.raises(UsageError, match="the images themselves"):
        train(settings(other), FakeContext(whole[0].folder))


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
    assert len(second.reported(StepDone)) == TRAINING - 2
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
    losses = [event.validation_loss for event in whole.reported(EpochDone)]
    assert found.loss == pytest.approx(min(losses), rel=1e-4) == best.card.metrics["loss"]
    planned = steps.learning_rate(1, 4, largest=3e-4, schedule="cosine", warm_up=0.03)
    assert whole.reported(EpochDone)[0].learning_rate == pytest.approx(planned * (1 + 0.5 / 5))  # of twice the images
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
    reported = [event.text for event in context.reported(Notice) if event.level == "warning"]
    assert [text.partition(":")[0] for text in reported if "is not a number" in text] == ["Epoch 1", "Epoch 3"]


def test_that_a_training_without_any_loss_that_is_a_number_leaves_its_last_model_and_says_so(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measuring(monkeypatch, math.nan)
    context = FakeContext(tmp_path)
    summary = train(settings(data, epochs=1), context)
    assert summary["best_epoch"] is None
    assert same_weights(tmp_path / "model.safetensors", tmp_path / "last.safetensors")
    assert "No epoch has a validation loss; the model is the last one." in [e.text for e in context.reported(Notice)]


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
    own_presets.save(presets.load("general"), title=PRESET, body_parts=(), taken=frozenset())
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

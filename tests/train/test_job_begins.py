"""What a training begins with, and what it is before its first step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import segmentation_models_pytorch as smp
from safetensors import torch as safetensors

import narrow
from fullfield.data.prepared import Prepared
from fullfield.errors import FullfieldError, Interrupted, ModelError, UsageError
from fullfield.hardware import devices
from fullfield.model import card as cards
from fullfield.model import weights
from fullfield.model.card import Card
from fullfield.plan import spec as specs
from fullfield.protocol.events import (
    Notice,
    PhaseStarted,
    StepDone,
)
from fullfield.train import begun_from, build, job
from fullfield.train.checkpoint import Store
from hub import keep_weights
from train import short
from train.short import settings
from training import FakeContext, train

BY = 4  # of so many channels one is left
narrowed = narrow.networks(BY)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return short.images(tmp_path_factory.mktemp("data"))


def test_that_a_stop_before_the_first_step_is_an_interruption(data: Prepared, tmp_path: Path) -> None:
    with pytest.raises(Interrupted, match="before its first step"):
        train(settings(data), FakeContext(tmp_path, stop_after=(PhaseStarted, 1)))


def test_that_the_weights_that_were_decided_stay_although_others_come_meanwhile(data: Prepared, tmp_path: Path) -> None:
    given = settings(data, epochs=1, weights="auto")
    train(given, FakeContext(tmp_path, stop_after=(StepDone, 1)))
    encoder = smp.encoders.get_encoder("resnet18", in_channels=3, weights=None)
    narrow.thin(encoder, BY)
    colour = encoder.conv1.weight.detach().expand(-1, 3, -1, -1)  # of which one was left
    keep_weights({**encoder.state_dict(), "conv1.weight": colour.contiguous()})
    again = FakeContext(tmp_path)
    train(given, again)
    assert any(event.text.startswith("Going on after step 1") for event in again.reported(Notice))
    card = cards.read(tmp_path / "model.safetensors")
    assert card.plan["weights"] == "none"
    assert card.start == "The network starts from scratch (random weights, seed 0)."
    whole = FakeContext(tmp_path / "other")
    train(given, whole)
    assert cards.read(whole.folder / "model.safetensors").plan["weights"] == "imagenet"


def test_that_a_member_makes_no_step_from_a_file_that_has_taken_the_name_of_the_first_weights(
    data: Prepared, tmp_path: Path
) -> None:
    encoder = smp.encoders.get_encoder("resnet18", in_channels=3, weights=None)
    narrow.thin(encoder, BY)
    colour = encoder.conv1.weight.detach().expand(-1, 3, -1, -1).contiguous()
    safetensors.save_file({**encoder.state_dict(), "conv1.weight": colour}, tmp_path / "first.safetensors")
    context = FakeContext(tmp_path / "run")
    begun_from.bind(context.folder, "0" * 64)
    with pytest.raises(UsageError, match="another one than when the first member"):
        train(settings(data, epochs=1, weights=str(tmp_path / "first.safetensors")), context)
    assert not context.reported(StepDone)


def test_that_named_weights_that_are_missing_are_an_error_before_any_image_is_read(
    data: Prepared, tmp_path: Path
) -> None:
    context = FakeContext(tmp_path)
    with pytest.raises(ModelError, match="not on this computer"):
        train(settings(data, weights="imagenet"), context)
    assert context.events == []


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
    assert not context.reported(StepDone)


def then(act: Callable[..., Any], asked: list[bool]) -> Callable[..., Any]:
    """`act`, at whose end a stop is asked for."""

    def do(*given: Any, **named: Any) -> Any:
        made = act(*given, **named)
        asked[0] = True
        return made

    return do


def test_that_a_training_that_keeps_patients_apart_from_its_first_models_asks_for_that_file(data: Prepared) -> None:
    spec = specs.from_json({**settings(data, weights="auto"), "weights": "a file", "compare": True})
    with pytest.raises(UsageError, match="decides which patients are kept apart"):
        build.parts(spec, data)


@pytest.mark.parametrize(("lacks", "weights"), [(False, "imagenet"), (True, "none")])
def test_that_imagenet_weights_that_one_of_several_machines_lacks_are_taken_by_none_which_is_said(
    tmp_path: Path, lacks: bool, weights: str
) -> None:
    keep_weights({})
    context = FakeContext(tmp_path)
    with Store(tmp_path) as store:
        decided = job._with_weights(specs.TrainSpec(data="-", encoder="resnet18"), None, store, context, lacks=lacks)
    assert decided.weights == weights
    assert ["not every machine" in one.text for one in context.reported(Notice)] == [True] * lacks


def test_that_a_training_does_not_go_on_with_other_patients_held_back_than_it_began_with(
    data: Prepared, tmp_path: Path
) -> None:
    given = settings(data, epochs=1, compare=True)
    models = []
    for name, learned in (("one", data.items[:1]), ("other", data.items[1:])):
        network = build.state(specs.from_json(given), devices.choose("cpu"), data, notice=lambda _: None).network
        models.append(str(tmp_path / f"{name}.safetensors"))
        seen = tuple(sha for item in learned for sha in item.source_sha256)
        weights.save(Path(models[-1]), network, Card(name=name, network=network.spec, data_sha256=seen))
    run = tmp_path / "run"
    train({**given, "weights": models[0]}, FakeContext(run, stop_after=(StepDone, 1)))
    split = (run / "split.json").read_text()
    with pytest.raises(UsageError, match="other patients than those that it was begun with"):
        train({**given, "weights": models[1]}, FakeContext(run))
    assert (run / "split.json").read_text() == split
    train({**given, "weights": models[0]}, again := FakeContext(run))
    assert any(event.text.startswith("Going on after step 1") for event in again.reported(Notice))


def test_that_a_model_names_what_the_model_that_it_began_from_has_seen_also_where_that_is_gone(
    data: Prepared, tmp_path: Path
) -> None:
    given, first = settings(data, epochs=1), tmp_path / "first.safetensors"
    network = build.state(specs.from_json(given), devices.choose("cpu"), data, notice=lambda _: None).network
    weights.save(first, network, Card(name="first", network=network.spec, data_sha256=("ab", "cd")))
    run = tmp_path / "run"
    train({**given, "weights": str(first)}, FakeContext(run, stop_after=(StepDone, 1)))
    first.unlink()
    train({**given, "weights": str(first)}, FakeContext(run))
    own = {sha for item in data.items for sha in item.source_sha256}
    assert set(cards.read(run / "model.safetensors").data_sha256) == {"ab", "cd"} | own

"""What a model is to be used on: as its training, its card and its figures have it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import narrow
import training
from fullfield.data.loader import Loader
from fullfield.data.prepared import Prepared
from fullfield.errors import InputRefused, UsageError
from fullfield.model import card as cards
from fullfield.model import weakness
from fullfield.protocol.events import EpochDone, Notice, SampleWritten, StepDone
from fullfield.train import baselines, evaluate
from fullfield.train.evaluate import Quality
from training import PROCESSED, RAW, FakeContext, prepared_phantoms, train

narrowed = narrow.networks(8)

EPOCHS, TRAINING = 2, 3


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    return prepared_phantoms(
        tmp_path_factory.mktemp("both"), TRAINING + 1, rows=192, columns=176, kinds=(RAW, PROCESSED)
    )


@pytest.fixture(scope="module")
def whole(both: Prepared, tmp_path_factory: pytest.TempPathFactory) -> FakeContext:
    """An uninterrupted training of a model for both."""
    context = FakeContext(tmp_path_factory.mktemp("runs") / "whole")
    train(training.settings(both, epochs=EPOCHS, l1_steps=2), context)
    return context


def test_that_a_model_for_both_says_so_and_was_measured_on_either(whole: FakeContext) -> None:
    card = cards.read(whole.folder / "model.safetensors")
    assert (card.input_kind, card.name, card.plan["use_on"]) == ("any", "resnet18-both-192", "auto")
    apart = (card.metrics["loss_raw"], card.metrics["loss_processed"])
    assert apart[0] != apart[1] and card.metrics["loss"] == pytest.approx(sum(apart) / 2)
    best = min(whole.reported(EpochDone), key=lambda event: event.validation_loss)
    assert best.loss_by_kind == dict(zip(("raw", "processed"), apart, strict=True))
    summary = json.loads((whole.folder / "summary.json").read_text())
    assert summary["data"]["input_kind"] == "any"
    assert {"loss_raw", "loss_processed"} <= summary["baselines"]["unprocessed input"].keys()


def test_that_an_epoch_of_a_model_for_both_has_a_step_for_each_image_and_each_input_can_be_watched(
    whole: FakeContext,
) -> None:
    assert len(whole.reported(StepDone)) == EPOCHS * TRAINING
    assert {event.images for event in whole.reported(SampleWritten)} == {2}


def goes_on(data: Prepared, whole: Path, parts: Path) -> bool:
    """Whether a training that is stopped and resumed leaves the same files as the one in `whole`."""
    given = training.settings(data, epochs=EPOCHS, l1_steps=2)
    train(given, FakeContext(parts, stop_after=(StepDone, TRAINING + 1)))
    second = FakeContext(parts)
    train(given, second)
    assert 0 < len(second.reported(StepDone)) < EPOCHS * TRAINING
    return all(
        (parts / name).read_bytes() == (whole / name).read_bytes() for name in ("model.safetensors", "last.safetensors")
    )


def test_that_a_stopped_training_with_mixed_inputs_goes_on_to_the_same_bits(
    whole: FakeContext, both: Prepared, tmp_path: Path
) -> None:
    assert goes_on(both, whole.folder, tmp_path / "parts")


@pytest.mark.slow
def test_that_a_stopped_training_with_degraded_inputs_goes_on_to_the_same_bits(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path / "data", TRAINING + 1, rows=192, columns=176, kinds=(PROCESSED,))
    train(training.settings(data, epochs=EPOCHS, l1_steps=2), FakeContext(tmp_path / "whole"))
    assert goes_on(data, tmp_path / "whole", tmp_path / "parts")


def test_that_a_training_goes_on_only_for_the_images_that_it_was_begun_for(whole: FakeContext, both: Prepared) -> None:
    with pytest.raises(UsageError, match=r"other settings: use_on\."):
        train(training.settings(both, epochs=EPOCHS, l1_steps=2, use_on="both"), FakeContext(whole.folder))


def test_that_prepared_data_for_other_images_are_refused_before_anything_is_trained(
    both: Prepared, tmp_path: Path
) -> None:
    with pytest.raises(InputRefused, match="prepared for: both"):
        train(training.settings(both, use_on="processed"), FakeContext(tmp_path))


def test_that_it_is_said_where_a_model_for_both_is_measured_on_one_kind_alone(tmp_path: Path) -> None:
    data = prepared_phantoms(tmp_path / "data", 3, rows=192, columns=176, kinds=(RAW, PROCESSED))
    listed = json.loads((data.folder / "prepared.json").read_text())
    context = FakeContext(tmp_path / "run", stop_after=(Notice, 2))
    for item in listed["items"]:
        item["kinds"], item["sha256"] = item["kinds"][:1], item["sha256"][:2]
    (data.folder / "prepared.json").write_text(json.dumps(listed))
    with pytest.raises(Exception, match="stopped before its first step"):
        train(training.settings(data), context)
    texts = [event.text for event in context.reported(Notice)]
    assert any(text.startswith("The images held back have raw input alone") for text in texts)


def over_kinds(both: Prepared, *measured: tuple[str, float]) -> Quality:
    """Of a loss each of "real" raw, "simulated" raw and "processed" inputs."""
    items = {name: replace(both.items[0], simulated=name != "real") for name in ("real", "simulated", "processed")}
    return evaluate.over_kinds(
        (
            (items[name], PROCESSED if name == "processed" else RAW),
            Quality(loss=loss, psnr_db=20, fine_sd_ratio=1, fine_correlation=0.5),
        )
        for name, loss in measured
    )


def test_that_figures_of_two_kinds_are_means_with_the_loss_of_each(both: Prepared) -> None:
    for raw in ("real", "simulated"):
        found = over_kinds(both, (raw, 3.0), ("processed", 1.0), (raw, 5.0))
        assert (found.loss, found.loss_by_kind) == (3.0, {"processed": 1.0, "raw": 4.0})
        assert found.figures["loss_raw"] == 4.0 and "loss_by_kind" not in found.figures
        alone = over_kinds(both, (raw, 3.0)).figures
        assert alone.keys() == {"loss", "psnr_db", "fine_sd_ratio", "fine_correlation"}


def test_that_the_loss_of_simulated_raw_inputs_is_told_beside_that_of_all_raw_ones(both: Prepared) -> None:
    given = (("real", 3.0), ("simulated", 9.0))
    assert over_kinds(both, *given).loss_by_kind == {"simulated": 9.0}
    found = over_kinds(both, *given, ("processed", 1.0))
    assert found.loss_by_kind == {"processed": 1.0, "raw": 6.0, "simulated": 9.0}


def test_that_a_network_is_measured_on_the_very_inputs_that_the_processor_is_held_against_it_on(
    both: Prepared, tmp_path: Path
) -> None:
    items = tuple(replace(item, simulated=place % 2 == 0) for place, item in enumerate(both.items))
    data = replace(both, items=items, conventional=True)
    loader = Loader(data, items)
    found = evaluate.of_model(lambda x_NCHW: x_NCHW, loader)
    unprocessed, _, conventional = baselines.measured(tmp_path, data, items[:1], items, lambda: None)
    assert conventional.name == weakness.ON_SIMULATED
    assert found.loss_by_kind == pytest.approx(unprocessed.quality.loss_by_kind)
    apart = [evaluate.of_pair(*data.load(item, RAW)).loss for item in items if item.simulated]
    assert found.loss_by_kind["simulated"] == pytest.approx(sum(apart) / len(apart)) != found.loss_by_kind["raw"]

"""A network whose results cannot be those of its images, in a batch: a preset's take their place, or they are kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import narrow
import samples
import warm
from flows.command import fullfield
from fullfield.model import seeded, weakness, weights
from fullfield.model.card import NetworkSpec

narrowed = warm.narrow()
SAMPLE = "hand-dx.dcm"


@pytest.fixture(scope="module")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of random weights for images of any kind."""
    path = tmp_path_factory.mktemp("model") / "untrained.safetensors"
    with narrow.as_processes():
        seeded.make(path, NetworkSpec(encoder="resnet18"), seed=3, input_kind="any")
    return path


@pytest.mark.slow
def test_that_a_preset_takes_the_place_of_a_very_doubtful_result_unless_it_is_asked_for(
    untrained: Path, tmp_path: Path
) -> None:
    words = ("--batch", samples.write(tmp_path / "in", SAMPLE), "-o", tmp_path / "out", "--json", "--model", untrained)
    strict = fullfield(*words, "--strict")
    assert strict.code == 9
    (failed,) = strict.of("ItemFailed")
    assert failed["error"]["title"].startswith("This result is doubtful: ")
    assert list((tmp_path / "out").rglob("*.dcm")) == []

    replaced = fullfield(*words)
    (done,) = replaced.of("ItemDone")
    assert replaced.code == 0 and done["method_wanted"] and replaced.of("RunEnded")[0]["summary"]["replaced"] == 1
    assert "1 of them by a preset in the model's place" in replaced.err
    assert any("has taken the place of the model" in event["text"] for event in replaced.of("ItemWarned"))

    kept = fullfield(*words, "--force-result")
    (done,) = kept.of("ItemDone")
    assert kept.code == 0 and done["method_wanted"] == ""
    assert any(event["text"].startswith("Look at this result twice: ") for event in kept.of("ItemWarned"))


@pytest.mark.slow
def test_that_a_model_no_better_than_none_is_confirmed_with_force(untrained: Path, tmp_path: Path) -> None:
    with narrow.as_processes():
        network, card = weights.load(untrained)
    losses = {weakness.UNPROCESSED: 14.8, weakness.CONVENTIONAL: 5.6}
    weights.save(tmp_path / "weak.safetensors", network, replace(card, metrics={"loss": 20.0}, baselines=losses))
    words = (
        "--batch",
        samples.write(tmp_path / "in", SAMPLE),
        "-o",
        tmp_path / "out",
        "--model",
        tmp_path / "weak.safetensors",
    )
    refused = fullfield(*words)
    assert refused.code == 9 and "not better than" in refused.err and "--force-result" in refused.err
    assert fullfield(*words, "--force-result").code == 0

"""A network whose results cannot be those of its images, in a batch: refused by the item, unless they are asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from flows.command import fullfield
from fullfield.files import resource
from fullfield.model import seeded, weakness, weights
from fullfield.model.card import NetworkSpec

SAMPLE = "hand-dx.dcm"


@pytest.fixture(scope="module")
def untrained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of random weights for images of any kind."""
    path = tmp_path_factory.mktemp("model") / "untrained.safetensors"
    seeded.make(path, NetworkSpec(encoder="resnet18"), seed=3, input_kind="any")
    return path


@pytest.mark.slow
def test_that_a_result_that_is_not_trustworthy_fails_its_item_and_force_keeps_it(
    untrained: Path, tmp_path: Path
) -> None:
    words = ("--batch", resource("phantoms") / SAMPLE, "-o", tmp_path / "out", "--json", "--model", untrained)
    refused = fullfield(*words)
    assert refused.code == 9
    (failed,) = refused.of("ItemFailed")
    assert failed["error"]["title"].startswith("This result is not trustworthy: ")
    assert list((tmp_path / "out").rglob("*.dcm")) == []
    kept = fullfield(*words, "--force-result")
    assert kept.code == 0 and len(kept.of("ItemDone")) == 1
    assert any(event["text"].startswith("This result is not trustworthy: ") for event in kept.of("ItemWarned"))


@pytest.mark.slow
def test_that_a_model_no_better_than_none_is_confirmed_with_force(untrained: Path, tmp_path: Path) -> None:
    network, card = weights.load(untrained)
    losses = {weakness.UNPROCESSED: 14.8, weakness.CONVENTIONAL: 5.6}
    weights.save(tmp_path / "weak.safetensors", network, replace(card, metrics={"loss": 20.0}, baselines=losses))
    words = ("--batch", resource("phantoms") / SAMPLE, "-o", tmp_path / "out", "--model", tmp_path / "weak.safetensors")
    refused = fullfield(*words)
    assert refused.code == 9 and "not better than" in refused.err and "--force-result" in refused.err
    assert fullfield(*words, "--force-result").code == 0

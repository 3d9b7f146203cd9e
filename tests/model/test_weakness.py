"""A model has to beat what costs nothing."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from fullfield.enhance import methods, models
from fullfield.errors import ModelError
from fullfield.model import registry, weakness, weights
from fullfield.model.card import Card, NetworkSpec
from fullfield.model.network import build
from fullfield.translation import language

SPEC = NetworkSpec(encoder="resnet18")
BASELINES = {weakness.UNPROCESSED: 14.8, "CLAHE (clip 2, 4×4 tiles)": 3.0, weakness.CONVENTIONAL: 5.6}


def card(loss: float, baselines: dict[str, float] = BASELINES) -> Card:
    return Card(name="m", network=SPEC, metrics={"loss": loss}, baselines=baselines)


def test_that_one_below_both_baselines_is_worth_using() -> None:
    assert weakness.of(card(5.5)) == ""


@pytest.mark.parametrize("loss", [5.6, 9.0, 20.0, math.nan])
def test_that_one_that_does_not_beat_both_is_not(loss: float) -> None:
    assert "not better than" in weakness.of(card(loss))


def test_that_one_for_both_kinds_is_held_against_the_processor_on_raw_input_by_its_loss_there() -> None:
    losses = {weakness.UNPROCESSED: 14.8, weakness.ON_SIMULATED: 5.6}
    good = {"loss": 4.0, "loss_raw": 5.0, "loss_processed": 3.0}
    assert weakness.of(Card(name="m", network=SPEC, metrics=good, baselines=losses)) == ""
    bad = {**good, "loss_raw": 6.0}
    assert "6.00" in weakness.of(Card(name="m", network=SPEC, metrics=bad, baselines=losses))


def test_that_one_whose_raw_input_is_simulated_in_part_is_held_against_the_processor_by_its_loss_on_that_part() -> None:
    losses = {weakness.UNPROCESSED: 14.8, weakness.ON_SIMULATED: 5.6}
    for others in ({}, {"loss_raw": 9.0, "loss_processed": 3.0}):
        good = Card(name="m", network=SPEC, metrics={"loss": 8.0, "loss_simulated": 5.0, **others}, baselines=losses)
        assert weakness.of(good) == ""
        assert "6.00" in weakness.of(replace(good, metrics={**good.metrics, "loss_simulated": 6.0, "loss_raw": 5.0}))


def test_that_the_baseline_that_is_hardest_to_beat_is_named() -> None:
    assert "20.00" in weakness.of(card(20)) and "5.60 of the conventional processor" in weakness.of(card(20))


@pytest.mark.parametrize(
    ("baseline", "called"),
    [
        (weakness.UNPROCESSED, "imagen sin realzar"),
        (weakness.CONVENTIONAL, "procesador convencional"),
        (weakness.ON_SIMULATED, "procesador convencional (entrada sin procesar simulada)"),
    ],
)
def test_that_the_baseline_is_named_whole_in_spanish(baseline: str, called: str) -> None:
    why = weakness.of(Card(name="m", network=SPEC, metrics={"loss": 5.1, "loss_raw": 5.1}, baselines={baseline: 4.2}))
    assert language("es").say(why).endswith(f"su pérdida es 5,10, frente a 4,20 de: {called} (menor es mejor).")


def test_that_one_is_not_held_against_a_baseline_that_is_not_known() -> None:
    assert weakness.of(card(5.5, {**BASELINES, weakness.UNPROCESSED: math.nan})) == ""


def test_that_one_whose_card_has_no_baselines_is_not_judged() -> None:
    assert weakness.of(card(20, {})) == weakness.of(Card(name="m", metrics={}, baselines={})) == ""


@pytest.fixture
def weak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model in this user's folder that is no better than none."""
    monkeypatch.setenv("FULLFIELD_MODELS", str(tmp_path))
    weights.save(tmp_path / "weak.safetensors", build(SPEC), card(20))
    return tmp_path / "weak.safetensors"


def test_that_it_is_marked_wherever_models_are_listed(weak: Path) -> None:
    assert "not better than" in models.listed().models[0].weakness
    assert "not better than" in next(offer.weakness for offer in methods.find_offers() if offer.model)
    assert "not better than" in models.inspect(weak).weakness


def test_that_it_cannot_become_a_default(weak: Path) -> None:
    with pytest.raises(ModelError, match="cannot become a default"):
        registry.set_default("chest", weak.stem)
    assert registry.defaults() == {}
    registry.set_default("chest", "")

"""What images can be enhanced with: the presets that are shipped, this user's own, and this user's models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import map_file
from fullfield.enhance.methods import Offer, find_offers, passed_over
from fullfield.image import own_presets, presets
from fullfield.image.image import InputKind
from fullfield.model import registry, weakness


def test_that_all_shipped_presets_are_offered_by_their_titles() -> None:
    offered = find_offers()
    assert [offer.key for offer in offered] == list(presets.names())
    assert [offer.title for offer in offered] == [presets.load(name).title for name in presets.names()]
    assert not any(offer.model or offer.own or offer.weakness for offer in offered)
    assert not any(offer.why_not(InputKind.RAW, modality="MG") for offer in offered)


def test_that_a_kept_model_is_offered_with_the_images_that_it_serves(model_file: Path) -> None:
    kept = registry.keep(model_file, "knee")
    *shipped, offer = find_offers()
    assert len(shipped) == len(presets.names())
    assert (offer.key, offer.title, offer.model) == (str(kept.path), "knee", True)
    assert "one of the raw ones" in offer.why_not(InputKind.RAW, modality="DX")
    assert offer.why_not(InputKind.PROCESSED, modality="DX") == ""


def test_that_of_an_offer_nothing_is_said_that_is_not_known() -> None:
    offer = Offer(key="x", title="X")
    assert not (offer.model or offer.own or offer.shipped or offer.weakness or offer.served)
    assert offer.why_not(InputKind.RAW, modality="MG") == ""


def test_that_this_users_presets_come_before_the_shipped_ones_and_models_behind_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FULLFIELD_PRESETS", str(tmp_path / "presets"))
    monkeypatch.setenv("FULLFIELD_MODELS", str(tmp_path / "models"))
    chest = replace(presets.load("chest"), species=("human",))
    own_presets.save(chest, title="Ours", body_parts=("CHEST",), taken=frozenset())
    losses = {weakness.UNPROCESSED: 14.8, weakness.CONVENTIONAL: 5.6}
    map_file.write(tmp_path / "weak.safetensors", metrics={"loss": 20.0}, baselines=losses)
    registry.keep(tmp_path / "weak.safetensors", "weak")
    own, *brought, weak = find_offers()
    assert (own.title, own.own, own.model) == ("Ours", True, False)
    assert [offer.key for offer in brought] == list(presets.names())
    assert (weak.title, weak.model, weak.own) == ("weak", True, False)
    assert "not better than" in weak.weakness


def test_that_a_preset_of_this_users_that_cannot_be_used_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FULLFIELD_PRESETS", str(tmp_path))
    assert passed_over() == ()
    (tmp_path / "broken.toml").write_text("this is none")
    assert len(passed_over()) == 1

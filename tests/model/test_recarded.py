"""A model's file under another card: the same tensors, a seal that holds, and the way back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fullfield import files
from fullfield.errors import ModelError
from fullfield.model import card as cards
from fullfield.model import recarded, weights

LICENCE = "Nur für die Klinik \N{COPYRIGHT SIGN}"


def test_that_a_file_is_the_same_under_the_same_card_and_gets_a_licence_that_can_be_taken_away(
    model_file: Path, tmp_path: Path
) -> None:
    own, whole = cards.read(model_file), tmp_path / "whole.safetensors"
    assert recarded.licensed(model_file, own.licence) == files.sha256(model_file)
    network, card = weights.load(model_file)
    weights.save(whole, network, replace(card, plan={"size": 192, "data_licence": "", "seed": 1}, licence=""))
    before, told = whole.read_bytes(), tmp_path / "told.safetensors"
    sha256 = recarded.licensed(whole, LICENCE, told)
    assert files.sha256(told) == sha256 != files.sha256(whole)
    found = weights.load(told)
    assert found.card.licence == found.card.plan["data_licence"] == LICENCE and list(found.card.plan)[1] != "seed"
    for name, one in network.state_dict().items():
        assert (found.network.state_dict()[name] == one).all()
    assert recarded.licensed(told, "") == files.sha256(whole)
    recarded.licensed(told, "", told)
    assert told.read_bytes() == before, "in its own place"


def test_that_a_damaged_file_is_refused_and_nothing_is_left(model_file: Path, tmp_path: Path) -> None:
    content = bytearray(model_file.read_bytes())
    content[-1] ^= 1
    damaged = tmp_path / "damaged.safetensors"
    damaged.write_bytes(content)
    with pytest.raises(ModelError, match="checksum"):
        recarded.licensed(damaged, "ours", tmp_path / "made.safetensors")
    assert [path.name for path in tmp_path.iterdir()] == [damaged.name]

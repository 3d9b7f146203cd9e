"""A model's file under another card: the same tensors, a seal that holds, and the way back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from fullfield import files
from fullfield.errors import ModelError
from fullfield.model import card as cards
from fullfield.model import recarded, weights

PLAN = {"size": 192, "data_licence": "", "reference": "a preset file", "seed": 1}
LICENCE = "Nur für die Klinik \N{COPYRIGHT SIGN}"


def test_that_a_file_is_the_same_under_the_same_card_and_gets_a_licence_that_can_be_taken_away(
    model_file: Path, tmp_path: Path
) -> None:
    own, whole = cards.read(model_file), tmp_path / "whole.safetensors"
    assert recarded.settled(model_file, {"data_licence": own.licence}) == files.sha256(model_file)
    network, card = weights.load(model_file)
    weights.save(whole, network, replace(card, plan=PLAN, licence=""))
    before, told = whole.read_bytes(), tmp_path / "told.safetensors"
    sha256 = recarded.settled(whole, {"data_licence": LICENCE, "reference": "my own", "review": True}, told)
    assert files.sha256(told) == sha256 != files.sha256(whole)
    found = weights.load(told)
    assert found.card.licence == found.card.plan["data_licence"] == LICENCE
    assert list(found.card.plan) == list(PLAN) and found.card.plan["reference"] == "my own"
    for name, one in network.state_dict().items():
        assert (found.network.state_dict()[name] == one).all()
    assert recarded.settled(told, PLAN) == files.sha256(whole)
    recarded.settled(told, PLAN, told)
    assert told.read_bytes() == before, "in its own place"


def test_that_a_damaged_file_is_refused_and_nothing_is_left(model_file: Path, tmp_path: Path) -> None:
    content = bytearray(model_file.read_bytes())
    content[-1] ^= 1
    damaged = tmp_path / "damaged.safetensors"
    damaged.write_bytes(content)
    with pytest.raises(ModelError, match="checksum"):
        recarded.settled(damaged, {"data_licence": "ours"}, tmp_path / "made.safetensors")
    assert [path.name for path in tmp_path.iterdir()] == [damaged.name]


@pytest.mark.parametrize("licence", ["CC BY\tNC", "one\r\ntwo", "x" * 4097])
def test_that_no_card_is_written_that_could_not_be_read(model_file: Path, tmp_path: Path, licence: str) -> None:
    made = tmp_path / "made.safetensors"
    with pytest.raises(ModelError, match="licence of the data"):
        recarded.settled(model_file, {"data_licence": licence}, made)
    assert not made.exists()

"""The model that ships: what lies in `resources/weights`, where any does, is what is told of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fullfield import checked, files
from fullfield.image import guards
from fullfield.model import card as cards
from fullfield.model import shipped, weakness
from support import ROOT

BROUGHT = files.resource("weights")
HERE = (BROUGHT / "shipped.safetensors").exists()


@pytest.mark.skipif(not HERE, reason="no model ships with this version")
def test_that_the_file_is_the_one_that_is_told_of_and_small_and_sound() -> None:
    path = BROUGHT / "shipped.safetensors"
    facts, card = shipped.read_facts(BROUGHT / shipped.FACTS), cards.verify(path.read_bytes())
    assert files.sha256(path) == facts.sha256 and path.stat().st_size <= shipped.LARGEST_BYTES
    assert card.licence == facts.data_licence != "" and not card.for_tests and card.network.of.any_scale
    assert weakness.of(card) == ""
    script = facts.made_by.split()[1]
    assert script == "packaging/scene_model.py" and (ROOT / script).exists()


def test_that_no_facts_and_no_limits_are_left_of_a_model_that_does_not_ship() -> None:
    named = {name for name in checked.parse(files.resource(guards.FILE).read_bytes()) if len(name) == 64}
    told = {shipped.read_facts(BROUGHT / shipped.FACTS).sha256} if HERE else set()
    assert named <= told and (BROUGHT / shipped.FACTS).exists() == HERE


def test_that_facts_that_say_too_little_are_refused(tmp_path: Path) -> None:
    (tmp_path / shipped.FACTS).write_text(json.dumps({"sha256": "0" * 64}))
    with pytest.raises(ValueError, match="data_licence"):
        shipped.read_facts(tmp_path / shipped.FACTS)

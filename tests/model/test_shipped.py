"""The model that ships: what lies in `resources/weights`, where any does, is what is told of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import map_file
from fullfield import checked, files
from fullfield.image import guards, presets
from fullfield.model import card as cards
from fullfield.model import shipped, weakness
from fullfield.model.tried import MOST_LOST, Tried
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
    assert facts.tried.keys() <= set(presets.names()) and 0 < len(facts.left_to_presets) < len(facts.tried)
    script = facts.made_by.split()[1]
    assert script == "packaging/scene_model.py" and (ROOT / script).exists()


def test_that_no_facts_and_no_limits_are_left_of_a_model_that_does_not_ship() -> None:
    named = {name for name in checked.parse(files.resource(guards.FILE).read_bytes()) if len(name) == 64}
    reported = {shipped.read_facts(BROUGHT / shipped.FACTS).sha256} if HERE else set()
    assert named <= reported and (BROUGHT / shipped.FACTS).exists() == HERE


def test_that_facts_that_say_too_little_are_refused(tmp_path: Path) -> None:
    (tmp_path / shipped.FACTS).write_text(json.dumps({"sha256": "0" * 64}))
    with pytest.raises(ValueError, match="data_licence"):
        shipped.read_facts(tmp_path / shipped.FACTS)


def test_that_facts_are_those_of_the_file_that_they_name_and_of_no_other() -> None:
    path = shipped.folder() / "shipped.safetensors"
    sha256 = map_file.write(path)
    assert shipped.facts_of(sha256) is None
    map_file.write_facts(path)
    assert shipped.facts_of(sha256) == shipped.read_facts(path.parent / shipped.FACTS)
    assert shipped.facts_of("0" * 64) is None
    (path.parent / shipped.FACTS).write_text("{")
    assert shipped.facts_of(sha256) is None


def test_that_a_model_leaves_images_to_a_preset_that_shows_more_loses_less_reads_better_or_is_all_that_was_tried() -> (
    None
):
    most = MOST_LOST
    good = {name: Tried(signals=50, median=1.0, lost=most) for name in presets.names() if "general" not in name}
    tried = {
        **good,
        "skull": Tried(signals=50, median=0.999, lost=0.0),
        "spine-raw": Tried(signals=50, median=1.2, lost=most + 0.01),
    }
    del tried["veterinary-trunk"]

    def left(**reported: object) -> tuple[str, ...]:
        return shipped.Facts(sha256="0" * 64, data_licence="own", made_by="a test", **reported).left_to_presets

    assert left(tried=tried, worse=("dental", "skull")) == ("dental", "skull", "spine-raw", "veterinary-trunk")
    assert left(tried=good) == left() == () and left(tried=good, worse=("general",)) == ("general",)

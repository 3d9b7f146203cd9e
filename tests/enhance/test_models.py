"""This user's models as a window shows them."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import map_file
from fullfield import files
from fullfield.enhance import models
from fullfield.enhance.methods import LEARNED, find_offers
from fullfield.errors import ModelError
from fullfield.image import presets
from fullfield.image.image import InputKind
from fullfield.image.method import SHIPPED
from fullfield.model import registry, shipped
from fullfield.model.tried import BESIDE, Tried


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None is there before."""
    monkeypatch.setenv("FULLFIELD_MODELS", str(tmp_path / "models"))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A model file that lies elsewhere."""
    fields: dict[str, Any] = {
        "name": "chest map",
        "modalities": ("DX", "CR"),
        "images": 12,
        "size": "native",
        "long_side": 2000,
    }
    more: dict[str, Any] = {"mm_per_pixel": 0.2, "metrics": {"loss": 1.5, "gone": math.nan}, "versions": {"torch": "2"}}
    map_file.write(tmp_path / "source.safetensors", **fields, **more, plan={"techniques": ["recompute"]})
    return tmp_path / "source.safetensors"


def test_that_a_model_is_told_by_its_card_and_its_file(source: Path) -> None:
    found = models.inspect(source)
    assert (found.name, found.path, found.bytes) == ("chest map", source, source.stat().st_size)
    assert (found.input_kind, found.modalities, found.trained_on) == ("any", ("DX", "CR"), 12)
    assert (found.size, found.long_side, found.mm_per_pixel) == ("native", 2000, 0.2)
    assert dict(found.figures) == {"loss": 1.5}, "what is no number is no figure"
    assert (dict(found.versions), dict(found.plan)) == ({"torch": "2"}, {"techniques": ["recompute"]})
    assert (found.network, found.licence, found.members) == ("map", map_file.LICENCE, 0)
    assert (found.comparison, found.shipped, found.left, dict(found.shows)) == (None, False, (), {})
    assert not found.for_tests and found.weakness == ""
    assert models.sha256(found) == files.sha256(source)


def test_that_a_model_that_is_kept_has_its_own_name_and_is_kept_once(source: Path, tmp_path: Path) -> None:
    assert models.keep(source, "mine") == "mine"
    assert [(one.name, one.path) for one in models.listed().models] == [("mine", models.find("mine"))]
    assert models.kept(source, "other") == models.find("mine"), "it is there already"
    another = tmp_path / "another.safetensors"
    map_file.write(another, name="another")
    assert models.kept(another, "other").stem == "other"
    assert [one.name for one in models.listed().models] == ["mine", "other"]
    models.export("mine", tmp_path / "out.safetensors")
    assert models.inspect(tmp_path / "out.safetensors").trained_on == 12
    models.remove("mine")
    assert [one.name for one in models.listed().models] == ["other"]


def test_that_a_model_is_offered_by_the_name_of_its_file(source: Path) -> None:
    models.keep(source, "mine")
    (found,) = models.listed().models
    offer = found.offer
    assert (offer.key, offer.title, offer.model, offer.shipped) == (str(found.path), "mine", True, False)
    assert "mammograms" in offer.why_not(InputKind.RAW, modality="MG")
    assert offer.why_not(InputKind.RAW, modality="DX") == ""


def test_that_a_shelf_tells_which_model_is_taken_for_which_body_part_and_what_was_before(source: Path) -> None:
    models.keep(source, "mine")
    shelf = models.listed()
    assert (dict(shelf.defaults), dict(shelf.before), shelf.changed, shelf.used("chest")) == ({}, {}, frozenset(), "")
    models.set_default("chest", "mine")
    shelf = models.listed()
    assert (dict(shelf.defaults), dict(shelf.before), shelf.used("chest")) == ({"chest": "mine"}, {"chest": ""}, "mine")
    assert shelf.changed == frozenset(), "its file is as it was"
    assert shelf.used("hand") == ""
    assert models.go_back("chest") == ""
    assert dict(models.listed().defaults) == {}
    assert models.go_back("chest") == "mine"
    models.set_default("chest", "")
    assert models.listed().used("chest") == ""


def test_that_a_model_whose_file_was_changed_is_named_and_not_used(source: Path) -> None:
    models.keep(source, "mine")
    models.set_default("chest", "mine")
    models.set_default("knee", "mine")
    models.set_default("knee", "")
    map_file.write(models.find("mine"), name="another one")
    shelf = models.listed()
    assert shelf.changed == {"chest"} and shelf.used("chest") == "" and shelf.defaults["chest"] == "mine"


def test_that_choices_that_cannot_be_read_are_an_error_where_they_are_needed(source: Path) -> None:
    models.require_choices()
    models.keep(source, "mine")
    (registry.folder() / registry.DEFAULTS).write_text("{")
    with pytest.raises(ModelError):
        models.require_choices()
    assert [one.name for one in models.listed().models] == ["mine"]


def test_that_a_model_can_be_the_default_of_every_part_that_a_preset_is_for_and_of_nothing_else() -> None:
    found = models.body_parts()
    assert {"chest", "hand", "mammography"} & set(found) and "general" not in found
    assert not any(name.endswith(presets.RAW_VARIANT) for name in found)
    assert all(title == presets.load(name).title for name, title in found.items())
    assert set(found) == {name for name in presets.names() if "raw" not in name} - {"general"}


def test_that_a_file_is_taken_for_a_body_part_while_it_is_the_one_that_is_meant(source: Path) -> None:
    digest = files.sha256(source)
    assert models.holds(source, digest) and not models.holds(source, "0" * 64)
    assert not models.holds(source.with_name("gone"), digest)
    with pytest.raises(ModelError, match="Cannot use this model") as refused:
        models.take(source, "mine", "chest", sha256="0" * 64)
    assert "changed" in refused.value.detail and models.listed().models == ()
    assert models.take(source, "mine", "chest", sha256=digest) == "mine"
    assert models.take(source, "another name", "knee") == "mine"
    assert dict(models.listed().defaults) == {"chest": "mine", "knee": "mine"}


def test_that_the_model_that_ships_is_first_by_its_own_title_with_what_it_was_tried_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: Path
) -> None:
    monkeypatch.setenv("FULLFIELD_WEIGHTS", str(tmp_path / "weights"))
    there = shipped.file_of(registry.folder(), SHIPPED)
    map_file.write(there, name="of the program")
    better, worse = Tried(signals=9, median=1.25, lost=0.0), Tried(signals=9, median=0.5, lost=1.0)
    map_file.write_facts(there, **{"chest": better, "extremity": worse, "no such preset": better})
    models.keep(source, "mine")
    assert [offer.title for offer in find_offers() if offer.model] == [LEARNED, "mine"]
    assert find_offers()[0].shipped and not find_offers()[-1].shipped
    first, other = sorted(models.listed().models, key=lambda one: not one.shipped)
    assert (first.offer.title, first.offer.shipped, first.path) == (LEARNED, True, there)
    titles = {name: presets.load(name).title for name in presets.names()}
    assert dict(first.shows) == {titles["chest"]: 1.25, titles["extremity"]: 0.5}
    assert titles["extremity"] in first.left and titles["chest"] not in first.left
    assert (other.name, other.left, dict(other.shows)) == ("mine", (), {})


def test_that_what_a_model_of_this_users_was_tried_on_lies_beside_it(source: Path) -> None:
    tried = {"chest": Tried(signals=9, median=0.75, lost=0.5)}
    source.with_suffix(BESIDE).write_text(json.dumps({name: asdict(one) for name, one in tried.items()}))
    assert dict(models.inspect(source).shows) == {presets.load("chest").title: 0.75}
    assert models.inspect(source).left == (), "its user decides"

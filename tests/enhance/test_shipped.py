"""The model that ships is one more model of every user's: always there, deleted by nobody, taken where it is named."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import map_file
from enhance.conftest import MakeDecoded
from fullfield import files, parts
from fullfield.enhance import models
from fullfield.enhance.choose import Chosen, default_model, open_choice
from fullfield.enhance.guarded import Policy
from fullfield.enhance.methods import find_offers
from fullfield.errors import ModelError
from fullfield.image import guards, presets
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced
from fullfield.image.method import Method
from fullfield.model import registry, shipped
from fullfield.model.tried import Tried
from light import hidden

USED = """
import json, sys
from pathlib import Path
from fullfield.enhance.choose import open_choice
from fullfield.image import phantom
from fullfield.image.cache import Decoded
from fullfield.image.header import Header
from fullfield.image.phantom import PhantomKind

enhancer = open_choice("shipped.safetensors", device="auto", notice=lambda text: None)
image = phantom.raw(PhantomKind.CHEST, longer=700, seed=2)
rows, columns = image.pixels.shape
size = {"rows": rows, "columns": columns, "bits_stored": image.bits}
header = Header(source_format="dicom", sha256="0" * 64, photometric="MONOCHROME2", **size)
enhanced = enhancer.enhance(Decoded(image=image, header=header, folder=Path("none")))
print(json.dumps({"sha256": enhanced.recipe.sha256, "spread": int(enhanced.pixels.max()) - int(enhanced.pixels.min()),
    "wanted": enhanced.method_wanted, "heavy": "torch" in sys.modules}))
"""


@pytest.fixture
def ships() -> Path:
    """A model that ships."""
    path = shipped.folder() / "shipped.safetensors"
    map_file.write(path)
    return path


def test_that_it_enhances_where_torch_is_not_installed_and_its_hash_is_in_the_recipe(
    ships: Path, tmp_path: Path
) -> None:
    environment = hidden(tmp_path / "hidden", parts.PACKAGES)
    done = subprocess.run([sys.executable, "-c", USED], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["sha256"] == files.sha256(ships) and not found["heavy"]
    assert found["spread"] > 1000 and found["wanted"] == ""


def test_that_it_is_refused_in_words_where_none_ships() -> None:
    with pytest.raises(ModelError, match="Cannot use the shipped model") as refused:
        open_choice("shipped.safetensors", device="cpu", notice=lambda text: None)
    assert "No trained model ships with this installation" in refused.value.detail and "preset" in refused.value.hint
    assert not any(offer.shipped for offer in find_offers())


def test_that_it_is_offered_first_as_learned_and_auto_stays_a_preset(ships: Path, radiograph: MakeDecoded) -> None:
    first, *others = find_offers()
    assert (first.key, first.title, first.shipped, first.model) == (str(ships), "Learned", True, True)
    assert [offer.key for offer in others] == list(presets.names())
    decoded = radiograph(300, 260, body_part="CHEST")
    assert default_model(Method(), decoded) == ("", "")
    assert Chosen(device="cpu", say=lambda text: None).enhance(decoded, Method()).recipe.method == "preset"


def test_that_it_is_used_for_a_body_part_left_again_and_not_exchanged_by_an_update(
    ships: Path, radiograph: MakeDecoded
) -> None:
    decoded = radiograph(300, 260, body_part="CHEST")
    models.set_default("chest", "shipped")
    assert default_model(Method(), decoded) == (str(ships), "") and models.listed().defaults == {"chest": "shipped"}
    map_file.write(ships, name="of another version")
    found, why = default_model(Method(), decoded)
    assert found == "" and "changed since it was chosen" in why
    assert models.go_back("chest") == ""
    with pytest.raises(ModelError, match="changed since it was chosen"):
        models.go_back("chest")
    models.set_default("chest", "shipped")
    assert default_model(Method(), decoded) == (str(ships), ""), "chosen anew, it is as it is now"
    ships.unlink()
    assert models.listed().defaults == {} and default_model(Method(), decoded) == ("", "")


def test_that_a_copy_may_not_have_its_name_and_is_known_as_the_same(ships: Path, tmp_path: Path) -> None:
    models.export("shipped", tmp_path / "copy.safetensors")
    assert models.kept(tmp_path / "copy.safetensors", "copy") == ships
    assert models.keep(tmp_path / "copy.safetensors", "shipped") == "shipped-2"
    assert [(model.name, model.shipped) for model in models.listed().models] == [
        ("shipped", True),
        ("shipped-2", False),
    ]


def test_that_models_are_told_with_the_size_of_their_file_and_one_that_has_just_been_deleted_not_at_all(
    ships: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = registry.folder() / "own.safetensors"
    map_file.write(own)
    assert [model.bytes for model in models.listed().models] == [ships.stat().st_size, own.stat().st_size]
    found = registry.known()
    own.unlink()
    monkeypatch.setattr(registry, "known", lambda: found)  # what was there a moment ago
    assert [model.bytes for model in models.listed().models] == [ships.stat().st_size]


def test_that_it_leaves_images_that_it_shows_less_of_to_their_preset_and_says_so(
    ships: Path, tmp_path: Path, radiograph: MakeDecoded
) -> None:
    map_file.write_facts(
        ships, chest=Tried(signals=60, median=0.9, lost=0.4), skull=Tried(signals=60, median=1.2, lost=0)
    )
    models.export("shipped", tmp_path / "copy.safetensors")
    chest, skull = (radiograph(300, 260, body_part=part) for part in ("CHEST", "SKULL"))

    def by(decoded: Decoded, choice: str = "shipped.safetensors", **policy: bool) -> Enhanced:
        opened = open_choice(choice, device="cpu", notice=lambda text: None, policy=Policy(**policy))
        return opened.enhance(decoded)

    for choice in ("shipped.safetensors", str(tmp_path / "copy.safetensors")):
        left = by(chest, choice)
        assert (left.recipe.name, left.method_wanted) == ("chest", "flat map")
        assert "has taken the place of the model flat map" in left.doubt
        assert "it was not found better" in left.doubt
    assert by(skull).recipe.name == "flat map" and by(skull).method_wanted == ""
    assert by(chest, force=True).recipe.name == by(chest, force=True, strict=True).recipe.name == "flat map"
    with pytest.raises(ModelError, match="not for such images") as refused:
        by(chest, strict=True)
    assert "preset chest" in refused.value.detail
    (shipped_model,) = models.listed().models
    assert "Chest" in shipped_model.left and not {"Skull", "General"} & set(shipped_model.left)
    assert shipped_model.shows == {"Chest": 0.9, "Skull": 1.2}


def test_that_limits_go_with_its_hash_also_to_a_copy_under_another_name(
    ships: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, radiograph: MakeDecoded
) -> None:
    brought, own, copy = files.resource(guards.FILE), tmp_path / guards.FILE, tmp_path / "copy.safetensors"
    shutil.copy(brought, own)
    shutil.copy(ships, copy)
    monkeypatch.setattr(guards.files, "resource", lambda name: own)
    decoded = radiograph(300, 260)

    def wanted(choice: Path) -> str:
        opened = open_choice(str(choice), device="cpu", notice=lambda text: None)
        return opened.enhance(decoded).method_wanted

    assert wanted(ships) == wanted(copy) == ""
    guards.keep_limits(own, files.sha256(ships), guards.Limits(of={"unlike": 1e-9}), instead="")
    assert wanted(ships) == wanted(copy) == "flat map"
    guards.keep_limits(own, "0" * 64, None, instead=files.sha256(ships))
    assert own.read_bytes() == brought.read_bytes()

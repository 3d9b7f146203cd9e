"""What "auto" takes: the preset that fits, or the model that this user takes for the body part."""

from __future__ import annotations

from pathlib import Path

import pytest

import map_file
from enhance.conftest import MakeDecoded
from fullfield import files
from fullfield.enhance import models
from fullfield.enhance.choose import Chosen, default_model, open_choice, preset_for, with_warning
from fullfield.enhance.enhancer import by_preset
from fullfield.errors import InputRefused, ModelError
from fullfield.image import guards, own_presets, presets
from fullfield.image.image import InputKind
from fullfield.image.method import Method
from fullfield.model import registry

AUTO = Method()


@pytest.fixture(autouse=True)
def chest(model_file: Path) -> Path:
    """A model for processed images, the default for chests."""
    kept = registry.keep(model_file, "my chest")
    registry.set_default("chest", kept.name)
    return kept.path


def test_that_auto_takes_the_model_of_the_body_part(radiograph: MakeDecoded, chest: Path) -> None:
    decoded = radiograph(200, 180, body_part="CHEST")
    assert default_model(AUTO, decoded) == (str(chest), "")


@pytest.mark.parametrize("kind", [InputKind.PROCESSED, InputKind.RAW])
def test_that_a_preset_of_the_users_own_for_the_body_part_does_not_hide_the_model(
    radiograph: MakeDecoded, chest: Path, kind: InputKind
) -> None:
    shipped = presets.load("chest" if kind is InputKind.PROCESSED else "chest-raw")
    own_presets.save(shipped, title="Ours", body_parts=("CHEST",), taken=frozenset())
    decoded = radiograph(200, 180, body_part="CHEST", kind=kind)
    assert preset_for(AUTO, decoded).name == "ours"
    model, why = default_model(AUTO, decoded)
    assert (model, why) == (str(chest), "") if kind is InputKind.PROCESSED else why


@pytest.mark.parametrize(
    "method", [Method(choice="chest"), Method(changes=(("detail.gain", 2.0),))], ids=["a preset", "a changed preset"]
)
def test_that_what_is_chosen_by_hand_wins(radiograph: MakeDecoded, method: Method) -> None:
    decoded = radiograph(200, 180, body_part="CHEST")
    assert default_model(method, decoded) == ("", "")


def test_that_an_image_that_a_model_cannot_serve_is_refused_before_the_model_is_opened(
    radiograph: MakeDecoded, chest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fullfield.enhance.choose.open_choice", lambda *_, **__: pytest.fail("it was opened"))
    chosen = Chosen(device="cpu", say=lambda text: None)
    decoded = radiograph(200, 180, kind=InputKind.RAW)
    for choice in (str(chest), chest.name):
        with pytest.raises(InputRefused, match="this image is one of the raw ones"):
            chosen.enhance(decoded, Method(choice=choice))


def test_that_a_model_that_was_replaced_or_removed_does_not_go_on_enhancing(
    radiograph: MakeDecoded, tmp_path: Path
) -> None:
    path, decoded = tmp_path / "m.safetensors", radiograph(200, 180)
    chosen = Chosen(device="cpu", say=lambda text: None)
    for licence in ("one", "another"):
        sha256 = map_file.write(path, licence=licence)
        assert chosen.enhance(decoded, Method(choice=str(path))).recipe.sha256 == sha256
    path.unlink()
    with pytest.raises(ModelError, match="Cannot find the model 'm'"):
        chosen.enhance(decoded, Method(choice=str(path)))


def test_that_a_preset_of_the_users_own_that_cannot_be_used_is_told_once_where_auto_passes_it_over(
    radiograph: MakeDecoded,
) -> None:
    own_presets.folder().mkdir(parents=True)
    (own_presets.folder() / "ours.toml").write_text("name = ", encoding="utf-8")
    said: list[str] = []
    opened = open_choice(presets.AUTO, device="cpu", notice=said.append)
    for _ in range(2):
        opened.enhance(radiograph(200, 180, body_part="CHEST"))
    (text,) = said
    assert text.startswith("Your preset ours is not chosen automatically: its file cannot be used. It is not TOML: ")
    open_choice("chest", device="cpu", notice=said.append)
    assert said == [text]


def test_that_limits_that_were_laid_beside_a_model_since_its_last_image_are_those_that_count(
    radiograph: MakeDecoded, tmp_path: Path
) -> None:
    path, limits, decoded = tmp_path / "m.safetensors", tmp_path / "m.guards.json", radiograph(200, 180)
    map_file.write(path)
    chosen = Chosen(device="cpu", say=lambda text: None)

    def doubt() -> str:
        return chosen.enhance(decoded, Method(choice=str(path))).doubt

    assert not doubt()
    narrow = dict.fromkeys(guards.read_limits(guards.MAP).of, 1e-09)
    guards.write_limits(limits, {guards.MAP: guards.Limits(of=narrow)})
    assert "has taken the place of the model" in doubt()
    limits.unlink()
    assert not doubt()


def _gone_before_it_is_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed = files.sha256

    def late(path: Path) -> str:
        path.unlink()
        return hashed(path)

    monkeypatch.setattr(files, "sha256", late)


def test_that_a_model_that_vanishes_while_it_is_opened_is_said_to_be_gone(
    radiograph: MakeDecoded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    map_file.write(tmp_path / "m.safetensors")
    path = registry.resolve(str(tmp_path / "m.safetensors"))
    _gone_before_it_is_hashed(monkeypatch)
    with pytest.raises(ModelError, match="The file is not there"):
        open_choice(str(path), device="cpu", notice=lambda text: None)
    monkeypatch.setattr(registry, "resolve", lambda choice: path)
    with pytest.raises(ModelError, match="The file is not there"):
        Chosen(device="cpu", say=lambda text: None).enhance(radiograph(200, 180), Method(choice=str(path)))


def test_that_the_preset_takes_the_place_of_a_default_that_vanishes_while_it_is_looked_at(
    radiograph: MakeDecoded, chest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _gone_before_it_is_hashed(monkeypatch)
    model, why = default_model(AUTO, radiograph(200, 180, body_part="CHEST"))
    assert model == "" and "The file is not there" in why


@pytest.mark.parametrize(
    "content", ["garbage", "{}", "[]", '{"map": {"x": -1}, "unet": 3}', '{"map": {"x": 1' + "0" * 400 + "}}"]
)
def test_that_damaged_limits_beside_a_model_are_named_and_a_default_that_has_them_gives_way_to_the_preset(
    radiograph: MakeDecoded, chest: Path, content: str
) -> None:
    (chest.parent / "my chest.guards.json").write_text(content)
    model, why = default_model(AUTO, radiograph(200, 180, body_part="CHEST"))
    assert model == "" and "my chest.guards.json are damaged" in why
    with pytest.raises(ModelError, match=r"my chest\.guards\.json") as refused:
        guards.read_limits(guards.MAP, chest)
    assert "Delete" in refused.value.hint


def test_that_a_model_that_vanishes_costs_the_list_of_models_its_own_line_alone(
    chest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    map_file.write(registry.folder() / "kept.safetensors")
    known = registry.known()
    chest.unlink()
    monkeypatch.setattr(registry, "known", lambda: known)
    assert [one.name for one in models.listed().models] == ["kept"]


def test_that_other_body_parts_keep_their_preset(radiograph: MakeDecoded) -> None:
    decoded = radiograph(200, 180, body_part="KNEE")
    assert default_model(AUTO, decoded) == ("", "")


def test_that_a_model_for_another_kind_gives_way_to_the_preset_and_that_is_said(radiograph: MakeDecoded) -> None:
    decoded = radiograph(200, 180, body_part="CHEST", kind=InputKind.RAW)
    preset = preset_for(AUTO, decoded)
    model, why = default_model(AUTO, decoded)
    assert model == "" and "processed" in why
    assert with_warning(by_preset(decoded, preset), why).warnings[-1] == why

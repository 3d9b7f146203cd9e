"""Results are judged before anybody sees them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import map_file
from fullfield.enhance import choose
from fullfield.enhance.enhancer import open_preset
from fullfield.enhance.guarded import Guarded, Policy
from fullfield.enhance.map_network import MapNetwork
from fullfield.enhance.network import open_model
from fullfield.errors import ExitCode, ModelError, ResultDoubtful
from fullfield.image import guards, own_presets, presets
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced
from fullfield.image.method import Method
from fullfield.model import registry, weakness, weights
from fullfield.model.card import Card, NetworkSpec
from fullfield.model.network import build

MakeDecoded = Callable[..., Decoded]
Change = Callable[[Enhanced], Enhanced]
Make = Callable[..., Guarded]


class FakeModel:
    """Makes of an image what its preset makes, changed as a test says."""

    def __init__(self, change: Change) -> None:
        self._preset, self._change = open_preset("general"), change
        self.recipe = replace(self._preset.recipe, method="model", name="made for this test")

    def enhance(self, decoded: Decoded) -> Enhanced:
        return self._change(replace(self._preset.enhance(decoded), recipe=self.recipe, warnings=("before",)))


def as_it_is(enhanced: Enhanced) -> Enhanced:
    return enhanced


def inverted(enhanced: Enhanced) -> Enhanced:
    return replace(enhanced, pixels=((1 << enhanced.bits) - 1 - enhanced.pixels).astype(np.uint16))


@pytest.fixture
def guarded(radiograph: MakeDecoded, tmp_path: Path) -> Callable[..., Guarded]:
    """A model whose limits are those of its own sound result."""
    decoded = radiograph(300, 260)
    sound = guards.found(decoded.image, FakeModel(as_it_is).enhance(decoded)).figures
    guards.write_limits(tmp_path / "model.guards.json", {guards.MAP: guards.limits_of([sound])})

    def make(change: Change, *, model: bool = True, **policy: bool) -> Guarded:
        path = tmp_path / "model.safetensors" if model else None
        return Guarded(FakeModel(change), method=guards.MAP, model=path, policy=Policy(**policy))

    return make


def test_that_a_sound_result_is_given_as_it_is_with_its_marks(guarded: Make, radiograph: MakeDecoded) -> None:
    decoded = radiograph(300, 260)
    enhanced = guarded(as_it_is).enhance(decoded)
    assert (
        enhanced.warnings == ("before",)
        and enhanced.doubt == ""
        and enhanced.method_wanted == ""
        and enhanced.marks is not None
    )
    assert np.array_equal(enhanced.pixels, open_preset("general").enhance(decoded).pixels)


def test_that_a_preset_takes_the_place_of_a_very_doubtful_one(guarded: Make, radiograph: MakeDecoded) -> None:
    decoded = radiograph(300, 260)
    enhanced = guarded(inverted).enhance(decoded)
    assert enhanced.method_wanted == "made for this test" and enhanced.recipe.method == "preset"
    assert np.array_equal(enhanced.pixels, open_preset("auto").enhance(decoded).pixels)
    assert enhanced.doubt.startswith("The preset general has taken the place of the model made for this test: ")


def test_that_what_is_given_instead_of_a_result_that_is_there_is_told(guarded: Make, radiograph: MakeDecoded) -> None:
    decoded = radiograph(300, 260)
    for change, given in ((as_it_is, ""), (inverted, guarded(inverted).enhance(decoded).doubt)):
        assert guarded(as_it_is).instead(decoded, FakeModel(change).enhance(decoded)) == given


def test_that_a_slightly_doubtful_one_is_warned_about(
    guarded: Make, radiograph: MakeDecoded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fullfield.enhance.guarded.REPLACED", 1e12)
    enhanced = guarded(inverted).enhance(radiograph(300, 260))
    assert enhanced.method_wanted == "" and enhanced.doubt.startswith("Look at this result twice: ")


def test_that_force_keeps_it_and_says_so(guarded: Make, radiograph: MakeDecoded) -> None:
    enhanced = guarded(inverted, force=True, strict=True).enhance(radiograph(300, 260))
    assert enhanced.recipe.method == "model" and enhanced.doubt.startswith("Look at this result twice: ")


@pytest.mark.parametrize("model", [True, False])
def test_that_strict_fails_it_in_words_and_blames_no_model_where_there_is_none(
    model: bool, guarded: Make, radiograph: MakeDecoded
) -> None:
    with pytest.raises(ModelError if model else ResultDoubtful, match=r"^This result is doubtful: ") as refused:
        guarded(inverted, model=model, strict=True).enhance(radiograph(300, 260))
    assert "made for this test" in refused.value.detail and "--strict" in refused.value.hint
    assert refused.value.exit_code == (ExitCode.MODEL if model else ExitCode.NO_INPUT_USABLE)


def test_that_a_preset_is_only_warned_about(guarded: Make, radiograph: MakeDecoded) -> None:
    enhanced = guarded(inverted, model=False).enhance(radiograph(300, 260))
    assert enhanced.method_wanted == "" and enhanced.doubt.startswith("Look at this result twice: ")


def test_that_what_may_take_a_models_place_decides_its_results_too(
    guarded: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FULLFIELD_PRESETS", str(tmp_path / "presets"))
    (tmp_path / "model.guards.json").rename(tmp_path / "limits")
    recipe = guarded(as_it_is).recipe.sha256
    assert guarded(as_it_is).decided_by == recipe
    chest = replace(presets.load("chest"), species=("human",))
    own_presets.save(chest, title="Ours", body_parts=("CHEST",), taken=frozenset())
    with_preset = guarded(as_it_is).decided_by
    (tmp_path / "limits").rename(tmp_path / "model.guards.json")
    assert len({recipe, with_preset, guarded(as_it_is).decided_by}) == 3
    assert guarded(as_it_is, force=True).decided_by == guarded(as_it_is, model=False).decided_by == recipe


def test_that_limits_beside_a_model_are_its_own(radiograph: MakeDecoded, tmp_path: Path) -> None:
    (tmp_path / "own.guards.json").write_text('{"map": {"drawn 0": 1e-9}}')
    judge = Guarded(FakeModel(as_it_is), method=guards.MAP, model=tmp_path / "own.safetensors", policy=Policy())
    assert judge.enhance(radiograph(300, 260)).method_wanted == "made for this test"


def test_that_figures_that_older_limits_beside_a_model_lack_have_those_of_its_kind(tmp_path: Path) -> None:
    (tmp_path / "older.guards.json").write_text('{"map": {"spot 0": 0.5}}')
    limits = guards.read_limits(guards.MAP, tmp_path / "older.safetensors").of
    brought = guards.read_limits(guards.MAP).of
    assert limits["spot 0"] == 0.5 != brought["spot 0"] and limits["unlike"] == brought["unlike"] < 0.002
    assert "unlike" not in guards.read_limits(guards.PRESET).of


def test_that_a_map_models_result_is_held_against_what_it_says(radiograph: MakeDecoded, tmp_path: Path) -> None:
    map_file.write(tmp_path / "map.safetensors")
    decoded = radiograph(300, 260)
    enhancer = open_model(tmp_path / "map.safetensors", device="cpu", notice=lambda text: None)

    class Spoiling:
        recipe = enhancer.recipe

        def enhance(self, decoded: Decoded) -> Enhanced:
            made = enhancer.enhance(decoded)
            made.pixels[150, 100:140] += 41  # a line of 1 %, one pixel wide
            return made

    sound = Guarded(enhancer, method=guards.MAP, model=tmp_path / "map.safetensors", policy=Policy())
    assert sound.enhance(decoded).doubt == ""
    spoilt = Guarded(Spoiling(), method=guards.MAP, model=tmp_path / "map.safetensors", policy=Policy())
    assert spoilt.enhance(decoded).method_wanted == "flat map"


def test_that_a_preset_takes_the_place_of_a_map_whose_numbers_are_none(
    radiograph: MakeDecoded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    map_file.write(tmp_path / "map.safetensors")
    enhancer = open_model(tmp_path / "map.safetensors", device="cpu", notice=lambda text: None)
    decoded = radiograph(300, 260)
    says = MapNetwork.__call__
    monkeypatch.setattr(MapNetwork, "__call__", lambda *given: says(*given) * np.float32(np.nan))
    assert not enhancer.enhance(decoded).pixels.any()
    judge = Guarded(enhancer, method=guards.MAP, model=tmp_path / "map.safetensors", policy=Policy())
    made = judge.enhance(decoded)
    assert made.method_wanted == "flat map" and made.pixels.any()


@pytest.fixture
def weak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model of this user that is no better than none."""
    monkeypatch.setenv("FULLFIELD_MODELS", str(tmp_path))
    spec, losses = NetworkSpec(encoder="resnet18"), {weakness.UNPROCESSED: 14.8, weakness.CONVENTIONAL: 5.6}
    made = Card(name="weak", network=spec, metrics={"loss": 20.0}, baselines=losses)
    weights.save(tmp_path / "weak.safetensors", build(spec), made)
    return tmp_path / "weak.safetensors"


def test_that_a_batch_does_not_take_a_model_that_is_no_better_than_none(weak: Path) -> None:
    with pytest.raises(ModelError, match="without a confirmation") as refused:
        choose.refuse_weak(str(weak))
    assert "--force-result" in refused.value.hint
    choose.refuse_weak("auto")


def test_that_one_made_a_default_by_an_earlier_version_is_not_taken(weak: Path, radiograph: MakeDecoded) -> None:
    (registry.folder() / registry.DEFAULTS).write_text('{"chest": "weak"}')
    path, why = choose.default_model(Method(), radiograph(64, 64, body_part="CHEST"))
    assert path == "" and "not better than" in why

"""Results of a network are judged before anybody sees them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from fullfield.enhance import choose
from fullfield.enhance.network import NetworkEnhancer
from fullfield.enhance.trusted import Trusted
from fullfield.errors import ModelError
from fullfield.image import normalise
from fullfield.image.cache import Decoded
from fullfield.image.image import Enhanced, HighValues, Pixels, Recipe
from fullfield.image.method import Method
from fullfield.model import registry, weakness, weights
from fullfield.model.card import Card, NetworkSpec
from fullfield.model.network import build

MakeDecoded = Callable[..., Decoded]


class FakeNetwork:
    """Makes of an image what a test says."""

    def __init__(self, make: Callable[[Pixels], Pixels]) -> None:
        self.recipe = Recipe(method="model", name="made for this test", version="1", sha256="0" * 64)
        self.card, self.input_table = Card(name="made for this test"), normalise.input_table
        self._make = make

    def enhance(self, decoded: Decoded) -> Enhanced:
        return Enhanced(pixels=self._make(decoded.image.pixels), bits=12, recipe=self.recipe, warnings=("before",))


def trusted(make: Callable[[Pixels], Pixels], *, force: bool = False) -> Trusted:
    return Trusted(cast(NetworkEnhancer, FakeNetwork(make)), force=force)


def inverted(pixels: Pixels) -> Pixels:
    return (4095 - pixels).astype(np.uint16)


def test_that_a_result_of_the_image_is_given_as_it_is(radiograph: MakeDecoded) -> None:
    decoded = radiograph(300, 260)
    enhanced = trusted(lambda pixels: pixels).enhance(decoded)
    assert np.array_equal(enhanced.pixels, decoded.image.pixels) and enhanced.warnings == ("before",)


def test_that_another_is_refused_in_words(radiograph: MakeDecoded) -> None:
    with pytest.raises(ModelError, match=r"^This result is not trustworthy: .*coarse structures") as refused:
        trusted(inverted).enhance(radiograph(300, 260))
    assert "made for this test" in refused.value.detail and "--force-result" in refused.value.hint


def test_that_force_gives_it_with_a_warning(radiograph: MakeDecoded) -> None:
    warnings = trusted(inverted, force=True).enhance(radiograph(300, 260)).warnings
    assert warnings[0] == "before" and warnings[1].startswith("This result is not trustworthy: ")


def test_that_a_negative_is_judged_as_the_network_saw_it(radiograph: MakeDecoded) -> None:
    negative = radiograph(300, 260, beam=HighValues.BRIGHT)
    assert trusted(lambda pixels: pixels).enhance(negative).pixels.shape == (300, 260)
    with pytest.raises(ModelError):
        trusted(inverted).enhance(negative)


def test_that_padding_is_no_agreement(radiograph: MakeDecoded) -> None:
    decoded = radiograph(300, 260)
    pixels = decoded.image.pixels.copy() // 2 + 100
    pixels[:200] = 0
    padded = replace(decoded, image=replace(decoded.image, pixels=pixels, padding=(0, 0)))

    def inside_inverted(given: Pixels) -> Pixels:
        return np.where(given == 0, given, 2200 - given).astype(np.uint16)

    with pytest.raises(ModelError):
        trusted(inside_inverted).enhance(padded)


def test_that_the_bounds_of_the_card_are_those_that_count(radiograph: MakeDecoded) -> None:
    network = FakeNetwork(lambda pixels: pixels)
    network.card = replace(network.card, bounds={"fine_high": 0.5, "fine_low": 0.1})
    with pytest.raises(ModelError, match="more fine structure"):
        Trusted(cast(NetworkEnhancer, network), force=False).enhance(radiograph(300, 260))


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

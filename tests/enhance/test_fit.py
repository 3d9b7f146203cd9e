"""Whether a model is meant for an image."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fullfield.enhance import fit
from fullfield.errors import InputRefused
from fullfield.image.cache import Decoded
from fullfield.image.image import InputKind
from fullfield.model.card import Card
from fullfield.model.spec import named

MakeDecoded = Callable[..., Decoded]


def card(**fields: Any) -> Card:
    return Card(name="knee", **{"mm_per_pixel": 0.2, "long_side": 2000, **fields})


@pytest.mark.parametrize("spacing", [0.14, 0.2, 0.29])
def test_that_a_scale_within_one_and_a_half_is_not_warned_about(radiograph: MakeDecoded, spacing: float) -> None:
    image = radiograph(10, 10, spacing_mm=(spacing, spacing)).image
    assert fit.warnings(image, card()) == ()


@pytest.mark.parametrize(
    ("spacing", "said"), [(0.1, "2.0 times finer"), (0.13, "1.5 times finer"), (0.32, "1.6 times coarser")]
)
def test_that_another_scale_is_warned_about_with_the_choices_named(
    radiograph: MakeDecoded, spacing: float, said: str
) -> None:
    (text,) = fit.warnings(radiograph(10, 10, spacing_mm=(spacing, spacing)).image, card())
    assert said in text
    assert f"{spacing:.3g} mm per pixel" in text
    assert "trained at 0.2" in text
    for choice in ("model trained at this scale", "fullfield train --size native", "preset", "not resized"):
        assert choice in text


@pytest.mark.parametrize(("side", "said"), [(60, ""), (50, "2.0 times coarser"), (200, "2.0 times finer")])
def test_that_without_a_spacing_the_longer_side_decides(radiograph: MakeDecoded, side: int, said: str) -> None:
    texts = fit.warnings(radiograph(side, 40).image, card(long_side=70 if side == 60 else 100))
    assert (said in texts[0]) if said else texts == ()


def test_that_a_card_without_a_scale_is_said(radiograph: MakeDecoded) -> None:
    (text,) = fit.warnings(radiograph(10, 10).image, card(mm_per_pixel=None, long_side=None))
    assert "does not say at which scale" in text


def test_that_a_model_for_tests_is_said_with_every_picture(radiograph: MakeDecoded) -> None:
    (text,) = fit.warnings(radiograph(10, 10).image, card(mm_per_pixel=None, long_side=None, for_tests=True))
    assert "nobody trained it" in text


@pytest.mark.parametrize("kind", InputKind)
def test_that_the_kind_that_the_model_is_for_is_taken(radiograph: MakeDecoded, kind: InputKind) -> None:
    fit.refuse_other_kind(radiograph(10, 10, kind=kind).image, card(input_kind=kind.value))


@pytest.mark.parametrize("kind", InputKind)
def test_that_a_model_for_any_kind_takes_any(radiograph: MakeDecoded, kind: InputKind) -> None:
    fit.refuse_other_kind(radiograph(10, 10, kind=kind).image, card(input_kind="any"))


@pytest.mark.parametrize(
    ("input_kind", "kind", "modality", "word"),
    [
        ("raw", InputKind.PROCESSED, "DX", "for raw images"),
        ("processed", InputKind.RAW, "DX", "processed for display"),
        ("any", InputKind.RAW, "MG", "not trained on mammograms"),
        ("any", InputKind.RAW, "DX", ""),
        ("processed", InputKind.PROCESSED, "", ""),
    ],
)
def test_that_why_a_model_cannot_serve_an_image_is_known_from_its_card(
    input_kind: str, kind: InputKind, modality: str, word: str
) -> None:
    why = fit.served(card(input_kind=input_kind, modalities=("DX",))).why_not(kind, modality=modality)
    assert word in why and bool(why) == bool(word)


def test_that_a_mammogram_is_taken_only_by_a_model_that_was_trained_on_mammograms(radiograph: MakeDecoded) -> None:
    image = radiograph(10, 10).image
    fit.refuse_other_kind(image, card(modalities=("DX", "MG")), modality="MG")
    fit.refuse_other_kind(image, card(for_tests=True), modality="MG")
    with pytest.raises(InputRefused, match="not trained on mammograms"):
        fit.refuse_other_kind(image, card(modalities=("DX",)), modality="MG")


@pytest.mark.parametrize(("kind", "other"), [(InputKind.RAW, "processed"), (InputKind.PROCESSED, "raw")])
def test_that_an_image_of_the_other_kind_is_refused_naming_what_to_choose(
    radiograph: MakeDecoded, kind: InputKind, other: str
) -> None:
    image = radiograph(10, 10, kind=kind, kind_reason="Its file says so.").image
    with pytest.raises(InputRefused) as error:
        fit.refuse_other_kind(image, card(input_kind=other))
    assert "knee" in error.value.title
    assert "Its file says so." in error.value.detail
    assert f"for {kind.value} images" in error.value.hint


def test_that_a_mammogram_is_refused_as_one_and_not_for_its_kind(radiograph: MakeDecoded) -> None:
    with pytest.raises(InputRefused) as error:
        fit.refuse_other_kind(radiograph(10, 10).image, card(modalities=("DX",)), modality="MG")
    assert "the mammogram" in error.value.title and "knee" in error.value.title
    assert "one made for mammography" in error.value.hint


@pytest.mark.parametrize(
    ("spacing", "levels"), [(0.8, 0), (0.4, 0), (0.267, 0), (0.266, 1), (0.2, 1), (0.142, 1), (0.141, 2), (0.05, 3)]
)
def test_that_an_image_is_halved_until_it_has_the_models_scale(
    radiograph: MakeDecoded, spacing: float, levels: int
) -> None:
    image = radiograph(10, 10, spacing_mm=(spacing, spacing)).image
    assert fit.levels_finer(image, card(mm_per_pixel=0.4)) == levels
    assert fit.levels_finer(image, card(network=named("map"), mm_per_pixel=0.4)) == 0, "it has every scale"
    assert fit.levels_finer(image, card(mm_per_pixel=None, long_side=None)) == 0


def test_that_unequal_spacings_count_by_their_mean(radiograph: MakeDecoded) -> None:
    assert fit.levels_finer(radiograph(10, 10, spacing_mm=(0.05, 0.15)).image, card(mm_per_pixel=0.4)) == 2


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"spacing_mm": (0.1, 0.1)}, "0.1 mm per pixel, 4.0 times finer than the model's 0.4"),
        ({}, "has 400 pixels on its longer side, 4.0 times the model's 100"),
    ],
    ids=str,
)
def test_that_what_is_the_images_own_is_told_in_the_words_of_its_scale(
    radiograph: MakeDecoded, fields: dict[str, Any], said: str
) -> None:
    image = radiograph(400, 30, **fields).image
    (text,) = fit.warnings(image, card(mm_per_pixel=0.4, long_side=100), kept=2)
    assert said in text and "1/4 of the image's size" in text


def test_that_a_model_of_every_scale_says_nothing_of_it(radiograph: MakeDecoded) -> None:
    image = radiograph(400, 30, spacing_mm=(0.1, 0.1)).image
    assert fit.warnings(image, card(network=named("map"))) == ()
    (text,) = fit.warnings(image, card(network=named("map"), for_tests=True))
    assert "nobody trained it" in text
    tests, scale = fit.warnings(image, card(for_tests=True))
    assert "nobody trained it" in tests and "finer" in scale

"""The way into the network and out of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from fullfield.image import normalise
from fullfield.image.image import HighValues, Image, InputKind, Pixels, Relationship
from fullfield.image.normalise import BY_PRESET, Normalisation
from fullfield.image.phantoms import scene
from fullfield.image.phantoms.setting import SETTINGS

BY_ANATOMY = Normalisation(by_anatomy=True, median=0.45)  # as cards of the first map networks have it


def image(
    pixels: Pixels,
    *,
    bits: int = 12,
    kind: InputKind = InputKind.PROCESSED,
    relationship: Relationship = Relationship.UNKNOWN,
    padding: tuple[int, int] | None = None,
    beam: HighValues = HighValues.DARK,
) -> Image:
    return Image(
        pixels=pixels,
        bits=bits,
        high=HighValues.BRIGHT,
        kind=kind,
        relationship=relationship,
        padding=padding,
        beam=beam,
    )


def ramp(low: int = 100, high: int = 3000, shape: tuple[int, int] = (60, 70)) -> NDArray[np.uint16]:
    return np.linspace(low, high, shape[0] * shape[1]).round().astype(np.uint16).reshape(shape)


def test_that_the_input_spans_0_to_1_and_keeps_the_order_of_values() -> None:
    values = normalise.to_input(image(ramp()))
    assert values.dtype == np.float32
    assert (values.min(), values.max()) == (0.0, 1.0)
    assert (np.diff(values.ravel()) >= 0).all()


def test_that_the_percentiles_are_those_of_numpy_on_the_whole_image() -> None:
    pixels = np.random.default_rng(0).integers(0, 4096, (300, 310)).astype(np.uint16)
    table = normalise.input_table(image(pixels), Normalisation(low_percent=5, high_percent=90))
    low, high = np.percentile(pixels, [5, 90], method="inverted_cdf")
    assert table[int(low)] == 0.0
    assert table[int(high)] == 1.0
    assert table[round((int(low) + int(high)) / 2)] == pytest.approx(0.5, abs=1e-3)


def test_that_a_few_outliers_do_not_darken_the_image() -> None:
    pixels = ramp(shape=(200, 200)).copy()
    pixels[0, :5] = 65535
    assert normalise.to_input(image(pixels, bits=16))[100, 100] == pytest.approx(0.5, abs=0.01)


def test_that_padding_takes_no_part_in_the_statistics_and_becomes_black() -> None:
    pixels = ramp()
    padded = np.vstack([pixels, np.full_like(pixels, 4095)])
    values = normalise.to_input(image(padded, padding=(4095, 4095)))
    assert np.array_equal(values[:60], normalise.to_input(image(pixels)))
    assert not values[60:].any()


@pytest.mark.parametrize("value", [0, 7, 4095])
def test_that_a_constant_image_becomes_a_constant_inside_0_and_1(value: int) -> None:
    values = normalise.to_input(image(np.full((9, 9), value, np.uint16)))
    assert (values == normalise.CONSTANT).all()


def test_that_an_image_of_padding_alone_is_black_and_finite() -> None:
    values = normalise.to_input(image(np.full((4, 4), 9, np.uint16), padding=(0, 20)))
    assert not values.any()


def test_that_one_bright_pixel_on_a_flat_ground_is_kept() -> None:
    pixels = np.full((100, 100), 10, np.uint16)
    pixels[50, 50] = 20
    values = normalise.to_input(image(pixels))
    assert (values[50, 50], values[0, 0]) == (1.0, 0.0)


def test_that_only_raw_pixels_linear_in_exposure_are_brought_to_attenuation() -> None:
    exposure = np.exp(np.linspace(np.log(20), np.log(4000), 4096)).round().astype(np.uint16).reshape(64, 64)
    bright_is_little = (4095 - exposure).astype(np.uint16)
    raw = normalise.to_input(image(bright_is_little, kind=InputKind.RAW, relationship=Relationship.LINEAR))
    assert raw.ravel()[2048] == pytest.approx(0.5, abs=0.01)
    for kind, relationship in (
        (InputKind.RAW, Relationship.LOGARITHMIC),
        (InputKind.RAW, Relationship.UNKNOWN),
        (InputKind.PROCESSED, Relationship.LINEAR),
    ):
        other = normalise.to_input(image(bright_is_little, kind=kind, relationship=relationship))
        assert other.ravel()[2048] == pytest.approx(0.94, abs=0.02)


@pytest.mark.parametrize("kind", InputKind)
def test_that_a_negative_is_turned_on_its_way_in_and_back_on_its_way_out(kind: InputKind) -> None:
    positive = image(ramp(0, 4095), kind=kind, relationship=Relationship.LINEAR)
    negative = image(4095 - positive.pixels, kind=kind, relationship=Relationship.LINEAR, beam=HighValues.BRIGHT)
    assert np.allclose(normalise.to_input(negative), normalise.to_input(positive), atol=3e-3)
    assert np.allclose(normalise.to_target(negative), normalise.to_target(positive), atol=1e-6)
    back = normalise.to_pixels(normalise.to_target(negative), 12, beam=negative.beam)
    assert np.array_equal(back, negative.pixels)


def test_that_parts_looked_up_in_the_table_equal_the_whole() -> None:
    whole = image(ramp())
    table = normalise.input_table(whole)
    assert np.array_equal(table[whole.pixels[10:20, 5:9]], normalise.to_input(whole)[10:20, 5:9])


@pytest.mark.parametrize("bits", [8, 12, 16])
def test_that_a_target_survives_the_way_out(bits: int) -> None:
    reference = image(ramp(0, (1 << bits) - 1), bits=bits)
    assert np.array_equal(normalise.to_pixels(normalise.to_target(reference), bits), reference.pixels)


@pytest.mark.parametrize(("bits", "wanted"), [(1, 12), (8, 12), (12, 12), (14, 14), (16, 16)])
def test_that_an_output_has_the_bits_of_its_source_and_at_least_twelve(bits: int, wanted: int) -> None:
    assert normalise.output_bits(image(np.zeros((2, 2), np.uint16), bits=bits)) == wanted


def test_that_what_is_not_finite_or_out_of_range_becomes_valid_pixels_in_the_given_place() -> None:
    output = np.array([[np.nan, -1.0, 0.5, 2.0, np.inf]], np.float32)
    place = np.ones((1, 5), np.uint16)
    assert normalise.to_pixels(output, 12, place) is place
    assert place.tolist() == [[0, 0, 2048, 4095, 4095]]


def test_that_the_parameters_survive_a_card_and_unknown_ones_are_refused() -> None:
    chosen = Normalisation(low_percent=1, high_percent=98, logarithm=False)
    assert Normalisation.from_json(chosen.to_json()) == chosen
    with pytest.raises(ValueError, match="gamma"):
        Normalisation.from_json({"gamma": 2})
    with pytest.raises(ValueError, match="low < high"):
        Normalisation(low_percent=50, high_percent=50)


def test_that_by_anatomy_blades_take_no_part_of_the_range() -> None:
    setting = next(one for one in SETTINGS if one.name == "blades")
    shown = scene.make(replace(setting, raw=True), seed=[0, 6], longer=512)
    spread, median = {}, {}
    for way in (normalise.DEFAULT, BY_ANATOMY):
        values = normalise.input_table(shown.image, way)[shown.image.pixels]
        assert values.min() >= 0 and values.max() <= 1
        spread[way.by_anatomy] = float(np.ptp(np.percentile(values[shown.anatomy], [2, 98])))
        median[way.by_anatomy] = float(np.median(values[shown.anatomy]))
    assert spread[True] > 0.7 and spread[False] < 0.3  # by percentiles of everything the hand is nearly black
    assert median[False] < 0.1 and 0.4 < median[True] < 0.5
    flat = image(np.full((64, 64), 7, np.uint16))
    assert (normalise.input_table(flat, BY_ANATOMY) == normalise.CONSTANT).all()
    for way in (BY_ANATOMY, BY_PRESET):
        assert way == Normalisation.from_json(way.to_json()) != normalise.DEFAULT
    added = {"by_anatomy", "median", "preset_tone"}
    assert not added & normalise.DEFAULT.to_json().keys()  # cards of earlier versions read alike

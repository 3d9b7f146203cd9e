from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from fullfield.image import collimation, presets, tone
from fullfield.image.image import HighValues, Image, InputKind, Relationship, VoiTable
from fullfield.image.tone import Tone
from fullfield.image.values import Window

GENERAL, GENERAL_RAW = presets.load("general"), presets.load("general-raw")


ORDER = np.random.default_rng(4).permutation(400)
"""Columns in disorder: an even ramp would have a dark end that looks like direct exposure."""


def ramp(**fields: Any) -> Image:
    pixels = np.tile(np.linspace(100, 3900, 400).astype(np.uint16)[ORDER], (300, 1))
    given: dict[str, Any] = {"bits": 12, "high": HighValues.BRIGHT, "kind": InputKind.PROCESSED}
    return Image(pixels=pixels, **(given | fields))


def tone_of(image: Image) -> Tone:
    curve = tone.curve(image)
    preset = GENERAL_RAW if image.kind is InputKind.RAW else GENERAL
    return tone.measure(image, preset, curve, collimation.find(image, curve))


def applied(image: Image) -> np.ndarray[Any, np.dtype[np.float32]]:
    return tone_of(image).apply(image.pixels)[:, np.argsort(ORDER)]


def test_that_a_processed_image_meets_a_straight_line() -> None:
    image = ramp()

    x = applied(image)[0].astype(np.float64)

    steps = np.diff(x) / np.diff(np.sort(image.pixels[0]).astype(np.float64))
    assert steps == pytest.approx(np.full(399, steps[0]), rel=1e-3)
    assert x.min() == pytest.approx(0, abs=0.01)
    assert x.max() == pytest.approx(1, abs=0.01)


def test_that_a_linear_window_widens_the_range_and_never_leaves_the_data() -> None:
    image = ramp(voi=(Window(low=-9000, high=100_000),))

    x = applied(image)

    assert x.min() == pytest.approx(0, abs=1e-3)
    assert x.max() == pytest.approx(1, abs=1e-3)


def test_that_a_linear_window_is_a_hint_only() -> None:
    assert np.allclose(applied(ramp(voi=(Window(low=1500, high=1600),))), applied(ramp()))


def test_that_a_sigmoid_voi_is_part_of_the_picture() -> None:
    x = applied(ramp(voi=(Window(low=1000, high=3000, sigmoid=True),)))[0]

    steep, flat = x[195] - x[190], x[10] - x[5]
    assert steep > 4 * flat
    assert np.all(np.diff(x) > 0)


def test_that_a_voi_table_is_applied_and_keeps_every_value_apart() -> None:
    table = np.clip((np.arange(4096) - 2000) / 100, 0, 1).astype(np.float32)

    x = applied(ramp(voi=(VoiTable(first=0, table=table),)))[0]

    assert np.all(np.diff(x) > 0)
    assert x[230] - x[190] > 0.5


def test_that_a_falling_voi_table_turns_the_picture_as_it_is_shown() -> None:
    table = np.linspace(1, 0, 4096).astype(np.float32)

    assert np.all(np.diff(applied(ramp(voi=(VoiTable(first=0, table=table),)))[0]) < 0)


@pytest.mark.parametrize("values", [np.sin(np.arange(4096) / 99), np.where(np.arange(4096) == 9, np.nan, 1.0)])
def test_that_a_voi_table_that_goes_up_and_down_is_left_out_and_told(values: Any) -> None:
    image = ramp(voi=(VoiTable(first=0, table=values.astype(np.float32)),))

    assert tone.curve(image).warnings == ("The source's VOI LUT is not monotonic; it was not used.",)
    assert np.all(np.diff(applied(image)[0]) > 0)


def test_that_raw_linear_values_become_attenuation() -> None:
    thickness = np.linspace(0, 4, 400)
    counts = np.rint(16000 * np.exp(-thickness))
    image = Image(
        pixels=np.tile((16383 - counts).astype(np.uint16)[ORDER], (300, 1)),
        bits=14,
        high=HighValues.DARK,
        kind=InputKind.RAW,
        relationship=Relationship.LINEAR,
    )

    x = applied(image)[0]

    assert np.corrcoef(x, thickness)[0, 1] > 0.9999


def test_that_raw_logarithmic_values_are_left_as_they_are() -> None:
    image = ramp(kind=InputKind.RAW, relationship=Relationship.LOGARITHMIC)

    assert np.allclose(applied(image), applied(ramp()), atol=0.01)
    assert tone.curve(image).warnings == ()


def test_that_a_raw_image_of_unknown_relationship_is_taken_as_linear_and_told() -> None:
    assert "linear was assumed" in tone.curve(ramp(kind=InputKind.RAW)).warnings[0]


@pytest.mark.parametrize("relationship", [Relationship.LINEAR, Relationship.LOGARITHMIC])
def test_that_bone_is_bright_inside_whatever_the_source_shows(relationship: Relationship) -> None:
    image = ramp(kind=InputKind.RAW, relationship=relationship)
    negative = replace(image, pixels=(image.top - image.pixels).astype(np.uint16), beam=HighValues.BRIGHT)

    assert np.allclose(applied(negative), applied(image), atol=1e-5)


@pytest.mark.parametrize("beam", list(HighValues))
def test_that_a_raw_image_s_logarithm_is_taken_from_where_nothing_is_exposed(beam: HighValues) -> None:
    image = replace(ramp(kind=InputKind.RAW, relationship=Relationship.LINEAR), beam=beam)
    by = 4000 if beam is HighValues.BRIGHT else 16383 - image.top - 4000
    zero = 4000 if beam is HighValues.BRIGHT else 16383 - 4000

    moved = replace(image, pixels=(image.pixels + np.uint16(by)), bits=14, zero=float(zero))

    assert np.allclose(applied(moved), applied(image), atol=1e-5)


def test_that_an_image_of_one_value_is_flat() -> None:
    image = ramp()

    assert tone_of(replace(image, pixels=np.full((40, 50), 9, np.uint16))).flat


def test_that_one_bright_pixel_on_a_flat_ground_still_has_a_range() -> None:
    pixels = np.zeros((40, 50), np.uint16)
    pixels[3, 4] = 4095

    found = tone_of(replace(ramp(), pixels=pixels))

    assert not found.flat
    assert found.step == pytest.approx(1 / 4095)

"""The general preset's tone as one curve."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from fullfield.image import multiscale, normalise, phantom, preset_tone, presets
from fullfield.image.image import HighValues, Image, InputKind
from fullfield.image.normalise import BY_PRESET
from fullfield.image.phantom import PhantomKind
from fullfield.image.phantoms import scene
from fullfield.image.phantoms.setting import SETTINGS
from fullfield.image.pyramid import Plane


def coarse(plane: Plane) -> Plane:
    return cv2.resize(plane, (16, 16), interpolation=cv2.INTER_AREA)


@pytest.mark.parametrize("make", [phantom.raw, phantom.processed])
def test_that_large_areas_are_as_bright_as_the_preset_makes_them(make: object) -> None:
    image = make(PhantomKind.CHEST, longer=800, seed=1)  # type: ignore[operator]
    made = multiscale.enhance(image, presets.load(presets.GENERAL[image.kind]))
    wanted = coarse(made.pixels.astype(np.float32) / np.float32((1 << made.bits) - 1))
    found = coarse(preset_tone.picture(normalise.to_input(image, BY_PRESET)))
    assert np.abs(found - wanted).mean() < 0.6 * np.abs(coarse(normalise.to_input(image)) - wanted).mean() < 0.1


def test_that_the_curve_rises_and_reaches_no_further_than_the_logits_do() -> None:
    table = normalise.input_table(phantom.raw(PhantomKind.HAND, longer=300, seed=2), BY_PRESET)
    assert table.min() >= 0 and table.max() <= 1 and table.dtype == np.float32
    assert (np.diff(table) >= 0).all() or (np.diff(table) <= 0).all()


@pytest.mark.parametrize("name", ["blades", "two fields", "off-centre beam"])
def test_that_blades_do_not_darken_the_anatomy(name: str) -> None:
    setting = next(one for one in SETTINGS if one.name == name)
    for seed in (3, 4, 5):
        shown = scene.make(replace(setting, raw=True), seed=[0, seed], longer=512)
        made = multiscale.enhance(shown.image, presets.load(presets.GENERAL[shown.image.kind]))
        wanted = np.median(made.pixels[shown.anatomy]) / ((1 << made.bits) - 1)
        picture = preset_tone.picture(normalise.to_input(shown.image, BY_PRESET))
        assert np.median(picture[shown.anatomy]) == pytest.approx(wanted, abs=0.07)


def test_that_a_picture_and_its_values_are_one_another_s_way_back() -> None:
    values = np.linspace(0, 1, 101, dtype=np.float32)
    assert np.abs(preset_tone.of_picture(preset_tone.picture(values)) - values).max() < 1e-5
    assert preset_tone.of_picture(np.array([0, 1], np.float32)) == pytest.approx([0, 1], abs=1e-5)


@pytest.mark.parametrize("shape", [(64, 64), (1, 1), (1, 40)])
def test_that_a_flat_image_has_no_curve_and_padding_stays_black(shape: tuple[int, int]) -> None:
    pixels = np.full(shape, 7, np.uint16)
    flat = Image(pixels=pixels, bits=12, high=HighValues.BRIGHT, kind=InputKind.RAW, padding=(0, 3))
    assert preset_tone.table(flat) is None
    table = normalise.input_table(flat, BY_PRESET)
    assert (table[:4] == 0).all() and (table[4:] == normalise.CONSTANT).all()


def test_that_an_image_of_two_values_has_a_curve() -> None:
    pixels = np.where(np.eye(40, dtype=bool), np.uint16(900), np.uint16(100))
    table = preset_tone.table(Image(pixels=pixels, bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED))
    assert table is not None and np.isfinite(table).all() and table[900] > table[100]

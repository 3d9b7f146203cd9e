"""The contrast of what is seen."""

from __future__ import annotations

import numpy as np
import pytest

from fullfield.image.image import Pixels
from fullfield.image.values import Window
from fullfield_app.gui.enhance.histogram import spread
from fullfield_app.gui.view.area import Area
from fullfield_app.gui.view.picture import Picture
from fullfield_app.gui.view.tone import Shown


def shown(pixels: Pixels, *, low: float, high: float, padding: tuple[int, int] | None = None) -> Shown:
    picture = Picture(
        levels=(pixels,), bits=12, lowest=0, highest=4095, voi=Window(low=low, high=high), padding=padding
    )
    return Shown(picture=picture, voi=picture.voi)


BARS = (np.indices((64, 64))[1] // 4 % 2 * 1000 + 1000).astype(np.uint16)  # bars: single pixels are noise


def test_that_all_pixels_are_counted_once() -> None:
    assert spread(shown(BARS, low=0, high=4095)).shares.sum() == pytest.approx(100)


def test_that_a_narrower_window_shows_more_contrast() -> None:
    assert spread(shown(BARS, low=500, high=2500)).contrast > 1.8 * spread(shown(BARS, low=0, high=4095)).contrast


def test_that_contrast_of_small_structures_counts_and_that_of_black_borders_does_not() -> None:
    halves = np.zeros((64, 64), np.uint16)
    halves[:, 32:] = 4095
    assert spread(shown(halves, low=0, high=4095)).contrast == pytest.approx(0)
    bars = spread(shown(BARS, low=1000, high=2000))
    assert bars.contrast == pytest.approx(50, abs=0.5)


def test_that_noise_is_not_told_as_contrast_and_contrast_is() -> None:
    chance = np.random.default_rng(0)
    soft = 2000 + 300 * np.sin(np.arange(256) / 3)[None, :] * np.ones((256, 1))
    noisy = soft + chance.normal(0, 150, soft.shape)
    stronger = 2000 + 1.5 * (soft - 2000)
    plain, praised, gained = (
        spread(shown(plane.astype(np.uint16), low=0, high=4095)).contrast for plane in (soft, noisy, stronger)
    )
    assert praised <= 1.02 * plain
    assert gained == pytest.approx(1.5 * plain, rel=0.03)


def test_that_nothing_but_noise_has_next_to_no_contrast() -> None:
    noise = np.random.default_rng(0).normal(2000, 200, (256, 256))
    assert spread(shown(noise.astype(np.uint16), low=0, high=4095)).contrast < 0.1 * 200 / 4095 * 100


def test_that_padding_is_left_out() -> None:
    padded = BARS.copy()
    padded[:32] = 4000
    seen = spread(shown(padded, low=1000, high=2000, padding=(4000, 4000)))
    assert seen.contrast == pytest.approx(50, abs=0.5) and seen.shares[0] == pytest.approx(50)


def test_that_a_tiny_image_has_a_spread_too() -> None:
    assert spread(shown(BARS[:3, :3], low=0, high=4095)).shares.sum() == pytest.approx(100)


def test_that_a_region_has_a_spread_of_its_own() -> None:
    pixels = np.zeros((2000, 2000), np.uint16)
    pixels[500:564, 500:564] = BARS
    picture = Picture(
        levels=(pixels, pixels[::2, ::2]), bits=12, lowest=0, highest=4095, voi=Window(low=1000, high=2000)
    )
    whole = Shown(picture=picture, voi=picture.voi)
    found = spread(whole, Area(left=500, top=500, width=64, height=64))
    assert found.contrast == pytest.approx(50, abs=0.5) and found.shares[0] == pytest.approx(50)
    assert spread(whole, Area(left=0, top=0, width=2000, height=2000)).shares[0] > 99
    assert spread(whole, Area(left=1999, top=1999, width=1, height=1)).shares.sum() == pytest.approx(100)

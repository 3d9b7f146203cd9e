"""The raw-like simulation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fullfield.data import acquire
from fullfield.image import resample
from fullfield.image.image import HighValues, Image, InputKind
from fullfield.model.phantom import phantom

KEY = "0123456789abcdef"


@pytest.fixture
def processed() -> Image:
    pixels = np.rint(phantom(240, 200, seed=3) * 255).astype(np.uint16)
    return Image(pixels=pixels, bits=8, high=HighValues.BRIGHT, kind=InputKind.PROCESSED, spacing_mm=(0.1, 0.1))


def test_that_the_same_seed_gives_the_same_image_and_another_gives_another(processed: Image) -> None:
    def once(seed: int) -> Image:
        return acquire.simulate(processed, acquire.draw(seed, KEY), seed=seed, key=KEY)

    assert np.array_equal(once(1).pixels, once(1).pixels)
    assert not np.array_equal(once(1).pixels, once(2).pixels)


def test_that_every_image_gets_its_own_exposure_within_the_ranges() -> None:
    drawn = [acquire.draw(0, f"{number:016x}") for number in range(200)]
    assert len({item.slope for item in drawn}) == 200
    assert {item.bits for item in drawn} == {12, 13, 14, 15, 16}
    assert min(item.quanta for item in drawn) >= 2_000
    assert max(item.quanta for item in drawn) <= 20_000
    assert all(6.5 <= item.span <= 9.5 and 0.09 <= item.scatter <= 0.6 for item in drawn)


@pytest.mark.parametrize("beam", list(HighValues))
@pytest.mark.parametrize("number", range(4))
def test_that_the_simulated_image_keeps_matrix_spacing_and_polarity(
    processed: Image, number: int, beam: HighValues
) -> None:
    key = f"{number:016x}"
    processed = replace(processed, beam=beam)
    raw = acquire.simulate(processed, acquire.draw(0, key), seed=0, key=key)
    assert raw.kind is InputKind.RAW
    assert raw.pixels.shape == processed.pixels.shape
    assert raw.spacing_mm == processed.spacing_mm
    assert raw.pixels.max() <= raw.top
    assert np.corrcoef(raw.pixels.ravel(), processed.pixels.ravel())[0, 1] > 0.7


def test_that_fewer_quanta_make_a_noisier_image() -> None:
    flat = Image(pixels=np.full((128, 128), 2000, np.uint16), bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED)
    many = replace(acquire.draw(0, KEY), quanta=20_000.0)
    few = replace(many, quanta=2_000.0)
    noise = [float(acquire.simulate(flat, item, seed=0, key=KEY).pixels.std()) for item in (many, few)]
    assert noise[1] > 2 * noise[0]


def test_that_a_small_image_simulated_equals_the_large_one_simulated_and_reduced() -> None:
    large = Image(
        pixels=np.full((512, 512), 20_000, np.uint16), bits=16, high=HighValues.BRIGHT, kind=InputKind.PROCESSED
    )
    drawn = replace(acquire.draw(0, KEY), bits=16, blur=0.4)
    small = replace(large, pixels=large.pixels[::4, ::4].copy())
    direct = acquire.simulate(small, acquire.reduced(drawn, 4.0), seed=0, key=KEY).pixels
    after = resample.resample(acquire.simulate(large, drawn, seed=0, key=KEY).pixels, (128, 128))
    assert direct.mean() == pytest.approx(after.mean(), abs=20)
    assert direct.std() == pytest.approx(after.std(), rel=0.15)

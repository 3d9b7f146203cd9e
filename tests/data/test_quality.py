"""Blocks and polarity."""

from __future__ import annotations

import io

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image as Pillow

from fullfield.data import quality
from fullfield.image import resample
from fullfield.model.phantom import phantom
from support import shared


def jpeg(plane: NDArray[np.float32], level: int) -> NDArray[np.float32]:
    stream = io.BytesIO()
    Pillow.fromarray(np.rint(plane * 255).astype(np.uint8)).save(stream, "JPEG", quality=level)
    return np.asarray(Pillow.open(stream), np.float32)


@pytest.mark.parametrize("crop", [0, 3])
def test_that_a_hard_jpeg_is_blocky_wherever_its_blocks_begin(crop: int) -> None:
    plane = phantom(256, 320, seed=1)
    assert quality.blockiness(plane) < quality.BLOCKY
    assert quality.blockiness(jpeg(plane, 20)[crop:, crop:]) > quality.BLOCKY


def test_that_reducing_takes_the_blocks_away() -> None:
    blocky = jpeg(phantom(1024, 1024, seed=2), 60)
    assert quality.blockiness(blocky) > quality.BLOCKY
    assert quality.blockiness(resample.resample(blocky, (256, 256))) < quality.BLOCKY


def test_that_opposite_polarity_is_seen_through_any_gradation() -> None:
    plane = phantom(200, 260, seed=3)
    assert quality.likeness(plane, plane**3) > 0.95
    assert quality.likeness(plane, 1.0 - plane**0.3) < quality.INVERTED


def test_that_a_large_background_of_noise_does_not_hide_that_two_images_are_alike() -> None:
    chance = np.random.default_rng(0)
    one, other = (0.004 * chance.random((2, 200, 200))).astype(np.float32)
    small = phantom(90, 70, seed=4)
    one[50:140, :70] += small
    other[50:140, :70] += np.sqrt(small)
    assert quality.likeness(one, other) > 0.9
    assert quality.likeness(one, 1 - other) < quality.INVERTED


def test_that_images_of_different_things_are_unlike() -> None:
    chance = np.random.default_rng(0)
    one, other = chance.random((2, 128, 128), np.float32)
    assert abs(quality.likeness(one, other)) < quality.UNLIKE
    assert quality.likeness(one, np.zeros_like(one)) == 0.0


def test_that_real_jpegs_are_blocky_and_real_pngs_are_not() -> None:
    folder = shared("data/png")
    for name in ("asalmada_mixed/010.jpg", "ceph_isbi/127.jpg"):
        assert quality.blockiness(_grey(folder / name)) > quality.BLOCKY
    for name in ("mlua_panoramic/1067.png", "nih_nofinding/00001754_000.png"):
        assert quality.blockiness(_grey(folder / name)) < quality.BLOCKY


def _grey(path: object) -> NDArray[np.float32]:
    return np.asarray(Pillow.open(str(path)).convert("L"), np.float32)

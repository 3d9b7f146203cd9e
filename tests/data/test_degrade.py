"""Processed images as other hands might have stored them."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from fullfield.data import degrade
from fullfield.data.degrade import Degradation
from fullfield.data.prepared import LEVELS, Unit
from fullfield.image.normalise import BY_PRESET
from fullfield.model.phantom import phantom
from fullfield.train import evaluate

KEY = "0123456789abcdef"
MILD = 5.0  # 100·(1 − MS-SSIM)


@pytest.fixture(scope="module")
def plane() -> Unit:
    """A phantom as the network sees it: in 16 bits from 0 to 1."""
    made = phantom(240, 200, seed=3)
    return np.asarray(np.rint((made - made.min()) / np.ptp(made) * LEVELS) / LEVELS, np.float32)


def degraded(plane: Unit, how: Degradation) -> Unit:
    """`plane`, an input in 0…1, so degraded: same shape, normalised again."""
    pixels, table = degrade.restored(np.rint(plane * np.float32(LEVELS)).astype(np.uint16), how)
    return table[pixels]


def drawn(count: int, **given: object) -> list[Degradation]:
    every = (degrade.draw(**{"seed": 0, "epoch": epoch, "key": KEY, **given}) for epoch in range(count))  # type: ignore[arg-type]
    return [one for one in every if one is not None]


def test_that_a_degradation_follows_from_seed_epoch_and_image_alone(plane: Unit) -> None:
    assert drawn(40) == drawn(40)
    others = (drawn(40, seed=1), drawn(40, key="f" * 16))
    assert all(other != drawn(40) for other in others)
    assert len({*drawn(40)}) == len(drawn(40))
    how = replace(drawn(40)[0], bits=8, quality=80)
    assert np.array_equal(degraded(plane, how), degraded(plane, how))


def test_that_about_half_of_the_inputs_stay_as_they_are_and_the_others_differ_in_every_way() -> None:
    found = drawn(400)
    assert 160 < len(found) < 240
    assert {one.bits for one in found} == {8, 16}
    assert min(one.contrast for one in found) < 0.65 and max(one.flat for one in found) > 0.25
    assert all(one.bits == 8 for one in found if one.quality)
    assert {0, 75, 95} <= {one.quality for one in found} and max(one.quality for one in found) == 95
    assert all(0.8 <= one.gamma <= 1.25 and one.low <= 0.03 and one.high >= 0.97 for one in found)


def test_that_every_degradation_is_mild_and_changes_something(plane: Unit) -> None:
    for how in drawn(120):
        made = degraded(plane, how)
        assert made.min() >= 0.0 and made.max() <= 1.0 and made.dtype == np.float32
        assert not np.array_equal(made, plane)
        assert evaluate.of_pair(made, plane).loss < MILD
        assert np.abs(made - plane).max() < 0.25


def test_that_no_degradation_moves_anything(plane: Unit) -> None:
    _, first, inverse = np.unique(plane, return_index=True, return_inverse=True)
    for how in drawn(120):
        made = degraded(plane, how)
        assert made.shape == plane.shape
        if not how.quality:  # what a pixel becomes follows from its own value alone, and their order stays
            values = made.ravel()[first]
            assert np.array_equal(values[inverse.ravel()], made.ravel())
            assert (np.diff(values) >= 0).all()
        (x, y), _ = cv2.phaseCorrelate((made - made.mean()).astype(float), (plane - plane.mean()).astype(float))
        assert np.hypot(x, y) < 0.25, how


def test_that_less_contrast_alone_is_stretched_back_as_in_use(plane: Unit) -> None:
    how = Degradation(low=0.0, high=1.0, gamma=1.0, flat=0.0, contrast=0.6, bits=16, quality=0)
    assert np.abs(degraded(plane, how) - plane).max() < 0.01


def test_that_with_the_preset_s_tone_a_window_and_contrast_alone_change_next_to_nothing() -> None:
    values = np.linspace(0.1, 0.9, 200 * 100, dtype=np.float32).reshape(200, 100)
    stored = np.rint(values * LEVELS).astype(np.uint16)
    how = Degradation(low=0.0, high=1.0, gamma=1.0, flat=0.0, contrast=0.6, bits=16, quality=0)
    for one, least, most in (
        (how, 0.0, 1e-3),
        (replace(how, gamma=1.25), 5e-3, 0.15),
        (replace(how, bits=8), 0.0, 0.05),
    ):
        pixels, table = degrade.restored(stored, one, BY_PRESET)
        assert np.ptp(pixels) < 0.65 * ((1 << one.bits) - 1)
        assert least <= np.abs(table[pixels] - values).max() < most

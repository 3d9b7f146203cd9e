from __future__ import annotations

import numpy as np
import pytest

from fullfield.bench import phantoms
from fullfield.bench.phantoms import Table
from fullfield.image import collimation, tone
from fullfield.image.phantoms import scene
from fullfield.image.phantoms.scene import Scene
from fullfield.image.phantoms.setting import SETTINGS, Setting

BY_NAME = {setting.name: setting for setting in SETTINGS}


def made(name: str, seed: int = 101) -> Scene:
    return scene.make(BY_NAME[name], seed=seed, longer=640)


def test_that_the_same_seed_gives_the_same_pixels_and_another_one_others() -> None:
    first, again, other = (made("even", seed) for seed in (1, 1, 2))

    assert np.array_equal(first.image.pixels, again.image.pixels)
    assert first.image.pixels.shape != other.image.pixels.shape or not np.array_equal(
        first.image.pixels, other.image.pixels
    )


@pytest.mark.parametrize("name", ["blades", "two fields", "burned-in text"])
def test_that_no_pixel_has_two_truths(name: str) -> None:
    exposed = made(name)

    together = sum(mask.astype(int) for mask in (exposed.air, exposed.anatomy, exposed.blades, exposed.marks))

    assert together.max() == 1
    assert 0.8 < together.mean() < 1


@pytest.mark.parametrize(
    "name",
    ["heel 5-10 %", "heel 10-20 %", "blades and heel", "off-centre beam", "two fields", "two fields and heel"],
)
def test_that_sloping_air_is_found_and_the_anatomy_is_kept(name: str) -> None:
    row = phantoms.measure(made(name))

    assert row.air_found is not None
    assert row.air_found > 0.9
    assert row.anatomy_lost < 0.01
    assert 0.3 < row.median < 0.6


def test_that_air_full_of_quantum_noise_is_found() -> None:
    row = phantoms.measure(made("dose 1/16, heel 10-20 %"))

    assert row.air_found is not None
    assert row.air_found > 0.95
    assert row.air_after is not None
    assert row.air_after < 0.05


def test_that_burned_in_text_does_not_set_the_range() -> None:
    plain = Setting(name="plain", bodies=("chest",), raw=False)
    words = Setting(name="words", bodies=("chest",), text=True, raw=False)
    exposed, bare = scene.make(words, seed=7, longer=640), scene.make(plain, seed=7, longer=640)

    field = collimation.find(exposed.image, tone.curve(exposed.image))

    white = collimation.reduce((exposed.image.pixels == exposed.image.top).astype(np.uint16), field.step) > 0.5
    assert white.sum() > 50
    assert not field.image[white].any()
    assert collimation.find(bare.image, tone.curve(bare.image)).image.mean() > 0.98


def test_that_lungs_and_shoulders_are_no_air() -> None:
    row = phantoms.measure(made("chest"))

    assert row.anatomy_lost < 0.005


def test_that_a_table_stands_only_where_the_aims_are_met() -> None:
    good = phantoms.measure(made("even"))

    table = Table(seed=1, size=640, rows=(good,))
    assert table.stands is not bool(good.missed)
    assert "air found" in table.text()

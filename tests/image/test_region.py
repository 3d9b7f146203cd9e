"""Numbers of regions, checked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fullfield.image import region
from fullfield.image.region import Statistics


def test_that_mean_and_sd_are_those_of_all_pixels() -> None:
    found = region.statistics(np.array([[1, 3], [5, 7]], np.uint16))
    assert (found.mean, found.count) == (4.0, 4)
    assert found.sd == pytest.approx(math.sqrt(5))


def test_that_large_values_do_not_overflow() -> None:
    assert region.statistics(np.full((4000, 1000), 65535, np.uint16)).mean == 65535


def test_that_blocks_add_up_to_the_whole() -> None:
    values = np.random.default_rng(1).integers(30000, 34000, (1700, 1300), dtype=np.uint16)
    found = region.statistics(values)
    assert found.mean == pytest.approx(values.mean()) and found.sd == pytest.approx(values.std())
    assert region.statistics(np.full((1700, 1300), 12345, np.uint16)).sd == 0


def test_that_the_ratios_are_as_the_formulas_say() -> None:
    one, other = Statistics(mean=100, sd=3, count=9), Statistics(mean=60, sd=4, count=9)
    assert region.snr(one) == pytest.approx(100 / 3)
    assert region.cnr(one, other) == pytest.approx(40 / math.sqrt(12.5))
    assert region.cnr(other, one) == region.cnr(one, other)


def test_that_flat_regions_have_no_noise() -> None:
    flat, lower = Statistics(mean=5, sd=0, count=4), Statistics(mean=3, sd=0, count=4)
    assert region.snr(flat) == math.inf and region.cnr(flat, lower) == math.inf
    assert math.isnan(region.cnr(flat, flat)) and math.isnan(region.statistics(np.zeros(0)).mean)


def test_that_an_ellipse_has_the_area_of_one() -> None:
    inside = region.ellipse(200, 100)
    assert inside.sum() == pytest.approx(math.pi * 100 * 50, rel=0.01)
    assert inside[100, 50] and not inside[0, 0]
    assert region.ellipse(1, 1).all()


def test_that_a_profile_follows_its_line_pixel_by_pixel() -> None:
    image = np.arange(100, dtype=np.uint16).reshape(10, 10)
    assert region.profile(image, (0.5, 2.5), (9.5, 2.5)).tolist() == pytest.approx(list(range(20, 30)))
    assert region.profile(image, (3.5, 0.5), (3.5, 9.5)).tolist() == pytest.approx(list(range(3, 100, 10)))
    between = region.profile(image, (1.0, 0.5), (2.0, 0.5))
    assert between.tolist() == pytest.approx([0.5, 1.5])


def test_that_a_profile_beyond_the_border_takes_the_border_s_pixels() -> None:
    image = np.arange(4, dtype=np.uint16).reshape(2, 2)
    assert region.profile(image, (-3, 0.5), (0.5, 0.5)).tolist() == [0] * 5

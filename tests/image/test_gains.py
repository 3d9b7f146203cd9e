from __future__ import annotations

import cv2
import numpy as np
import pytest

from fullfield.image import gains
from fullfield.image.pyramid import Plane

EVERYTHING = np.ones((8, 8), bool)


@pytest.fixture
def source() -> Plane:
    """A ramp from dark to bright with noise, and structure of some eight pixels."""
    random = np.random.default_rng(5)
    y, x = np.mgrid[:512, :512].astype(np.float32)
    structure = 0.05 * np.sin(x / 3) * np.sin(y / 3) * (np.sin(x / 60) * np.sin(y / 60) > 0)
    plane: Plane = (0.2 + 0.6 * x / 512 + structure + 0.004 * random.standard_normal(x.shape)).astype(np.float32)
    return plane


def test_that_a_plain_factor_is_the_gain_of_noise_and_contrast_alike(source: Plane) -> None:
    quarters = gains.by_density(source, source * np.float32(2), EVERYTHING)

    assert len(quarters) == gains.QUARTERS
    for quarter in quarters:
        assert (quarter.noise, quarter.contrast, quarter.fine) == pytest.approx((2, 2, 1), rel=1e-3)
        assert quarter.coarse == pytest.approx(1, rel=1e-3)


def test_that_blurring_lowers_noise_and_leaves_coarser_contrast(source: Plane) -> None:
    densest = gains.by_density(source, cv2.GaussianBlur(source, (0, 0), 0.8), EVERYTHING)[-1]

    assert densest.noise < 0.8
    assert densest.contrast == pytest.approx(1, abs=0.1)
    assert densest.coarse > 1.2


def test_that_noise_in_the_densest_quarter_alone_stands_in_its_figures_alone(source: Plane) -> None:
    result = source.copy()
    result[:, 400:] += np.float32(0.012) * np.random.default_rng(6).standard_normal((512, 112)).astype(np.float32)

    quarters = gains.by_density(source, result, EVERYTHING)

    assert quarters[0].noise == pytest.approx(1.0, abs=0.01)
    assert quarters[-1].noise > 2
    assert quarters[-1].coarse < 0.6
    assert quarters[-1].fine < 0.8


def test_that_what_is_no_anatomy_does_not_count(source: Plane) -> None:
    result = source.copy()
    result[:, :160] = 0
    right = np.zeros((8, 8), bool)
    right[:, 4:] = True

    assert gains.by_density(source, result, right)[0].contrast == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize("shape", [(1, 1), (31, 500), (64, 64)])
def test_that_too_small_a_picture_has_no_figures(shape: tuple[int, int]) -> None:
    plane = np.random.default_rng(1).random(shape).astype(np.float32)

    assert gains.by_density(plane, plane, EVERYTHING) == ()

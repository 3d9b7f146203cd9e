from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from fullfield.image import measure

RANDOM = np.random.default_rng(11)
PLANE = cv2.GaussianBlur(RANDOM.random((120, 140)), (0, 0), 4)
PLANE = (PLANE - PLANE.min()) / np.ptp(PLANE)
LEFT, RIGHT = (slice(None), slice(0, 60)), (slice(None), slice(70, None))


def test_that_psnr_of_a_known_error_is_known() -> None:
    assert measure.psnr(PLANE + 0.1, PLANE) == pytest.approx(20)


def test_that_equal_planes_have_no_error() -> None:
    assert measure.psnr(PLANE, PLANE) == math.inf


def test_that_integers_are_measured_without_wrapping_round() -> None:
    one, other = np.array([[1, 2]], np.uint16), np.array([[2, 1]], np.uint16)

    assert measure.psnr(one, other, peak=10) == pytest.approx(20)


def test_that_a_blurred_image_loses_its_finest_band() -> None:
    noisy = PLANE + 0.05 * RANDOM.standard_normal(PLANE.shape)

    ratio, correlation = measure.finest_band(cv2.GaussianBlur(noisy, (0, 0), 1), noisy)

    assert ratio < 0.5
    assert 0.3 < correlation < 1


def test_that_an_image_agrees_with_itself_on_the_finest_band() -> None:
    assert measure.finest_band(PLANE, PLANE) == pytest.approx((1, 1))
    assert measure.finest_band(3 * PLANE, PLANE) == pytest.approx((3, 1))


def test_that_a_constant_has_no_finest_band() -> None:
    ratio, correlation = measure.finest_band(PLANE, np.zeros_like(PLANE))

    assert math.isnan(ratio)
    assert math.isnan(correlation)


def test_that_cnr_of_known_regions_is_known() -> None:
    plane = np.zeros((200, 200)) + 10 + RANDOM.standard_normal((200, 200))
    plane[:, 100:] += 5
    left, right = (slice(None), slice(0, 100)), (slice(None), slice(100, 200))

    assert measure.cnr(plane, left, right) == pytest.approx(5, rel=0.03)


def test_that_regions_without_noise_have_an_infinite_contrast_to_noise_ratio_or_none() -> None:
    plane = np.zeros((10, 140))
    plane[:, 70:] = 1

    assert measure.cnr(plane, LEFT, RIGHT) == math.inf
    assert math.isnan(measure.cnr(np.zeros((10, 140)), LEFT, RIGHT))


def test_that_clipped_pixels_are_counted_without_those_that_were_at_an_end_already() -> None:
    source = np.array([[0, 10, 20, 30, 40]]) / 40
    made = np.array([[0, 1, 2048, 4094, 4095]]) / 4095  # as a preset writes them, in 1 … top − 1

    assert measure.clipped_fraction(made, source=np.full_like(made, 0.5)) == 0.8
    assert measure.clipped_fraction(made, source=source) == 0.4
    assert measure.clipped_fraction(source, source=source) == 0

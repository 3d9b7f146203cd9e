from __future__ import annotations

from dataclasses import replace
from functools import partial

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from fullfield.image import bands, pyramid
from fullfield.image.bands import Gain, Level
from fullfield.image.pyramid import Plane

PLAIN = Gain(gain=1.0, power=2.0, limit=0.5, toe=0.0, factor=1.0)


def amplified(values: NDArray[np.float64], gain: Gain) -> NDArray[np.float64]:
    """`values` as coefficients: rows minus a base of zero."""
    rows = values.astype(np.float32)[None, :]
    zeros = partial(np.zeros_like, rows)
    found: NDArray[np.float64] = bands.enhance(rows.copy(), zeros(), gain, None, zeros())[0].astype(np.float64)
    return found


def test_that_the_gain_is_the_bounded_slope_formula() -> None:
    x = np.linspace(-0.9, 0.9, 1001)
    wanted = x + 1.0 * x * np.maximum(1 - np.abs(x) / 0.5, 0) ** 2

    assert np.allclose(amplified(x, PLAIN), wanted, atol=1e-6)


@pytest.mark.parametrize("power", [0.5, 1.0, 1.7, 3.0])
def test_that_any_power_gives_a_rising_curve_of_bounded_slope_that_keeps_the_sign(power: float) -> None:
    x = np.linspace(-0.9, 0.9, 2001)

    y = amplified(x, Gain(gain=2.0, power=power, limit=0.5, toe=0.01, factor=1.0))

    slope = np.diff(y) / np.diff(x)
    assert slope.max() <= 3.0 + 1e-3
    assert np.array_equal(np.sign(y), np.sign(x))
    assert np.allclose(y, -y[::-1], atol=1e-6)


def test_that_no_gain_is_the_identity() -> None:
    x = np.linspace(-0.9, 0.9, 101)

    assert np.allclose(amplified(x, Gain(gain=0.0, power=2.0, limit=0.5, toe=0.01, factor=1.0)), x, atol=1e-7)


def test_that_below_the_toe_the_curve_is_a_straight_line() -> None:
    x = np.linspace(0.0001, 0.0049, 50)

    y = amplified(x, Gain(gain=1.0, power=2.0, limit=0.5, toe=0.01, factor=1.0))

    assert np.ptp(y / x) < 1e-5


def test_that_the_factor_reduces_the_whole_level() -> None:
    x = np.linspace(-0.9, 0.9, 101)

    halved = amplified(x, Gain(gain=1.0, power=2.0, limit=0.5, toe=0.0, factor=0.5))

    assert np.allclose(halved, 0.5 * amplified(x, PLAIN), atol=1e-6)


@pytest.fixture
def noisy() -> Plane:
    random = np.random.default_rng(8)
    plane = random.normal(0.5, 0.01, (512, 512)).astype(np.float32)
    plane[200:300, 200:300] += np.sin(np.arange(100) * 1.3).astype(np.float32)  # structure, far above the noise
    return plane


def measured(plane: Plane, *, quantum: float = 0.0) -> Level:
    shape = (plane.shape[0], plane.shape[1])
    small = cv2.pyrDown(plane)
    return bands.measure(
        pyramid.whole(plane), small, shape, np.ones((8, 8), bool), local=True, fine=True, quantum=quantum
    )


def test_that_the_noise_is_that_of_the_quiet_parts_whatever_the_structure(noisy: Plane) -> None:
    band = pyramid.laplacian(np.random.default_rng(8).normal(0.5, 0.01, (512, 512)), 1)[0]

    noise = measured(noisy).noise

    assert noise is not None
    assert np.median(noise) == pytest.approx(band.std(), rel=0.1)


def test_that_the_noise_is_told_apart_by_brightness() -> None:
    means = np.linspace(0.2, 0.8, 512, dtype=np.float32)[None, :]  # noise is stronger where it is brighter
    random = np.random.default_rng(8).standard_normal((512, 512)).astype(np.float32)
    plane: Plane = means + random * np.float32(0.01) * np.linspace(1, 1.8, 512, dtype=np.float32)[None, :]

    noise = measured(plane).noise

    assert noise is not None
    dark, bright = noise[:, 8:24].mean(), noise[:, -24:-8].mean()
    assert bright / dark == pytest.approx((1 + 0.8 * 112 / 128) / (1 + 0.8 * 16 / 128), rel=0.1)


def test_that_texture_of_all_that_is_bright_does_not_pass_for_noise() -> None:
    plane = np.random.default_rng(8).normal(0.3, 0.01, (512, 512)).astype(np.float32)
    plane[:, 384:] = 0.5 + 8 * (plane[:, 384:] - np.float32(0.3))

    noise = measured(plane).noise

    assert noise is not None
    assert noise.max() < 1.6 * noise[:, 8:80].mean()


def test_that_quantisation_counts_as_noise(noisy: Plane) -> None:
    noise = measured(noisy, quantum=0.2).noise

    assert noise is not None
    assert np.unique(noise).tolist() == [np.float32(0.2)]


def test_that_containment_spares_structure_and_holds_noise_back(noisy: Plane) -> None:
    kept = bands.containment(measured(noisy), replace(PLAIN, reach=1.8, floor=0.1))

    assert kept is not None
    assert kept[55:70, 55:70].mean() > 0.99
    assert kept[:40, :40].mean() == pytest.approx(0.13, abs=0.04)
    assert kept.min() >= np.float32(0.1)


@pytest.mark.parametrize(("gain", "wanted"), [(0.5, 0.85), (1.0, 0.7), (3.0, 0.7)])
def test_that_a_floor_below_zero_takes_noise_back_by_no_more_than_it_says(
    noisy: Plane, gain: float, wanted: float
) -> None:
    kept = bands.containment(measured(noisy), replace(PLAIN, gain=gain, reach=1.8, floor=-0.3))

    assert kept is not None
    assert (1 + gain * kept).min() == pytest.approx(wanted, abs=1e-6)
    assert kept[55:70, 55:70].mean() > 0.98  # structure keeps its gain


def test_that_contained_noise_is_never_smoothed_below_its_source(noisy: Plane) -> None:
    gain = Gain(gain=2.0, power=2.0, limit=9.0, toe=0.0, factor=1.0, reach=1.0, floor=0.0)
    rows = noisy[:8].copy()
    kept = np.zeros_like(rows)

    band = bands.enhance(rows, np.full_like(rows, 0.5), gain, kept, np.zeros_like(rows))

    assert np.allclose(band, noisy[:8] - np.float32(0.5))


def test_that_a_level_without_anatomy_gives_zeros_and_no_error() -> None:
    plane = np.zeros((40, 40), np.float32)
    small = cv2.pyrDown(plane)

    level = bands.measure(
        pyramid.whole(plane), small, (40, 40), np.zeros((4, 4), bool), local=True, fine=True, quantum=0.0
    )

    assert level.percentile == 0.0
    assert level.noise is not None and not level.noise.any()


@pytest.mark.parametrize("gain", [0.0, 0.5, 1.0, 2.0, 7.0])
def test_that_noise_is_lowered_by_the_floor_s_share_at_most_whatever_the_gain(gain: float) -> None:
    """As the slider says: what is seen of it also depends on the range of grey that all detail shares."""
    level = bands.Level(
        percentile=0.0, noise=np.full((4, 4), 0.01, np.float32), variance=np.full((4, 4), 1e-4, np.float32)
    )
    asked = bands.Gain(gain=gain, power=2, limit=1, toe=0.01, factor=1, reach=1.8, floor=-0.2)
    rows, kept = np.full((16, 16), 0.001, np.float32), bands.containment(level, asked)
    made = bands.enhance(
        rows,
        np.zeros_like(rows),
        asked,
        None if kept is None else np.repeat(np.repeat(kept, 4, 0), 4, 1),
        np.zeros_like(rows),
    )
    assert 0.8 * rows.max() <= made.min() * (1 + 1e-5) <= rows.max() * (1 + 1e-4)

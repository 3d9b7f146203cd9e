from __future__ import annotations

import numpy as np
import pytest

from fullfield.bench import observer

SIDE = 400
PER_DEGREE = 1 / np.degrees(np.arctan(observer.PITCH_MM / observer.DISTANCE_MM))  # pixels


def pictures(signal: np.ndarray, noise: float, *, seed: int = 0) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Two noises, with the signal and without, not rounded."""
    random = np.random.default_rng(seed)
    absent = [128 + random.normal(0, noise, (SIDE, SIDE)) for _ in range(2)]
    return [one + signal for one in absent], absent


def disc(level: float, radius: float = 12.0) -> np.ndarray:
    y, x = np.mgrid[:SIDE, :SIDE] - SIDE / 2
    return np.asarray(level * (np.hypot(x, y) <= radius))


def seen(signal: np.ndarray, noise: float, reach: int = 14) -> observer.Seen:
    present, absent = pictures(signal, noise)
    return observer.see(present, absent, at=(SIDE // 2, SIDE // 2), reach=reach)


def test_that_the_standard_target_at_one_just_noticeable_difference_has_a_d_prime_of_one() -> None:
    half = round(PER_DEGREE)
    x = np.arange(SIDE) - SIDE / 2
    target = np.zeros((SIDE, SIDE))
    wave = 0.5 * 255 / 640 * np.sin(2 * np.pi * 4 * x / PER_DEGREE)
    target[SIDE // 2 - half : SIDE // 2 + half, SIDE // 2 - half : SIDE // 2 + half] = wave[
        SIDE // 2 - half : SIDE // 2 + half
    ]

    assert seen(target, 0.0, reach=half).d_prime == pytest.approx(1.0, rel=0.1)


def test_that_d_prime_follows_contrast_and_falls_with_noise_and_with_blur() -> None:
    plain, twice, noisy = seen(disc(2), 0.0), seen(disc(4), 0.0), seen(disc(2), 30.0)

    assert twice.d_prime == pytest.approx(2 * plain.d_prime, rel=1e-3)
    assert noisy.d_prime < 0.6 * plain.d_prime
    assert seen(disc(0.6, radius=12) + 0 * disc(1), 0.0).d_prime < plain.d_prime


def test_that_loud_noise_leaves_the_d_prime_of_the_formula() -> None:
    level, noise = 40.0, 150.0
    found = seen(disc(level), noise)

    signal, template = found.difference, found.template
    eye_noise = found.d_prime and float(np.vdot(signal, template)) / np.sqrt(noise**2 * float(np.sum(template**2)))
    assert found.d_prime == pytest.approx(eye_noise, rel=0.15)


def test_that_a_grey_level_more_everywhere_is_no_signal() -> None:
    brighter = np.ones((SIDE, SIDE))

    assert seen(brighter, 0.0).d_prime == pytest.approx(0, abs=1e-6)
    assert seen(disc(2) + brighter, 0.0).d_prime == pytest.approx(seen(disc(2), 0.0).d_prime, rel=1e-6)


def test_that_a_signal_beside_the_border_of_a_picture_is_held_against_what_is_around_it() -> None:
    signal = np.roll(disc(2), (-SIDE // 2 + 16, 0), axis=(0, 1))
    present, absent = pictures(signal + 1, 0.0)

    beside = observer.see(present, absent, at=(16, SIDE // 2), reach=14).d_prime
    assert beside == pytest.approx(seen(disc(2), 0.0).d_prime, rel=0.05)


def test_that_an_inverted_signal_is_told_by_its_sign() -> None:
    one, other = seen(disc(3), 1.0), seen(disc(-3), 1.0)

    assert other.d_prime == pytest.approx(one.d_prime, rel=0.05)
    assert other.with_source(one) < -0.95 < 0.95 < one.with_source(one)


def test_that_the_eye_sees_four_cycles_best() -> None:
    at = np.array([0.0, 1.0, 3.0, 4.0, 5.0, 12.0])
    assert observer.eye(at).argmax() == 3
    assert observer.eye(at)[3] == pytest.approx(1)
    assert observer.eye(at)[0] == 0

from __future__ import annotations

import numpy as np
import pytest

from fullfield.image import gradation


@pytest.mark.parametrize(("source", "median"), [(0.2, 0.35), (0.5, 0.45), (0.8, 0.6)])
def test_that_the_median_comes_to_lie_where_it_is_wanted(source: float, median: float) -> None:
    curve = gradation.fit(black=0.0, white=1.0, points=((source, median),), slope=3.0)

    found = float(curve.apply(np.array([[source]], np.float32))[0, 0])

    assert found == pytest.approx(median, abs=0.02)


def test_that_the_darkest_of_several_wishes_is_met() -> None:
    curve = gradation.fit(black=0.0, white=1.0, points=((0.3, 0.5), (0.7, 0.75)), slope=3.0)

    found = curve.apply(np.array([[0.3, 0.7]], np.float32))[0]

    assert found[1] == pytest.approx(0.75, abs=0.02)
    assert found[0] < 0.5


@pytest.mark.parametrize("slope", [0.1, 3.0, 12.0])
def test_that_the_curve_rises_everywhere_and_stays_within_the_output(slope: float) -> None:
    curve = gradation.fit(black=0.1, white=0.9, points=((0.4, 0.45),), slope=slope)

    y = curve.apply(np.linspace(-1, 2, 3001, dtype=np.float32)[None, :])[0].astype(np.float64)

    assert np.all(np.diff(y) >= 0)
    assert y.min() >= 0
    assert y.max() <= 1


def test_that_what_lies_beyond_black_and_white_keeps_its_order_for_a_while() -> None:
    curve = gradation.fit(black=0.0, white=1.0, points=((0.5, 0.5),), slope=3.0)

    y = curve.apply(np.array([[-0.02, -0.01, 0.0, 1.0, 1.01, 1.03]], np.float32))[0]

    assert np.all(np.diff(y) > 0)


def test_that_the_soft_ends_meet_the_curve_without_a_step() -> None:
    curve = gradation.fit(black=0.0, white=1.0, points=((0.5, 0.5),), slope=3.0)

    y = curve.apply(np.linspace(-0.05, 1.05, 11001, dtype=np.float32)[None, :])[0].astype(np.float64)

    assert np.diff(y).max() < 2 / 10000


def test_that_integers_are_rounded_and_leave_both_ends_free() -> None:
    out = np.zeros((1, 5), np.uint16)

    gradation.quantise(np.array([[-4095, 0.0, 2048.03, 4095, 8190]], np.float32), 4095, out)

    assert out.tolist() == [[1, 1, 2048, 4094, 4094]]

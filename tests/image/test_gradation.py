from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from fullfield.image import gradation
from fullfield.image.gradation import BRIGHT_END, DARK_END, Gradation, Output
from fullfield.image.pyramid import Plane


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


def output(*, top: int = 4095, negative: bool = False, left: float = 1.0, source: Plane | None = None) -> Output:
    curve = gradation.fit(black=0.0, white=1.0, points=((0.5, 0.45),), slope=4.0)
    return Output(curve, top, negative=negative, source=source, left=left)


def test_that_a_value_is_no_darker_than_it_may_become_however_bright_others_are() -> None:
    points = ((0.4, 0.43), (0.83, 0.85))
    steep, held = (
        gradation.fit(black=0.0, white=1.0, points=points, slope=5.0, least=least) for least in (None, (0.4, 0.32))
    )

    dark, bright = (
        steep.apply(np.array([[0.4, 0.83]], np.float32))[0],
        held.apply(np.array([[0.4, 0.83]], np.float32))[0],
    )

    assert dark[0] < 0.3 < 0.32 < bright[0] < 0.34
    assert dark[1] == pytest.approx(0.85, abs=0.01) and bright[1] == pytest.approx(0.85, abs=0.01)


def test_that_a_curve_stays_as_steep_as_it_was_where_nothing_is_too_dark() -> None:
    given = {"black": 0.0, "white": 1.0, "points": ((0.4, 0.43), (0.7, 0.85)), "slope": 5.0}

    assert gradation.fit(**given, least=(0.4, 0.32)) == gradation.fit(**given)


def written(by: Output, values: Plane, pixels: NDArray[np.uint16] | None = None) -> NDArray[np.uint16]:
    curve = gradation.fit(black=0.0, white=1.0, points=((0.5, 0.45),), slope=4.0)
    out = np.zeros(values.shape, np.uint16)
    by.write(curve.places(values.copy()), np.zeros(values.shape, np.uint16) if pixels is None else pixels, out)
    return out


@pytest.mark.parametrize("bits", [12, 16])
@pytest.mark.parametrize("slope", [0.1, 2.0, 3.0, 5.0, 8.0, 12.0])
@pytest.mark.parametrize("place", [0.05, 0.1, 0.5, 0.9, 0.95])
def test_that_the_output_is_the_curve_within_one_of_4095(bits: int, slope: float, place: float) -> None:
    top, values = (1 << bits) - 1, np.linspace(-3, 6, 100_001, dtype=np.float32)[None, :]
    for wanted in (0.05, 0.45, 0.95):
        curve = gradation.fit(black=0.1, white=1.3, points=((0.1 + 1.2 * place, wanted),), slope=slope)
        found = np.zeros(values.shape, np.uint16)

        Output(curve, top, negative=False, source=None, left=1.0).write(curve.places(values.copy()), found, found)

        exact = np.clip(in_64_bits(curve, values) * top, 1, top - 1)
        assert np.abs(found - exact).max() <= 0.5 + 0.5 * top / 4095
        assert (np.diff(found.astype(int)) >= 0).all()


def in_64_bits(curve: Gradation, values: Plane) -> NDArray[np.float64]:
    f = curve.offset + curve.scale / (1 + np.exp(np.clip(curve.slope * (curve.centre - values.astype(float)), -80, 80)))
    f = DARK_END + (1 - DARK_END) * f
    f = np.where(f < DARK_END, DARK_END**2 / (2 * DARK_END - np.minimum(f, DARK_END)), f)
    return np.where(f > 1 - BRIGHT_END, 1 - BRIGHT_END**2 / (np.maximum(f, 1 - BRIGHT_END) - 1 + 2 * BRIGHT_END), f)


def test_that_the_output_leaves_both_ends_free_however_far_values_lie() -> None:
    curve = gradation.fit(black=0.0, white=1.0, points=((0.5, 0.5),), slope=0.1)
    values = np.array([[-np.inf, -1e30, -1e6, -50.0, 50.0, 1e6, 1e30, np.inf]], np.float32)
    found = np.zeros(values.shape, np.uint16)

    Output(curve, 4095, negative=False, source=None, left=1.0).write(curve.places(values), found, found)

    np.testing.assert_array_equal(found, [[1, 1, 1, 1, 4094, 4094, 4094, 4094]])


def test_that_a_negative_is_turned() -> None:
    values = np.linspace(-1, 2, 101, dtype=np.float32)[None, :]

    assert np.abs(written(output(negative=True), values) + written(output(), values).astype(int) - 4095).max() <= 1


def test_that_what_is_left_lies_between_the_source_and_the_result() -> None:
    source, values = np.linspace(0, 1, 57, dtype=np.float32), np.linspace(0, 1, 57, dtype=np.float32)[None, :]
    pixels = np.arange(57, dtype=np.uint16)[None, ::-1].copy()
    for left in (0.0, 0.5, 1.0):
        found = written(output(left=left, source=source), values, pixels)
        wanted = left * written(output(), values) + (1 - left) * 4095 * source[pixels]
        np.testing.assert_allclose(found, np.clip(wanted, 1, 4094), atol=1.5)


def test_that_stored_values_beyond_the_sources_table_are_its_last() -> None:
    pixels = np.array([[1, 40_000]], np.uint16)

    found = written(output(left=0.0, source=np.array([0, 0.5], np.float32)), np.zeros((1, 2), np.float32), pixels)

    assert found[0, 0] == found[0, 1]


def test_that_a_value_far_beyond_black_is_no_reason_to_fail() -> None:
    curve = gradation.fit(black=0.0, white=1.0, points=((-100.0, 0.5),), slope=12.0, least=(-100.0, 0.3))

    assert np.isfinite(curve.apply(np.array([[-100.0, 0.0, 1.0]], np.float32))).all()

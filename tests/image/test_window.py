from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fullfield.image import window
from fullfield.image.image import HighValues, Image, InputKind, VoiTable
from fullfield.image.values import Window


def ramp(**fields: Any) -> Image:
    pixels = np.tile(np.arange(1000, 3000, dtype=np.uint16), (50, 1))
    return Image(pixels=pixels, bits=12, high=HighValues.BRIGHT, kind=InputKind.PROCESSED, **fields)


def test_that_the_sources_window_is_shown_first() -> None:
    wanted = Window(low=1500, high=2500, name="BONE")

    assert window.default_window(ramp(voi=(wanted, Window(low=1, high=2)))) == wanted


def test_that_a_window_never_leaves_the_data() -> None:
    found = window.default_window(ramp(voi=(Window(low=-5000, high=2500),)))

    assert (found.low, found.high) == (1000, 2500)


@pytest.mark.parametrize(("low", "high"), [(-1400, 200), (5000, 9000), (2990, 9000)])
def test_that_percentiles_take_the_place_of_a_window_that_shows_next_to_nothing(low: float, high: float) -> None:
    found = window.default_window(ramp(voi=(Window(low=low, high=high),)))

    assert found.low == pytest.approx(1010, abs=5)
    assert found.high == pytest.approx(2989, abs=5)


def test_that_padding_does_not_count() -> None:
    image = ramp(padding=(1000, 1999))

    assert window.data_range(image) == (2000, 2999)
    assert window.default_window(image).low >= 2000


@pytest.mark.parametrize("shape", [(1, 1), (4, 5)])
def test_that_an_image_of_one_value_has_a_window(shape: tuple[int, int]) -> None:
    image = Image(
        pixels=np.full(shape, 7, np.uint16), bits=8, high=HighValues.BRIGHT, kind=InputKind.PROCESSED, padding=(7, 7)
    )

    found = window.default_window(image)

    assert found.low < found.high


def test_that_a_linear_window_is_rendered_by_the_standards_formula() -> None:
    shown = window.render(np.array([[0, 1000, 1500, 2000, 4095]], np.uint16), Window(low=1000, high=2000))

    assert shown.tolist() == [[0, 0, 128, 255, 255]]


def test_that_a_sigmoid_window_is_rendered_by_the_standards_formula() -> None:
    shown = window.render(np.array([[1000, 1500, 2000]], np.uint16), Window(low=1000, high=2000, sigmoid=True))

    wanted = 255 / (1 + np.exp(-4 * (np.array([1000, 1500, 2000]) - 1500) / 1000))
    assert shown[0].tolist() == np.rint(wanted).astype(int).tolist()


def test_that_a_table_is_rendered_with_its_ends_held() -> None:
    voi = VoiTable(first=10, table=np.array([0.0, 0.5, 1.0], np.float32))

    assert window.render(np.array([[0, 10, 11, 12, 99]], np.uint16), voi).tolist() == [[0, 0, 128, 255, 255]]
